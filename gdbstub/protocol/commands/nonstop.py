# SPDX-License-Identifier: Apache-2.0
"""QNonStop and vStopped: a mode in which one thread's stop lets the others continue."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import execution as packets
from tensix_gdb.gdbstub.protocol.target import TargetError


def choose(client: Client, packet: packets.NonStopMode) -> bytes:
    if packet.on not in (0, 1):
        raise Malformed(f"QNonStop is 0 or 1, not {packet.on}")
    client.choose_non_stop(bool(packet.on))
    return replies.OK


def next_stop(client: Client, packet: packets.Stopped) -> bytes:
    if client.non_stop is None:
        raise TargetError("stops are announced in non-stop mode only")
    reply = client.stop_queue.next()
    if reply == replies.OK:
        client.before_next = client.non_stop.announce_rest
    return reply


HANDLERS = (
    handles(packets.NonStopMode, choose),
    handles(packets.Stopped, next_stop),
)
