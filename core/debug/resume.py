# SPDX-License-Identifier: Apache-2.0
"""What was reported at a hart's pc, so that going on passes it once and no second time.

A stop comes before the instruction. When the hart goes on, that instruction passes what it was
stopped for (`debug.passing` in the record, which it clears); when the hart comes back, it stops
again.
"""

from __future__ import annotations

from collections.abc import Iterable

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.debug.armed import PASS_BREAK, PASS_PAUSE, PASS_WATCH
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK, update_issuing
from tensix_gdb.core.stop import StopKind

_PASS = {
    StopKind.BREAK: PASS_BREAK,
    StopKind.WATCH: PASS_WATCH,
    StopKind.EBREAK: PASS_PAUSE,
    StopKind.ECALL: PASS_PAUSE,
}


_NOTHING = [(0, 0)] * HARTS


class Passing:
    """Of each hart the pc and what was reported there."""

    def __init__(self, S: View) -> None:
        self._S = S
        self._reported: list[tuple[int, int]] = _NOTHING.copy()
        # Harts whose next instruction was let pass something; when it has, the row is 0 again.
        self._may_pass: set[int] = set()
        self._paused = S.hart.paused.raw

    def clear(self) -> None:
        """The tile has another state: nothing was reported in it."""
        self._reported = _NOTHING.copy()

    def forget(self, hart: int) -> None:
        """The hart begins anew."""
        self._reported[hart] = (0, 0)

    def note(self, hart: int, pc: int, kind: StopKind) -> None:
        """A stop is reported."""
        if kind in _PASS:
            self._forget_if_passed(hart)
            at, passed = self._reported[hart]
            self._reported[hart] = (pc, _PASS[kind] | (passed if at == pc else 0))

    def disarm(self) -> None:
        """Forget what may be passed."""
        if self._may_pass:
            for hart in tuple(self._may_pass):
                self._forget_if_passed(hart)
            self._may_pass.clear()

    def _forget_if_passed(self, hart: int) -> None:
        """What an instruction has passed is reported again when the hart comes back to it."""
        if hart in self._may_pass and not self._S.debug.passing[hart]:
            self._reported[hart] = (0, 0)
            self._may_pass.discard(hart)

    def resume_all(self, harts: Iterable[int]) -> None:
        """The same for each of these. Nearly always there is nothing to do, and a debugger does
        this at each step."""
        if self._may_pass or any(self._paused) or self._reported != _NOTHING:
            for hart in harts:
                self.resume_from(hart)

    def resume_from(self, hart: int) -> None:
        """Let the next instruction of `hart` pass what was reported at its pc already."""
        S = self._S
        if self._reported[hart] == (0, 0) and hart not in self._may_pass and not self._paused[hart]:
            return
        self._forget_if_passed(hart)
        pc, passed = self._reported[hart]
        if pc != S.hart.pc[hart]:
            self._reported[hart], passed = (0, 0), 0
        if S.hart.paused[hart] == PAUSED_AT_EBREAK:
            S.hart.paused[hart] = 0
            update_issuing(S, hart)
            passed |= PASS_PAUSE
        S.debug.passing[hart] = passed
        if passed:
            self._may_pass.add(hart)
        else:
            self._may_pass.discard(hart)
