# SPDX-License-Identifier: Apache-2.0
"""The session of README.md: attach, a breakpoint, a gate, and a proved deadlock.

`python -m scripts.examples.tensix.readme` types it into a real GDB and puts what it shows between
the marks in README.md.
"""

from __future__ import annotations

from scripts.examples.tensix.sessions import ROOT, Session, SessionPage
from tensix_gdb.core.explain.instruction.block import Generated
from tensix_gdb.core.stop import NOTHING_MOVES

HANG = Session(
    "hang",
    {"T1": ("HART=2",), "T2": ("HART=3",)},
    "",
    (
        "tbreak pack",
        "continue",
        "backtrace",
        "tensix-break pack SEMWAIT",
        "continue",
        "tensix delete 1",
        "continue",
        "tensix sem 2",
    ),
    (
        "hit Temporary breakpoint 1, pack () at ./hang.c:",
        "T2 pack has SEMWAIT block=ALL sem=S1 wait=C0 at its gate",
        NOTHING_MOVES,
        "semaphore 1 is 0 until",
    ),
)
PAGE = SessionPage(
    HANG, Generated("session", "python -m scripts.examples.tensix.readme", ROOT / "README.md")
)

if __name__ == "__main__":
    PAGE.write()
