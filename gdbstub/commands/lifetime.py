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
from tensix_gdb.gdbstub.commands.handler import Handler
from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.rsp.packets import execution as packets
from tensix_gdb.gdbstub.target import Stopped, TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session

PROCESS = 1
NO_PROCESS = 42000  # what GDB says for "the process" when ids of processes were not agreed on


def _check_process(session: Session, pid: int | None) -> None:
    if session.attachment is not None:
        if pid is not None:
            session.attachment.known(pid)
    elif pid not in (None, PROCESS, NO_PROCESS):
        raise TargetError(f"there is no process {pid}; the tile is process {PROCESS}")


def attached(session: Session, packet: packets.Attached) -> bytes:
    """1: leaving detaches and does not kill."""
    _check_process(session, packet.pid)
    return b"1"


def attach(session: Session, packet: packets.VAttach) -> bytes:
    _check_process(session, packet.pid)
    if session.attachment is not None:
        stop = processes.attach(session, session.attachment, packet.pid)
    else:
        stop = session.last_stop()
    if session.non_stop is None:
        return session.stop_reply(stop)
    session.general_thread = stop.thread
    session.non_stop.joined(session.siblings_of(stop.thread))
    return replies.OK


def detach(session: Session, packet: packets.Detach) -> bytes | None:
    """In extended mode GDB still closes files behind it."""
    _check_process(session, packet.pid)
    mine = session.attachment
    if mine is not None and packet.pid is not None:
        processes.leave(session, mine, mine.one(packet.pid))
        if mine.ids:
            return replies.OK
    if session.wishes.extended:
        if mine is not None:
            processes.leave(session, mine, *mine.ids)
        session.let_go()
        return replies.OK
    session.send(replies.OK)
    session.end()
    return None


def extended(session: Session, packet: packets.Extended) -> bytes:
    """Who may attach chooses to what."""
    if session.attachment is not None and not session.wishes.extended:
        processes.leave(session, session.attachment, *session.attachment.ids)
    session.wishes.extended = True
    return replies.OK


def kill(session: Session, packet: packets.Kill) -> None:
    """`k` has no reply."""
    if session.wishes.extended and not session.tile.busy(session):
        session.tile.reset()
    elif not session.wishes.extended:
        session.end(reset=True)


def vkill(session: Session, packet: packets.VKill) -> bytes:
    _check_process(session, packet.pid)
    if session.attachment is not None:
        processes.kill(session, session.attachment, packet.pid)
    else:
        if session.non_stop is not None:
            session.non_stop.halt()
        session.tile.reset()
    return replies.OK


def restart(session: Session, packet: packets.Restart) -> None:
    """`R` has no reply."""
    if not session.tile.busy(session):
        session.tile.reset()


def run(session: Session, packet: packets.VRun) -> bytes | None:
    """The program is one that is loaded; no other file is opened."""
    name = packet.program.decode("utf-8", "replace")
    if session.attachment is not None:
        return _began(session, processes.run(session, session.attachment, name))
    files = session.target.files
    known = [file.path for file in files.files()] if files is not None else []
    if name and PurePath(name).name not in [PurePath(path).name for path in known]:
        raise TargetError(_not_loaded(name, known))
    session.tile.reset()
    assert session.target.lifetime is not None
    session.console(session.target.lifetime.outdated())
    return _began(session, session.last_stop())


def _began(session: Session, stop: Stopped) -> bytes | None:
    """A program stands at its entry. In non-stop mode too this is the reply; the threads that are
    there besides are announced."""
    reply = session.stop_reply(stop)
    if session.non_stop is None:
        return reply
    session.send(reply)
    others = [one for one in session.siblings_of(stop.thread) if one != stop.thread]
    session.non_stop.started(stop.thread, others)
    return None


def _not_loaded(name: str, known: Sequence[str]) -> str:
    return (
        f"{name} is not loaded: the tile has {', '.join(known) or 'no program'}; "
        "start tensix-gdb with --elf to load another one"
    )


HANDLERS: dict[type, Handler] = {
    packets.Attached: Handler(attached),
    packets.VAttach: Handler(attach),
    packets.Detach: Handler(detach),
    packets.Extended: Handler(extended),
    packets.Kill: Handler(kill),
    packets.VKill: Handler(vkill, needs="lifetime", changes=True),
    packets.Restart: Handler(restart, needs="lifetime"),
    packets.VRun: Handler(run, needs="lifetime", changes=True),
}
