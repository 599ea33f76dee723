# SPDX-License-Identifier: Apache-2.0
"""Answering semihosting calls, and giving the same answers again.

A call stops the run before its ebreak (core/riscv/semihosting.py). Its answer is a plain value:
what a0 becomes, and which bytes change in memory. While a client may want to go back, answers are
kept by the number of the call; a call that is made again in the past gets its old answer, and the
host does nothing a second time. A run that leaves the past gets new ones from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug import registers
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK, update_issuing
from tensix_gdb.core.riscv.semihosting import A0
from tensix_gdb.core.semihosting.answering import ANSWERS
from tensix_gdb.core.semihosting.asked import Answer, Asked
from tensix_gdb.core.semihosting.console import Console
from tensix_gdb.core.semihosting.files import Files, Table
from tensix_gdb.core.semihosting.folder import Folder
from tensix_gdb.core.semihosting.operations import Errno, Op, Refused
from tensix_gdb.core.stop import StopKind

FAILED = -1


@dataclass(frozen=True, slots=True)
class HostState:
    """The host's knowledge of the program, between two calls."""

    errno: int
    files: Table


class Calls:
    """Answers the calls of one tile: the console, files below `folder`, time by its cycles.

    `arguments` are those of the program, for SYS_GET_CMDLINE.
    """

    def __init__(
        self, console: Console, folder: Path | None = None, arguments: Sequence[str] = ()
    ) -> None:
        self.folder = Folder(folder)
        self.files = Files(self.folder, console)
        self.console = console
        self.arguments = tuple(arguments)
        self.errno = 0
        self.elsewhere: Callable[[Asked], bool] = lambda asked: False
        self._kept: dict[int, tuple[Answer, HostState]] | None = None
        self._first = HostState(0, self.files.table())

    def close(self) -> None:
        """Give back what is open."""
        self.files.close_all()
        self.folder.close()

    # Answers of the past

    def keep_answers(self, on: bool) -> None:
        """Keep the answers from now on, for going back; or forget them."""
        self._kept = {} if on else None
        self._first = self._state()

    def restart_program(self) -> None:
        """The tile starts over, and so does the program."""
        if self._kept is not None:
            self._kept.clear()
        self.errno = 0
        self.files.close_all()
        self._first = self._state()

    def fork(self, calls: int) -> None:
        """The future is another one from here, after so many calls."""
        if self._kept is None or calls not in self._kept:
            return
        for number in [number for number in self._kept if number >= calls]:
            del self._kept[number]
        before = self._kept.get(calls - 1)
        state = self._first if before is None else before[1]
        self.errno = state.errno
        self.files.go_back(state.files)

    def _state(self) -> HostState:
        return HostState(self.errno, self.files.table())

    # The call that the run has stopped at

    def serve(self, asked: Asked) -> bool:
        """Answer it. True when the run may continue; False when it is over (the stop says why), or
        when the answer has to come from elsewhere."""
        number = asked.S.semihosting.calls
        if self._kept is not None and number in self._kept:
            return self._give(asked, self._kept[number][0])
        if self.elsewhere(asked):
            return False
        answer = self._answer(asked)
        return answer is not None and self.done(asked, answer)

    def done(self, asked: Asked, answer: Answer) -> bool:
        """Give a new answer, and keep it; True when the run may continue."""
        self.errno = answer.errno or self.errno
        if self._kept is not None:
            self._kept[asked.S.semihosting.calls] = answer, self._state()
        return self._give(asked, answer)

    def _give(self, asked: Asked, answer: Answer) -> bool:
        S, hart = asked.S, asked.hart
        for addr, data in answer.writes:
            asked.poke(addr, data)
        S.semihosting.calls += 1
        if answer.exit is not None:
            return self._exit(S, hart, answer.exit)
        registers.write_x(S, hart, A0, answer.result)
        S.semihosting.answered[hart] = 1
        S.stop.kind = StopKind.NONE
        return True

    def _exit(self, S: View, hart: int, status: int) -> bool:
        """Pause a hart at the end of its program. The others continue, unless it failed."""
        S.semihosting.exited[hart] = 1 + status
        S.hart.paused[hart] = PAUSED_AT_EBREAK
        update_issuing(S, hart)
        S.stop.kind = StopKind.NONE if status == 0 and S.tile.issuing else StopKind.EXIT
        S.stop.code = status
        return S.stop.kind == StopKind.NONE

    def _answer(self, asked: Asked) -> Answer | None:
        """Return the host's answer; None when it has to wait."""
        try:
            answering = ANSWERS.get(asked.operation)
            if answering is None:
                raise Refused(Errno.ENOSYS)
            return answering(self, asked)
        except Refused as refused:
            # These two answer with the number itself.
            itself = asked.operation in (Op.SYS_REMOVE, Op.SYS_RENAME)
            return Answer(int(refused.errno) if itself else FAILED, errno=refused.errno)


def exits(S: View) -> Iterator[tuple[int, int]]:
    """Yield the harts with programs that have ended, and the status of each."""
    for hart in range(HARTS):
        ended = S.semihosting.exited[hart]
        if ended:
            yield hart, int(ended) - 1
