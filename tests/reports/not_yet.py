# SPDX-License-Identifier: Apache-2.0
"""The reports that are not answered yet, and why: the test fails as soon as one is."""

from __future__ import annotations

# By the report's number.
NOT_YET = {
    "tt-metal#42974": "M7 knows no posted writes; tt-metal's watcher does",
    "tt-metal#43584": "a fault says the address of a request, not what has written it",
    "tt-llk#1282": "the counter is the fifth line under the packed datum",
}
