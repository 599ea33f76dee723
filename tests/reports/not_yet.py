# SPDX-License-Identifier: Apache-2.0
"""The reports that are not answered yet, and why: the test fails as soon as one is."""

from __future__ import annotations

# By the report's number. The letters are those of issue V's items.
NOT_YET = {
    "tt-metal#50973": "V.7: the remedy is that of a store before a request, not a barrier",
    "tt-metal#42974": "V.5: M7 knows no posted writes; tt-metal's watcher does",
    "tt-metal#43584": "V.1: a fault says the address of a request, not what has written it",
    "tt-metal#43027": "V.7: the remedy takes the store, processed first, for the earlier one",
    "tt-metal#46176": "V.7: the same, of a load after the push; and a field of T1 comes first",
    "tt-metal#55664": "V.7: a mailbox after a STALLWAIT counts as sent after what it holds",
    "tt-metal#53504": "V.7: four races of the one cause come before S8, which has its remedy",
    "tt-llk#1282": "V.4: the counter is the fifth line under the packed datum",
}
