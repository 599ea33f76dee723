# SPDX-License-Identifier: Apache-2.0
"""Attaching, starting over, leaving: D k vKill vAttach vRun R ! qAttached.

The tile is always there: attaching finds it, leaving leaves it as it is, and whatever kills or
starts a program puts the tile into the state in which it was loaded. In extended mode the client
stays after a kill or a detach, without its breakpoints: it may attach again. Only the last client's
`k` resets the tile: editors end a second connection, opened for live memory, with a kill too.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from gdbstub.commands.handler import Handler
from gdbstub.rsp import packets, replies
from gdbstub.target import TargetError

if TYPE_CHECKING:
    from gdbstub.session import Session

PROCESS = 1
NO_PROCESS = 42000  # what GDB says for "the process" when ids of processes were not agreed on


def _check_process(pid: int | None) -> None:
    if pid not in (None, PROCESS, NO_PROCESS):
        raise TargetError(f"there is no process {pid}; the tile is process {PROCESS}")


def attached(session: Session, packet: packets.Attached) -> bytes:
    """1: leaving detaches and does not kill."""
    _check_process(packet.pid)
    return b"1"


def attach(session: Session, packet: packets.VAttach) -> bytes:
    _check_process(packet.pid)
    return session.stop_reply(session.tile.last_stop())


def detach(session: Session, packet: packets.Detach) -> bytes | None:
    """In extended mode GDB still closes files behind it."""
    _check_process(packet.pid)
    if session.wishes.extended:
        session.let_go()
        return replies.OK
    session.send(replies.OK)
    session.end()
    return None


def extended(session: Session, packet: packets.Extended) -> bytes:
    session.wishes.extended = True
    return replies.OK


def kill(session: Session, packet: packets.Kill) -> None:
    """`k` has no reply."""
    if session.wishes.extended and not session.tile.busy(session):
        session.tile.reset()
    elif not session.wishes.extended:
        session.end(reset=True)


def vkill(session: Session, packet: packets.VKill) -> bytes:
    _check_process(packet.pid)
    session.tile.reset()
    return replies.OK


def restart(session: Session, packet: packets.Restart) -> None:
    """`R` has no reply."""
    if not session.tile.busy(session):
        session.tile.reset()


def run(session: Session, packet: packets.VRun) -> bytes:
    """The program is the one that is loaded; no other file is opened."""
    name = packet.program.decode("utf-8", "replace")
    files = session.target.files
    known = [file.path for file in files.files()] if files is not None else []
    if name and PurePath(name).name not in [PurePath(path).name for path in known]:
        raise TargetError(
            f"{name} is not loaded: the tile has {', '.join(known) or 'no program'}; "
            "start tensix-gdb with --elf to load another one"
        )
    session.tile.reset()
    return session.stop_reply(session.tile.last_stop())


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
