# SPDX-License-Identifier: Apache-2.0
"""Answering semihosting calls, and giving the same answers again.

A call stops the run before its ebreak (core/riscv/semihosting.py). Its answer is a plain value:
what a0 becomes, and which bytes change in memory. While a client may want to go back, answers are
kept by the number of the call; a call that is made again in the past gets its old answer, and the
host does nothing a second time. A run that leaves the past gets new ones from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.debug import registers
from tensix_gdb.core.debug.memory import Access, MemoryFault
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK, update_issuing
from tensix_gdb.core.riscv.semihosting import A0
from tensix_gdb.core.semihosting.console import Console
from tensix_gdb.core.semihosting.files import Files, Table
from tensix_gdb.core.semihosting.folder import Folder
from tensix_gdb.core.semihosting.operations import Errno, Op, Refused
from tensix_gdb.core.stop import StopKind

FAILED = -1


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call changes on the tile: a0, bytes in memory; or with which status the hart ends.
    `errno` is what SYS_ERRNO answers from then on, unless it is 0."""

    result: int = 0
    writes: tuple[tuple[int, bytes], ...] = ()
    exit: int | None = None
    errno: int = 0


@dataclass(frozen=True, slots=True)
class HostState:
    """What the host knows of the program, between two calls."""

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

    def keep(self, on: bool) -> None:
        """Keep the answers from now on, for going back; or forget them."""
        self._kept = {} if on else None
        self._first = self._state()

    def begin(self) -> None:
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
        """Answer it. True when the run may go on; False when it is over (the stop says why), or
        when the answer has to come from elsewhere."""
        number = asked.S.semihosting.calls
        if self._kept is not None and number in self._kept:
            return self._give(asked, self._kept[number][0])
        if self.elsewhere(asked):
            return False
        answer = self._answer(asked)
        return answer is not None and self.done(asked, answer)

    def done(self, asked: Asked, answer: Answer) -> bool:
        """Give a new answer, and keep it; True when the run may go on."""
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
        """The program of a hart has ended: the hart pauses. The others go on, unless it failed."""
        S.semihosting.exited[hart] = 1 + status
        S.hart.paused[hart] = PAUSED_AT_EBREAK
        update_issuing(S, hart)
        S.stop.kind = StopKind.NONE if status == 0 and S.tile.issuing else StopKind.EXIT
        S.stop.code = status
        return S.stop.kind == StopKind.NONE

    def _answer(self, asked: Asked) -> Answer | None:
        """What the host answers; None when that has to wait."""
        from tensix_gdb.core.semihosting.answering import ANSWERS

        try:
            answering = ANSWERS.get(asked.operation)
            if answering is None:
                raise Refused(Errno.ENOSYS)
            return answering(self, asked)
        except Refused as refused:
            # These two answer with the number itself.
            itself = asked.operation in (Op.SYS_REMOVE, Op.SYS_RENAME)
            return Answer(int(refused.errno) if itself else FAILED, errno=refused.errno)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call, what its argument points to, and the files that were loaded into the tile."""

    S: View
    access: Access
    images: Sequence[Image]
    hart: int
    operation: int
    argument: int

    @staticmethod
    def now(S: View, access: Access, images: Sequence[Image]) -> Asked:
        """The call that the run has stopped at."""
        return Asked(S, access, images, S.stop.hart, S.stop.a, S.stop.b)

    def poke(self, addr: int, data: bytes) -> None:
        """Write memory as the hart sees it."""
        registers.poke(self.S, self.access, self.hart, addr, data)

    def fields(self, count: int) -> list[int]:
        """The words of the argument block."""
        data = self.memory(self.argument, 4 * count)
        return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]

    def memory(self, addr: int, length: int) -> bytes:
        """Bytes as the hart sees them; Refused when there is no such memory."""
        with _faults_refused():
            data = self.access.peek(self.hart, addr, length) if length else b""
            if len(data) < length:
                raise Refused(Errno.EFAULT)
            return data

    def string(self, addr: int) -> bytes:
        """The bytes up to the NUL."""
        content = bytearray()
        for chunk in self._chunks(addr):
            text, end, _ = chunk.partition(b"\0")
            content += text
            if end:
                return bytes(content)
        raise Refused(Errno.EFAULT)

    def _chunks(self, addr: int) -> Iterator[bytes]:
        while True:
            length = STRING_CHUNK_BYTES - addr % STRING_CHUNK_BYTES
            with _faults_refused():
                data = self.access.peek(self.hart, addr, length)
            yield data
            if len(data) < length:
                return
            addr += length

    def name(self, addr: int, length: int) -> str:
        """The name of a file."""
        if length > MAX_NAME:
            raise Refused(Errno.ENAMETOOLONG)
        return self.memory(addr, length).decode("utf-8", "surrogateescape")

    def can_be_written(self, addr: int, length: int) -> None:
        """Refused unless all of it is L1, or all of it the hart's local RAM."""
        last = addr + max(length, 1) - 1
        local = local_offset(self.hart, addr) >= 0 and local_offset(self.hart, last) >= 0
        if last >= L1_BYTES and not local:
            raise Refused(Errno.EFAULT)


STRING_CHUNK_BYTES = 256
MAX_NAME = 1024


@contextmanager
def _faults_refused() -> Iterator[None]:
    try:
        yield
    except MemoryFault:
        raise Refused(Errno.EFAULT) from None


def exits(S: View) -> Iterator[tuple[int, int]]:
    """The harts with programs that have ended, and the status of each."""
    for hart in range(HARTS):
        ended = S.semihosting.exited[hart]
        if ended:
            yield hart, int(ended) - 1
