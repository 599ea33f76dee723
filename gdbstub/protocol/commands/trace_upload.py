# SPDX-License-Identifier: Apache-2.0
"""The upload of a client's tracing, for `tsave`: definitions, what was typed, raw frames."""

from __future__ import annotations

import re

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import BREAKPOINTS
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.rsp.grammar import number
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import tracing as packets
from tensix_gdb.gdbstub.protocol.target import Breakpoints, TargetError
from tensix_gdb.gdbstub.protocol.tracepoints import trace_file

KIND = re.compile(r"[a-z_]{1,20}")  # at, cond, cmd, cmd_str
MAX_SOURCES = 1000  # of one tracepoint
NO_MORE = b"l"


def source(client: Client, target: Breakpoints, packet: packets.TracepointSource) -> bytes:
    """`NUMBER:ADDR:KIND:START:LENGTH:BYTES`: a piece of what was typed."""
    try:
        which, addr, kind, start, length, data = packet.source.split(":")
        place = number(which), number(addr)
        if not KIND.fullmatch(kind):
            raise ValueError(kind)
        typed = kind, number(start), number(length), bytes.fromhex(data).hex()
    except ValueError:
        raise Malformed("a source is not of the form NUMBER:ADDR:KIND:START:LENGTH:BYTES") from None
    tracepoint = client.trace.find(*place)
    if len(tracepoint.sources) >= MAX_SOURCES:
        raise TargetError(f"a tracepoint has no more than {MAX_SOURCES} lines")
    client.trace.make_room(len(data))
    tracepoint.sources.append(typed)
    return replies.OK


def first(client: Client, target: Breakpoints, packet: packets.TraceUpload) -> bytes:
    if packet.what == "P":
        client.trace.upload = trace_file.definitions(client.trace)
    elif packet.what == "V":
        client.trace.upload = trace_file.variables(client.trace)
    else:
        return replies.EMPTY
    return _next(client)


def more(client: Client, target: Breakpoints, packet: packets.TraceUploadMore) -> bytes:
    return _next(client) if packet.what in "PV" else replies.EMPTY


def _next(client: Client) -> bytes:
    return client.trace.upload.pop(0) if client.trace.upload else NO_MORE


def raw(client: Client, target: Breakpoints, packet: packets.RawTrace) -> bytes:
    data = trace_file.raw(client.trace.frames)
    length = min(packet.length, PACKET_SIZE // 2 - 1)
    return data[packet.offset : packet.offset + length].hex().encode("ascii") or NO_MORE


def save(client: Client, target: Breakpoints, packet: packets.SaveTrace) -> bytes:
    raise TargetError("the server writes no trace files; type `tsave` without -r")


HANDLERS = (
    BREAKPOINTS.handles(packets.TracepointSource, source),
    BREAKPOINTS.handles(packets.TraceUpload, first),
    BREAKPOINTS.handles(packets.TraceUploadMore, more),
    BREAKPOINTS.handles(packets.RawTrace, raw),
    BREAKPOINTS.handles(packets.SaveTrace, save),
)
