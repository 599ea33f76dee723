# SPDX-License-Identifier: Apache-2.0
"""qRcmd: `monitor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.commands.handler import Handler
from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.rsp.packets import general as packets
from tensix_gdb.gdbstub.target import TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session

LONGEST = 1000  # bytes of a command: what takes longer than its text is long stays short so
PIECE = PACKET_SIZE // 2 - 16  # characters of text in one console packet


def command(session: Session, packet: packets.MonitorCommand) -> bytes:
    """Show what the command says. What it refuses is shown too: then the command itself is OK,
    because clients that send `monitor reset halt` on their own give up at an error."""
    assert session.target.monitor is not None
    line = packet.command.decode("utf-8", "replace")
    runs = session.non_stop is not None and session.non_stop.moves
    running = bool(session.tile.busy(session)) or runs
    try:
        if len(packet.command) > LONGEST:
            raise TargetError(f"a `monitor` command has no more than {LONGEST} bytes")
        text = session.target.monitor.command(session.general_thread, line, running=running)
    except TargetError as problem:
        text = f"{problem}\n"
    data = (session.take_news() + text).encode("utf-8")
    for at in range(0, len(data), PIECE):
        session.send(b"O" + data[at : at + PIECE].hex().encode("ascii"))
    return replies.OK


HANDLERS: dict[type, Handler] = {packets.MonitorCommand: Handler(command, needs="monitor")}
