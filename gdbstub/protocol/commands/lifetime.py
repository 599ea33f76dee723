# SPDX-License-Identifier: Apache-2.0
"""Attaching, starting over, leaving: D k vKill vAttach vRun R ! qAttached.

The tile is always there: attaching finds it, leaving leaves it as it is, and whatever kills or
starts a program puts the tile into the state in which it was loaded. In extended mode the client
stays after a kill or a detach, without its breakpoints: it may attach again. Only the last client's
`k` resets the tile: editors end a second connection, opened for live memory, with a kill too.

To a client that debugs processes the hart of one is all that a kill stops and a start begins again
(gdbstub.protocol.commands.processes).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands import processes
from tensix_gdb.gdbstub.protocol.commands.handler import RESTART, handles
from tensix_gdb.gdbstub.protocol.commands.outcome import Close, Detach, NoReply, Started
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.packets import execution as packets
from tensix_gdb.gdbstub.protocol.target import TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.capabilities import Restart

PROCESS = 1
NO_PROCESS = 42000  # what GDB says for "the process" when ids of processes were not agreed on


def _check_process(client: Client, pid: int | None) -> None:
    if client.selection.attachment is not None:
        if pid is not None:
            client.selection.attachment.known(pid)
    elif pid not in (None, PROCESS, NO_PROCESS):
        raise TargetError(f"there is no process {pid}; the tile is process {PROCESS}")


def attached(client: Client, packet: packets.Attached) -> bytes:
    """1: leaving detaches and does not kill."""
    _check_process(client, packet.pid)
    return b"1"


def attach(client: Client, packet: packets.VAttach) -> bytes:
    _check_process(client, packet.pid)
    if client.selection.attachment is not None:
        stop = processes.attach(client, client.selection.attachment, packet.pid)
    else:
        stop = client.last_stop()
    if client.non_stop is None:
        return client.stop_reply(stop)
    client.selection.general_thread = stop.thread
    client.non_stop.attached(client.selection.siblings_of(stop.thread))
    return replies.OK


def detach(client: Client, packet: packets.Detach) -> bytes | Detach | Close:
    """In extended mode GDB still closes files after it."""
    _check_process(client, packet.pid)
    mine = client.selection.attachment
    if mine is not None and packet.pid is not None:
        processes.detach(client, mine, mine.one(packet.pid))
        if mine.ids:
            return replies.OK
    if client.features.extended:
        if mine is not None:
            processes.detach(client, mine, *mine.ids)
        return Detach()
    return Close(replies.OK)


def extended(client: Client, packet: packets.Extended) -> bytes:
    """A client that may attach chooses to what."""
    if client.selection.attachment is not None and not client.features.extended:
        processes.detach(client, client.selection.attachment, *client.selection.attachment.ids)
    client.features.extended = True
    return replies.OK


def kill(client: Client, packet: packets.Kill) -> NoReply | Close:
    """`k` has no reply."""
    if not client.features.extended:
        return Close(reset=True)
    if not client.running_for():
        client.tile.reset()
    return NoReply()


def vkill(client: Client, capability: Restart, packet: packets.VKill) -> bytes:
    _check_process(client, packet.pid)
    if client.selection.attachment is not None:
        processes.kill(client, client.selection.attachment, packet.pid)
    else:
        if client.non_stop is not None:
            client.non_stop.halt()
        client.tile.reset()
    return replies.OK


def restart(client: Client, capability: Restart, packet: packets.Restart) -> NoReply:
    """`R` has no reply."""
    if not client.running_for():
        client.tile.reset()
    return NoReply()


def run(client: Client, capability: Restart, packet: packets.VRun) -> Started:
    """The program is one that is loaded; no other file is opened."""
    name = packet.program.decode("utf-8", "replace")
    if client.selection.attachment is not None:
        return Started(processes.run(client, client.selection.attachment, name))
    files = client.target.files
    known = [file.path for file in files.files()] if files is not None else []
    if name and PurePath(name).name not in [PurePath(path).name for path in known]:
        raise TargetError(_not_loaded(name, known))
    client.tile.reset()
    client.console.tell(capability.outdated())
    return Started(client.last_stop())


def _not_loaded(name: str, known: Sequence[str]) -> str:
    return (
        f"{name} is not loaded: the tile has {', '.join(known) or 'no program'}; "
        "start tensix-gdb with --elf to load another one"
    )


HANDLERS = (
    handles(packets.Attached, attached),
    handles(packets.VAttach, attach),
    handles(packets.Detach, detach),
    handles(packets.Extended, extended),
    handles(packets.Kill, kill),
    RESTART.handles(packets.VKill, vkill, changes=True),
    RESTART.handles(packets.Restart, restart),
    RESTART.handles(packets.VRun, run, changes=True),
)
