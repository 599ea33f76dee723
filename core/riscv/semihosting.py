# SPDX-License-Identifier: Apache-2.0
"""Semihosting calls: how a program asks the host for something, and how it gets its answer.

    slli x0, x0, 0x1f      a0 = which operation, a1 = its argument
    ebreak                 <- here the call is made
    srai x0, x0, 7         a0 = the answer

That is the sequence of riscv-semihosting-spec.adoc: three words, all in one page of 4 KiB. The run
stops before the ebreak, when all earlier accesses of the hart are processed. The host that serves
the call (core/semihosting) writes a0 and `answered`, and the hart resumes after the ebreak. Nothing
else of the host gets into the record, so the same answers repeat the execution.
"""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stop import StopKind, stop

COLD = True  # little time of LLVM for it (core/engine/README.md)

ENTRY_WORD = 0x01F01013  # slli x0, x0, 0x1f
EXIT_WORD = 0x40705013  # srai x0, x0, 7
PAGE_SHIFT = 12
A0, A1 = 10, 11

SEMIHOSTING = Part(
    "semihosting",
    (
        row("served", "u8", (), Tag.ARCHITECTURAL, "a host answers calls"),
        row("answered", "u8", HARTS, Tag.ARCHITECTURAL, "the hart's call has its answer in a0"),
        row("calls", "i64", (), Tag.MONOTONE, "calls that were answered"),
        row("exited", "i64", HARTS, Tag.ARCHITECTURAL, "1 + the status with which it has exited"),
    ),
chapter=Chapter.HARTS)  # fmt: skip


def is_call(S: View, pc: int) -> int:
    """True if the ebreak at `pc` is the middle of the sequence."""
    if pc < 4 or pc + 4 >= L1_BYTES or (pc - 4) >> PAGE_SHIFT != (pc + 4) >> PAGE_SHIFT:
        return 0
    return (
        1 if S.l1.word[(pc - 4) >> 2] == ENTRY_WORD and S.l1.word[(pc + 4) >> 2] == EXIT_WORD else 0
    )


def call(S: View, hart: int, pc: int) -> int:
    """Ask for the answer, or continue with it."""
    if S.semihosting.answered[hart]:
        S.semihosting.answered[hart] = 0
        return pc + 4
    return stop(S, hart, StopKind.CALL, S.hart.x[hart, A0], S.hart.x[hart, A1])
