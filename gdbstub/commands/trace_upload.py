# SPDX-License-Identifier: Apache-2.0
"""The upload of a client's tracing, for `tsave`: definitions, what was typed, raw frames."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.commands.handler import BREAKPOINTS
from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.rsp.grammar import number
from tensix_gdb.gdbstub.rsp.packet import Malformed
from tensix_gdb.gdbstub.rsp.packets import tracing as packets
from tensix_gdb.gdbstub.target import Breakpoints, TargetError
from tensix_gdb.gdbstub.tracepoints import trace_file

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session

KIND = re.compile(r"[a-z_]{1,20}")  # at, cond, cmd, cmd_str
MAX_SOURCES = 1000  # of one tracepoint
NO_MORE = b"l"


def source(session: Session, target: Breakpoints, packet: packets.TracepointSource) -> bytes:
    """`NUMBER:ADDR:KIND:START:LENGTH:BYTES`: a piece of what was typed."""
    try:
        which, addr, kind, start, length, data = packet.source.split(":")
        place = number(which), number(addr)
        if not KIND.fullmatch(kind):
            raise ValueError(kind)
        typed = kind, number(start), number(length), bytes.fromhex(data).hex()
    except ValueError:
        raise Malformed("a source is not of the form NUMBER:ADDR:KIND:START:LENGTH:BYTES") from None
    tracepoint = session.trace.find(*place)
    if len(tracepoint.sources) >= MAX_SOURCES:
        raise TargetError(f"a tracepoint has no more than {MAX_SOURCES} lines")
    session.trace.make_room(len(data))
    tracepoint.sources.append(typed)
    return replies.OK


def first(session: Session, target: Breakpoints, packet: packets.TraceUpload) -> bytes:
    if packet.what == "P":
        session.trace.upload = trace_file.definitions(session.trace)
    elif packet.what == "V":
        session.trace.upload = trace_file.variables(session.trace)
    else:
        return replies.EMPTY
    return _next(session)


def more(session: Session, target: Breakpoints, packet: packets.TraceUploadMore) -> bytes:
    return _next(session) if packet.what in "PV" else replies.EMPTY


def _next(session: Session) -> bytes:
    return session.trace.upload.pop(0) if session.trace.upload else NO_MORE


def raw(session: Session, target: Breakpoints, packet: packets.RawTrace) -> bytes:
    data = trace_file.raw(session.trace.frames)
    length = min(packet.length, PACKET_SIZE // 2 - 1)
    return data[packet.offset : packet.offset + length].hex().encode("ascii") or NO_MORE


def save(session: Session, target: Breakpoints, packet: packets.SaveTrace) -> bytes:
    raise TargetError("the server writes no trace files; type `tsave` without -r")


HANDLERS = (
    BREAKPOINTS.handles(packets.TracepointSource, source),
    BREAKPOINTS.handles(packets.TraceUpload, first),
    BREAKPOINTS.handles(packets.TraceUploadMore, more),
    BREAKPOINTS.handles(packets.RawTrace, raw),
    BREAKPOINTS.handles(packets.SaveTrace, save),
)
