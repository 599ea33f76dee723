# SPDX-License-Identifier: Apache-2.0
"""A GDB session that goes back from a wrong value to the store of another hart that caused it.

`python -m scripts.examples.tensix.back` types it into a real GDB and puts what it shows between
the marks in the manual.
"""

from __future__ import annotations

from scripts.examples.tensix.sessions import Session, SessionPage
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BACK = Session(
    "race",
    {"T0": ("HART=1",), "T1": ("HART=2",)},
    "",
    (
        "break wrong",
        "continue",
        "continue",
        "print sum",
        "watch *(unsigned *)0x16000",
        "reverse-continue",
        "backtrace",
        "reverse-continue",
        "reverse-continue",
    ),
    (
        "Old value = 0\nNew value = 204\n",
        "start () at ./race.c:",
        "publish (sum=sum@entry=204) at ./race.c:",
        "No more reverse-execution history.",
    ),
    options=("--record",),
)
PAGE = SessionPage(
    BACK,
    Generated("back", "python -m scripts.examples.tensix.back", MANUAL / "time-travel.md"),
)

if __name__ == "__main__":
    PAGE.write()
