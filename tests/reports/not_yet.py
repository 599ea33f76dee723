# SPDX-License-Identifier: Apache-2.0
"""The reports that are not answered yet, and why: the test fails as soon as one is."""

from __future__ import annotations

# By the report's number. The letters are those of issue V's items.
NOT_YET = {
    "tt-metal#42974": "V.5: M7 knows no posted writes; tt-metal's watcher does",
    "tt-metal#43584": "V.1: a fault says the address of a request, not what has written it",
    "tt-llk#1282": "V.4: the counter is the fifth line under the packed datum",
}
