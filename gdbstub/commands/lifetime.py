# SPDX-License-Identifier: Apache-2.0
"""Attaching, starting over, leaving: D k vKill vAttach vRun R ! qAttached.

The tile is always there: attaching finds it, leaving leaves it as it is, and whatever kills or
starts a program puts the tile into the state in which it was loaded. In extended mode the client
stays after a kill or a detach, without its breakpoints: it may attach again. Only the last client's
`k` resets the tile: editors end a second connection, opened for live memory, with a kill too.

To a client that debugs processes the hart of one is all that a kill stops and a start begins again
(gdbstub.commands.processes).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.commands import processes
from tensix_gdb.gdbstub.commands.handler import RESTART, handles
from tensix_gdb.gdbstub.commands.outcome import Close, Detach, NoReply, Started
from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.rsp.packets import execution as packets
from tensix_gdb.gdbstub.target import TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.capabilities import Restart
    from tensix_gdb.gdbstub.session import Session

PROCESS = 1
NO_PROCESS = 42000  # what GDB says for "the process" when ids of processes were not agreed on


def _check_process(session: Session, pid: int | None) -> None:
    if session.selection.attachment is not None:
        if pid is not None:
            session.selection.attachment.known(pid)
    elif pid not in (None, PROCESS, NO_PROCESS):
        raise TargetError(f"there is no process {pid}; the tile is process {PROCESS}")


def attached(session: Session, packet: packets.Attached) -> bytes:
    """1: leaving detaches and does not kill."""
    _check_process(session, packet.pid)
    return b"1"


def attach(session: Session, packet: packets.VAttach) -> bytes:
    _check_process(session, packet.pid)
    if session.selection.attachment is not None:
        stop = processes.attach(session, session.selection.attachment, packet.pid)
    else:
        stop = session.last_stop()
    if session.non_stop is None:
        return session.stop_reply(stop)
    session.selection.general_thread = stop.thread
    session.non_stop.attached(session.selection.siblings_of(stop.thread))
    return replies.OK


def detach(session: Session, packet: packets.Detach) -> bytes | Detach | Close:
    """In extended mode GDB still closes files after it."""
    _check_process(session, packet.pid)
    mine = session.selection.attachment
    if mine is not None and packet.pid is not None:
        processes.detach(session, mine, mine.one(packet.pid))
        if mine.ids:
            return replies.OK
    if session.features.extended:
        if mine is not None:
            processes.detach(session, mine, *mine.ids)
        return Detach()
    return Close(replies.OK)


def extended(session: Session, packet: packets.Extended) -> bytes:
    """A client that may attach chooses to what."""
    if session.selection.attachment is not None and not session.features.extended:
        processes.detach(session, session.selection.attachment, *session.selection.attachment.ids)
    session.features.extended = True
    return replies.OK


def kill(session: Session, packet: packets.Kill) -> NoReply | Close:
    """`k` has no reply."""
    if not session.features.extended:
        return Close(reset=True)
    if not session.tile.busy(session):
        session.tile.reset()
    return NoReply()


def vkill(session: Session, capability: Restart, packet: packets.VKill) -> bytes:
    _check_process(session, packet.pid)
    if session.selection.attachment is not None:
        processes.kill(session, session.selection.attachment, packet.pid)
    else:
        if session.non_stop is not None:
            session.non_stop.halt()
        session.tile.reset()
    return replies.OK


def restart(session: Session, capability: Restart, packet: packets.Restart) -> NoReply:
    """`R` has no reply."""
    if not session.tile.busy(session):
        session.tile.reset()
    return NoReply()


def run(session: Session, capability: Restart, packet: packets.VRun) -> Started:
    """The program is one that is loaded; no other file is opened."""
    name = packet.program.decode("utf-8", "replace")
    if session.selection.attachment is not None:
        return Started(processes.run(session, session.selection.attachment, name))
    files = session.target.files
    known = [file.path for file in files.files()] if files is not None else []
    if name and PurePath(name).name not in [PurePath(path).name for path in known]:
        raise TargetError(_not_loaded(name, known))
    session.tile.reset()
    session.console.tell(capability.outdated())
    return Started(session.last_stop())


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
