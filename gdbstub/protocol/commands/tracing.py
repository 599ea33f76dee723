# SPDX-License-Identifier: Apache-2.0
"""Tracepoints: QTDP, QTStart, QTFrame and what belongs to them (GDB manual, Tracepoint Packets).

A tracepoint is a breakpoint that never stops: what it collects goes into a frame of the session's
trace buffer, and continuing leaves the execution as it was. `tfind` puts a frame in place of the
target: registers and memory are then what was collected, and nothing else is known.
"""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.breakpoint_actions import expressions
from tensix_gdb.gdbstub.protocol.commands.handler import BREAKPOINTS
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.grammar import mask, number
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import tracing as packets
from tensix_gdb.gdbstub.protocol.target import Breakpoints, TargetError
from tensix_gdb.gdbstub.protocol.tracepoints.frames import Action, Trace, Tracepoint

NO_FRAME = 0xFFFFFFFF
# How a frame may be looked for, and by how many numbers.
NUMBERS = {"number": 1, "pc": 1, "tdp": 1, "range": 2, "outside": 2}
MAX_ACTIONS = 1000  # of one tracepoint


def initialize(client: Client, target: Breakpoints, packet: packets.TraceInit) -> bytes:
    client.trace.clear()
    return replies.OK


def define(client: Client, target: Breakpoints, packet: packets.DefineTracepoint) -> bytes:
    text = packet.definition.removesuffix("-")
    if text.startswith("-"):
        which, addr, actions = _split(text[1:], 3)
        _add_actions(client.trace, client.trace.find(number(which), number(addr)), actions)
        return replies.OK
    which, addr, enabled, step, rest = _split(text, 5)
    pass_count, _, more = rest.partition(":")
    condition: tuple[bytes, ...] = ()
    for part in more.split(":"):
        if part.startswith("X"):
            condition = tuple(expressions(part))
    try:
        stepping, most = number(step), number(pass_count)
    except ValueError:
        raise Malformed("a tracepoint is not of the form NUMBER:ADDR:E:STEP:PASS") from None
    if stepping:
        raise TargetError("tracepoints collect where they are, not while stepping")
    made = Tracepoint(number(which), number(addr), enabled == "E", most, condition)
    client.trace.define(made)
    return replies.OK


def _split(text: str, parts: int) -> list[str]:
    fields = text.split(":", parts - 1)
    try:
        for part in fields[:2]:
            number(part)
    except ValueError:
        raise Malformed("a tracepoint is not of the form NUMBER:ADDR:...") from None
    if len(fields) < parts:
        raise Malformed(f"a tracepoint has {parts} parts, not {len(fields)}")
    return fields


def _add_actions(trace: Trace, tracepoint: Tracepoint, text: str) -> None:
    """`R` and a mask, `M` base, offset and length, `X` and an expression; one after the other."""
    at = 0
    while at < len(text):
        letter, end = text[at], at + 1
        while end < len(text) and text[end] not in "RMXS":
            end += 1
        body = text[at + 1 : end]
        if len(tracepoint.actions) >= MAX_ACTIONS:
            raise TargetError(f"a tracepoint collects no more than {MAX_ACTIONS} things")
        trace.make_room(len(body) // 2)
        try:
            match letter:
                case "R":
                    tracepoint.actions.append(Action("registers", (mask(body),)))
                case "M":
                    base, offset, length = body.split(",")
                    register = -1 if base == "-1" else number(base)  # -1: the offset is an address
                    what = register, number(offset), number(length)
                    tracepoint.actions.append(Action("memory", what))
                case "X":
                    (program,) = expressions(f"X{body}")
                    tracepoint.actions.append(Action("expression", (), program))
                case _:
                    raise TargetError("tracepoints collect where they are, not while stepping")
        except ValueError:
            raise Malformed(f"{letter}{body} is no action") from None
        at = end


def variable(client: Client, target: Breakpoints, packet: packets.DefineVariable) -> bytes:
    client.trace.define_variable(packet.number, packet.value, packet.builtin, packet.name)
    return replies.OK


def value(client: Client, target: Breakpoints, packet: packets.TraceVariable) -> bytes:
    held = client.trace.value_of(packet.number)
    return b"U" if held is None else b"V%x" % (held & ((1 << 64) - 1))


def start(client: Client, target: Breakpoints, packet: packets.TraceStart) -> bytes:
    client.trace.start(client.tile.target)
    return replies.OK


def stop(client: Client, target: Breakpoints, packet: packets.TraceStop) -> bytes:
    client.trace.stop()
    return replies.OK


def status(client: Client, target: Breakpoints, packet: packets.TraceStatus) -> bytes:
    trace = client.trace
    reason = "" if trace.running else f"{trace.reason};"
    count = len(trace.frames)
    return (
        f"T{int(trace.running)};{reason}tframes:{count:x};tcreated:{count:x};"
        f"tsize:{trace.most_bytes:x};tfree:{max(trace.most_bytes - trace.bytes, 0):x};"
        "circular:0;disconn:0"
    ).encode("ascii")


def hits(client: Client, target: Breakpoints, packet: packets.TracepointStatus) -> bytes:
    tracepoint = client.trace.find(packet.number, packet.addr)
    return b"V%x:%x" % (tracepoint.hits, tracepoint.bytes)


def ok(client: Client, target: Breakpoints, packet: object) -> bytes:
    """Wishes that change nothing here."""
    return replies.OK


def enable(
    client: Client,
    target: Breakpoints,
    packet: packets.EnableTracepoint | packets.DisableTracepoint,
) -> bytes:
    on = isinstance(packet, packets.EnableTracepoint)
    client.trace.enable(client.trace.find(packet.number, packet.addr), on)
    return replies.OK


def frame(client: Client, target: Breakpoints, packet: packets.TraceFrame) -> bytes:
    kind, *rest = packet.wanted.split(":")
    if kind not in NUMBERS:
        kind, rest = "number", [kind, *rest]
    try:
        numbers = [number(part) for part in rest]
    except ValueError:
        raise Malformed(f"{packet.wanted} is no frame") from None
    if len(numbers) != NUMBERS[kind]:
        raise Malformed(f"{packet.wanted} is no frame")
    if kind == "number" and numbers == [NO_FRAME]:
        client.selection.look_at(None)
        return replies.OK
    chosen = client.trace.search(kind, numbers)
    client.selection.look_at(chosen)
    if chosen is None:
        return b"F-1"
    return b"F%xT%x" % (chosen.index, chosen.tracepoint)


HANDLERS = (
    BREAKPOINTS.handles(packets.TraceInit, initialize),
    BREAKPOINTS.handles(packets.DefineTracepoint, define),
    BREAKPOINTS.handles(packets.DefineVariable, variable),
    BREAKPOINTS.handles(packets.TraceVariable, value),
    BREAKPOINTS.handles(packets.TraceStart, start),
    BREAKPOINTS.handles(packets.TraceStop, stop),
    BREAKPOINTS.handles(packets.TraceStatus, status),
    BREAKPOINTS.handles(packets.TracepointStatus, hits),
    BREAKPOINTS.handles(packets.TraceFrame, frame),
    BREAKPOINTS.handles(packets.EnableTracepoint, enable),
    BREAKPOINTS.handles(packets.DisableTracepoint, enable),
    BREAKPOINTS.handles(packets.ReadOnlyRanges, ok),
    BREAKPOINTS.handles(packets.TraceNotes, ok),
    BREAKPOINTS.handles(packets.TraceBuffer, ok),
)
