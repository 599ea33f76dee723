# SPDX-License-Identifier: Apache-2.0
"""A GDB session with the Vector Unit: a break in a loop, its lanes, one of them changed.

`python -m scripts.examples.tensix.lanes` types it into a real GDB and puts what it shows between
the marks in the manual.
"""

from __future__ import annotations

from scripts.examples.tensix.sessions import FOLDER, Session, SessionPage
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

SOURCE = (FOLDER / "lanes.c").read_text("utf-8").splitlines()
NEGATE = next(n for n, line in enumerate(SOURCE, 1) if line == "    SFPMULI_L0(MINUS_1);")

LANES = Session(
    "lanes",
    {"T1": ()},
    "",
    (
        f"tensix-break lanes.c:{NEGATE}",
        "continue",
        "monitor vector 0",
        "print/x $lanes.is.enabled",
        "print $lreg0.f[3]",
        "set $lreg0.f[3] = -100",
        "monitor delete all",
        "monitor watch lreg 0.3",
        "continue",
        "print $lreg0.f[3]",
        "monitor delete all",
        "continue",
        "monitor dst 0-1 --format fp32",
    ),
    (
        "SFPMULI imm16=0xbf80, vd=L0 at its gate",
        "= 0x3ff",
        "changed from 0xc2c80000 to 0x42c80000 by SFPMULI",
        "= 100",
    ),
)
PAGE = SessionPage(
    LANES, Generated("lanes", "python -m scripts.examples.tensix.lanes", MANUAL / "lanes.md")
)

if __name__ == "__main__":
    PAGE.write()
