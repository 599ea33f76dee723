# SPDX-License-Identifier: Apache-2.0
"""The packet log: what clients sent and got, readable, and enough to do it again.

    # a comment
    schedule sc
    arch blackhole
    processes                         each hart was a process (left out otherwise)
    no-stop-at-end                    the end of a program was no stop (left out otherwise)
    elf HART SHA256 PATH              what was loaded, in order
    SECONDS @CLOCK CLIENT MARK PAYLOAD

SECONDS is since the server started, CLOCK how far the target had run. The marks are those of
`Mark`; bytes that are not plain ASCII are `\\xNN`, and so is the backslash. Acks and framing are
left out. `gdbstub.cli.packets.player` plays such a log against a fresh target.
"""

from __future__ import annotations

import enum
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import TextIO

from tensix_gdb.core.dataclass import dataclass

log = logging.getLogger(__name__)
_ARCHS = (BLACKHOLE, WORMHOLE) = ("blackhole", "wormhole")

_PLAIN = re.compile(rb"[^\x20-\x5b\x5d-\x7e]")
_CODED = re.compile(rb"\\x([0-9a-f]{2})")


class Mark(enum.Enum):
    """An event of a client."""

    CONNECTED = "connected"
    CAME = "->"
    WENT = "<-"
    INTERRUPT = "^C"
    DAMAGED = "damaged"
    TOO_LONG = "too-long"
    GONE = "gone"


class LogError(Exception):
    """This is not a packet log; one sentence that names the line."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that was loaded when the log was made."""

    hart: str
    digest: str
    path: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line about a client."""

    number: int
    clock: int
    client: str
    mark: Mark
    payload: bytes


def shown(payload: bytes) -> str:
    """Return bytes as text of one line."""
    return _PLAIN.sub(lambda match: b"\\x%02x" % match[0][0], payload).decode("ascii")


def bytes_of(text: str) -> bytes:
    """Undo `shown`."""
    return _CODED.sub(lambda match: bytes((int(match[1], 16),)), text.encode("latin-1", "replace"))


class PacketLog:
    """Writes a log. A file that cannot be written any more ends the log and nothing else."""

    def __init__(
        self,
        file: TextIO,
        clock: Callable[[], int],
        schedule: str,
        programs: Sequence[Program],
        arch: str = BLACKHOLE,
        *,
        processes: bool = False,
        stop_at_end: bool = True,
    ) -> None:
        self._file: TextIO | None = file
        self._clock = clock
        self._start = perf_counter()
        self._write("# tensix-gdb packet log; `tensix-gdb replay` plays it against a fresh tile\n")
        self._write(f"schedule {schedule}\n")
        self._write(f"arch {arch}\n")
        if processes:
            self._write("processes\n")
        if not stop_at_end:
            self._write("no-stop-at-end\n")
        for program in programs:
            path = shown(program.path.encode("utf-8", "surrogateescape"))
            self._write(f"elf {program.hart} {program.digest} {path}\n")

    def note(self, client: str, mark: Mark, payload: bytes = b"") -> None:
        """Write one line."""
        if self._file is not None:
            head = f"{perf_counter() - self._start:.6f} @{self._clock()} {client} {mark.value}"
            self._write(f"{head} {shown(payload)}".rstrip(" ") + "\n")

    def _write(self, text: str) -> None:
        self._do(lambda file: file.write(text))

    def flush(self) -> None:
        """Let others see what was written."""
        self._do(lambda file: file.flush())

    def close(self) -> None:
        """End the log."""
        self._do(lambda file: file.close())
        self._file = None

    def _do(self, work: Callable[[TextIO], object]) -> None:
        if self._file is None:
            return
        try:
            work(self._file)
        except OSError as problem:
            self._file = None
            log.warning("the packet log ends here: %s", problem.strerror or problem)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A log that was read."""

    schedule: str
    programs: tuple[Program, ...]
    entries: tuple[Entry, ...]
    arch: str = BLACKHOLE
    processes: bool = False
    stop_at_end: bool = True


def read_log(lines: Iterator[str]) -> Recorded:
    """Read a log; LogError when it is none."""
    schedule, programs, entries = "sc", list[Program](), list[Entry]()
    arch, processes, stop_at_end = BLACKHOLE, False, True
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\n")
        if not text or text.startswith("#"):
            continue
        word, _, rest = text.partition(" ")
        try:
            if word == "schedule":
                schedule = rest
            elif word == "arch":
                arch = _ARCHS[_ARCHS.index(rest)]
            elif text == "processes":
                processes = True
            elif text == "no-stop-at-end":
                stop_at_end = False
            elif word == "elf":
                hart, digest, path = rest.split(" ", 2)
                decoded = bytes_of(path).decode("utf-8", "surrogateescape")
                programs.append(Program(hart, digest, decoded))
            else:
                entries.append(_entry(number, text))
        except ValueError:
            shown = text[:60] if text.isprintable() else "it is no text"
            what = "a packet log" if number > 1 else "a packet log, and it is no recording"
            raise LogError(f"line {number} is not one of {what}: {shown}") from None
    return Recorded(schedule, tuple(programs), tuple(entries), arch, processes, stop_at_end)


def _entry(number: int, text: str) -> Entry:
    """ValueError when it is none."""
    seconds, clock, client, mark, *payload = text.split(" ", 4)
    float(seconds)
    if clock[:1] != "@":
        raise ValueError(clock)
    return Entry(number, int(clock[1:]), client, Mark(mark), bytes_of("".join(payload)))
