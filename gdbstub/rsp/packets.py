# SPDX-License-Identifier: Apache-2.0
"""Every packet that is understood, one class each: its form, its fields, what it is for.

The classes are the index of the protocol: a handler in `gdbstub.commands` names the class that it
handles. Spellings are those of the GDB manual, appendix Remote Protocol. `parse` finds the class of
a payload; `gdbstub.rsp.table` prints them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

from gdbstub.rsp.grammar import Pattern, ThreadId

T = TypeVar("T")

PATTERNS: dict[type, Pattern] = {}


@dataclass_transform(frozen_default=True)
def packet(form: str) -> Callable[[type[T]], type[T]]:
    """Declare a class as the packet of this form; its annotations have to be the form's fields."""

    def declare(cls: type[T]) -> type[T]:
        made: type[T] = dataclass(frozen=True, slots=True)(cls)
        pattern = Pattern(form)
        fields = list(getattr(cls, "__annotations__", {}))
        if fields != pattern.fields:
            raise TypeError(f"{cls.__name__} has {fields}, its form {pattern.fields}")
        PATTERNS[made] = pattern
        return made

    return declare


class Malformed(Exception):
    """The packet is one we know, but its fields are not what they have to be."""


_by_first: dict[int, list[tuple[bytes, Pattern, type]]] = {}


def _index() -> dict[int, list[tuple[bytes, Pattern, type]]]:
    """Patterns by the first byte of their prefix, longest prefix first."""
    if not _by_first:
        for cls, pattern in PATTERNS.items():
            _by_first.setdefault(pattern.prefix[0], []).append((pattern.prefix, pattern, cls))
        for rows in _by_first.values():
            rows.sort(key=lambda row: -len(row[0]))
    return _by_first


def parse(payload: bytes) -> Any:
    """The packet in `payload`; None if nobody knows it, Malformed if only its fields are wrong.

    One letter is not enough to know a packet by: `qXyz` is unknown, `mXyz` is a bad `m`. Names that
    begin with q, Q or v go as far as their first separator.
    """
    known = False
    for prefix, pattern, cls in _index().get(payload[0] if payload else -1, ()):
        if not payload.startswith(prefix):
            continue
        fields = pattern.parse(payload)
        if fields is not None:
            return cls(**fields)
        known = known or len(prefix) > 1 or payload[:1] not in b"qQv"
    if known and _is_whole_name(payload):
        raise Malformed(payload[:32].decode("ascii", "replace"))
    return None


def _is_whole_name(payload: bytes) -> bool:
    """Does the payload's name end where a known name does (`qC` is known, `qCode` is not)?"""
    if payload[:1] not in b"qQv":
        return True
    name = payload
    for separator in b":;,":
        name = name.split(bytes((separator,)), 1)[0]
    return any(
        name == prefix.rstrip(b":;,") or prefix.startswith(name + b":")
        for prefix, _, _ in _index()[payload[0]]
    )


# Starting, stopping, looking at why


@packet("!")
class Extended:
    """extended mode: the server outlives the program"""


@packet("?")
class WhyStopped:
    """why did the target stop?"""


@packet("c[{addr:hex}]")
class Continue:
    """go on"""

    addr: int | None


@packet("C{signal:hex}[;{addr:hex}]")
class ContinueSignal:
    """go on; a signal means nothing to a hart"""

    signal: int
    addr: int | None


@packet("s[{addr:hex}]")
class Step:
    """execute one instruction of the current thread"""

    addr: int | None


@packet("S{signal:hex}[;{addr:hex}]")
class StepSignal:
    """the same; a signal means nothing to a hart"""

    signal: int
    addr: int | None


@packet("vCont?")
class VContQuery:
    """which actions does vCont know?"""


@packet("vCont;{actions:text}")
class VCont:
    """go on, step or hold, thread by thread"""

    actions: str


@packet("vCtrlC")
class VCtrlC:
    """interrupt"""


@packet("D[;{pid:hex}]")
class Detach:
    """leave; the tile goes on if nobody else is there to hold it"""

    pid: int | None


@packet("k")
class Kill:
    """leave; the tile is reset and the server stays"""


@packet("vKill;{pid:hex}")
class VKill:
    """the same, answered"""

    pid: int


@packet("R{ignored:text}")
class Restart:
    """reset the tile (extended mode)"""

    ignored: str


@packet("vAttach;{pid:hex}")
class VAttach:
    """attach to the tile (extended mode)"""

    pid: int


@packet("vRun;{program:text}")
class VRun:
    """reset the tile and stop at the entry (extended mode)"""

    program: str


# Registers and memory


@packet("g")
class ReadRegisters:
    """read x0 to x31 and the pc"""


@packet("G{data:bytes}")
class WriteRegisters:
    """write them"""

    data: bytes


@packet("p{number:hex}")
class ReadRegister:
    """read one register"""

    number: int


@packet("P{number:hex}={data:bytes}")
class WriteRegister:
    """write one register"""

    number: int
    data: bytes


@packet("m{addr:hex},{length:hex}")
class ReadMemory:
    """read memory; the answer is in hex"""

    addr: int
    length: int


@packet("M{addr:hex},{length:hex}:{data:bytes}")
class WriteMemory:
    """write memory given in hex"""

    addr: int
    length: int
    data: bytes


@packet("x{addr:hex},{length:hex}")
class ReadBinary:
    """read memory; the answer is binary"""

    addr: int
    length: int


@packet("X{addr:hex},{length:hex}:{data:binary}")
class WriteBinary:
    """write memory given in binary"""

    addr: int
    length: int
    data: bytes


@packet("qCRC:{addr:hex},{length:hex}")
class Crc:
    """checksum of memory, for `compare-sections`"""

    addr: int
    length: int


@packet("qSearch:memory:{addr:hex};{length:hex};{pattern:binary}")
class SearchMemory:
    """`find`"""

    addr: int
    length: int
    pattern: bytes


# Breakpoints


@packet("Z{type:digit},{addr:hex},{kind:hex}[;{rest:text}]")
class InsertBreak:
    """set a breakpoint (0, 1) or a watchpoint (2 write, 3 read, 4 access)"""

    type: int
    addr: int
    kind: int
    rest: str | None


@packet("z{type:digit},{addr:hex},{kind:hex}")
class RemoveBreak:
    """remove it"""

    type: int
    addr: int
    kind: int


# Threads


@packet("H{operation:char}{thread:thread}")
class SetThread:
    """choose the thread that later packets are about"""

    operation: str
    thread: ThreadId


@packet("T{thread:thread}")
class ThreadAlive:
    """does this thread exist?"""

    thread: ThreadId


@packet("qC")
class CurrentThread:
    """which thread is current?"""


@packet("qfThreadInfo")
class FirstThreads:
    """list the threads"""


@packet("qsThreadInfo")
class MoreThreads:
    """list the rest of them"""


@packet("qThreadExtraInfo,{thread:thread}")
class ThreadExtra:
    """what `info threads` says of a thread"""

    thread: ThreadId


# The rest


@packet("qSupported[:{features:text}]")
class Supported:
    """exchange of features"""

    features: str | None


@packet("QStartNoAckMode")
class StartNoAckMode:
    """leave out + and -"""


@packet("qAttached[:{pid:hex}]")
class Attached:
    """did the server find the program running?"""

    pid: int | None


@packet("qXfer:{object:word}:read:{annex:word}:{offset:hex},{length:hex}")
class ReadObject:
    """read a part of a document"""

    object: str
    annex: str
    offset: int
    length: int


@packet("qRcmd,{command:bytes}")
class MonitorCommand:
    """`monitor`"""

    command: bytes


@packet("qSymbol:{rest:text}")
class Symbols:
    """an offer to look symbols up; none are needed"""

    rest: str


@packet("qOffsets")
class Offsets:
    """where sections were moved to: they were not"""


@packet("QThreadEvents:{on:digit}")
class ThreadEvents:
    """report threads that start or end: harts do neither"""

    on: int


@packet("vMustReplyEmpty")
class VMustReplyEmpty:
    """a check that unknown v packets get an empty reply"""
