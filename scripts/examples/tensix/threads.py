# SPDX-License-Identifier: Apache-2.0
"""A GDB session with a Tensix thread: a break at its gate by line, steps, registers, a watch.

`python -m scripts.examples.tensix.threads` types it into a real GDB and puts what it shows between
the marks in the manual.
"""

from __future__ import annotations

from scripts.examples.tensix.sessions import FOLDER, Session, SessionPage
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

SOURCE = (FOLDER / "mop.c").read_text("utf-8").splitlines()
MOP = next(number for number, line in enumerate(SOURCE, 1) if line == "    MOP();")

THREADS = Session(
    "mop",
    {"T1": ()},
    "",
    (
        f"tensix-break mop.c:{MOP} ADDDMAREG nth 5",
        "continue",
        "info threads",
        "print $gpr[5]",
        "stepi",
        "step",
        "step",
        "step",
        "info threads",
        "set $gpr[5] = 1000",
        "set $sem.is.value[1] = 1",
        "monitor watch cfg THCON_SEC0_REG3_Base_address",
        "continue",
        "print $gpr[5]",
        "tensix break",
    ),
    (
        "5th of a MOP, at its gate",
        "held at the gate by SEMWAIT block=ALL sem=S1 wait=C0",
        "changed from 0x0 to 0x3e8 by WRCFG",
    ),
)
PAGE = SessionPage(
    THREADS,
    Generated("threads", "python -m scripts.examples.tensix.threads", MANUAL / "threads.md"),
)

if __name__ == "__main__":
    PAGE.write()
