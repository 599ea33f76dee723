# SPDX-License-Identifier: Apache-2.0
"""Remember which stop was reported at each hart's pc, so that resuming steps over it exactly once.

A stop comes before the instruction. When the hart resumes, that instruction does not stop for what
was reported (`debug.step_over` in the record, which it clears); when the hart comes back, it stops
again.
"""

from __future__ import annotations

from collections.abc import Iterable

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.debug.armed import STEP_OVER_BREAK, STEP_OVER_PAUSE, STEP_OVER_WATCH
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK, update_issuing
from tensix_gdb.core.stop import StopKind

_BIT = {
    StopKind.BREAK: STEP_OVER_BREAK,
    StopKind.WATCH: STEP_OVER_WATCH,
    StopKind.EBREAK: STEP_OVER_PAUSE,
    StopKind.ECALL: STEP_OVER_PAUSE,
}

_NOTHING = [(0, 0)] * HARTS


class StepOver:
    """Of each hart the pc and what was reported there."""

    def __init__(self, S: View) -> None:
        self._S = S
        self._reported: list[tuple[int, int]] = _NOTHING.copy()
        # Harts that step over something in their next instruction, after which the row is 0.
        self._pending: set[int] = set()
        self._paused = S.hart.paused.raw

    def clear(self) -> None:
        """The tile has another state: nothing was reported in it."""
        self._reported = _NOTHING.copy()

    def forget_hart(self, hart: int) -> None:
        """The hart starts over."""
        self._reported[hart] = (0, 0)

    def note(self, hart: int, pc: int, kind: StopKind) -> None:
        """A stop is reported."""
        if kind in _BIT:
            self._forget_if_done(hart)
            at, bits = self._reported[hart]
            self._reported[hart] = (pc, _BIT[kind] | (bits if at == pc else 0))

    def disarm(self) -> None:
        """Forget which harts step over something."""
        if self._pending:
            for hart in tuple(self._pending):
                self._forget_if_done(hart)
            self._pending.clear()

    def _forget_if_done(self, hart: int) -> None:
        """Report what an instruction has stepped over again when the hart comes back to it."""
        if hart in self._pending and not self._S.debug.step_over[hart]:
            self._reported[hart] = (0, 0)
            self._pending.discard(hart)

    def resume_all(self, harts: Iterable[int]) -> None:
        """Resume each of these harts. A debugger does this at each step, and nearly always there is
        nothing to do."""
        if self._pending or any(self._paused) or self._reported != _NOTHING:
            for hart in harts:
                self.resume_from(hart)

    def resume_from(self, hart: int) -> None:
        """Let the next instruction of `hart` step over what was reported at its pc already.

        A hart paused at an ebreak or ecall resumes after it; one that is paused by the debug
        interface stays so.
        """
        S = self._S
        if self._reported[hart] == (0, 0) and hart not in self._pending and not self._paused[hart]:
            return
        self._forget_if_done(hart)
        pc, bits = self._reported[hart]
        if pc != S.hart.pc[hart]:
            self._reported[hart], bits = (0, 0), 0
        if S.hart.paused[hart] == PAUSED_AT_EBREAK:
            S.hart.paused[hart] = 0
            update_issuing(S, hart)
            bits |= STEP_OVER_PAUSE
        S.debug.step_over[hart] = bits
        if bits:
            self._pending.add(hart)
        else:
            self._pending.discard(hart)
