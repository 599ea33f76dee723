# SPDX-License-Identifier: Apache-2.0
"""Attaching, detaching, killing and starting for a client that debugs processes.

A process is a hart with its program. Killing it puts the hart into soft reset, as a host does;
starting its program loads the ELF again and lets the hart go from its entry, where it waits until
the client resumes it. The rest of the tile stays as it is meanwhile; `monitor reset` and `k` start
all of it over.
"""

from __future__ import annotations

from pathlib import PurePath

from tensix_gdb.gdbstub.protocol.client.attachment import Attachment
from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.breakpoints import remove_those_of
from tensix_gdb.gdbstub.protocol.target import Signal, Stopped, TargetError


def attach(client: Client, mine: Attachment, pid: int) -> Stopped:
    """Let the client debug this process too. Return why it has stopped: signal 0, unless because
    of one of its threads."""
    if pid in mine.ids:
        raise TargetError(f"process {pid} is attached already")
    mine.choose((*mine.ids, pid))
    client.selection.attach(mine)
    threads = mine.processes.threads_of(pid)
    stop = client.tile.last_stop()
    return stop if stop.thread in threads else Stopped(threads[0], Signal.NONE)


def detach(client: Client, mine: Attachment, *pids: int) -> None:
    """Let the client debug these no more. They run when the tile does."""
    for pid in pids:
        remove_those_of(client, mine.processes.threads_of(pid))
    mine.choose(set(mine.ids) - set(pids))
    client.selection.attach(mine)
    client.detached([thread for pid in pids for thread in mine.processes.threads_of(pid)])


def kill(client: Client, mine: Attachment, pid: int) -> None:
    """The process ends, and the other clients that debug it are told so when they wait for it."""
    mine.processes.stop(mine.one(pid))
    detach(client, mine, pid)
    mine.killed = pid
    client.tile.process_ended(pid)


def run(client: Client, mine: Attachment, name: str) -> Stopped:
    """Start the program of that name; without a name the one that the client has killed last, or
    the only one that is not attached."""
    processes = mine.processes
    free = [pid for pid in processes.loaded() if pid not in mine.ids]
    if not name and mine.killed in free:
        free = [mine.killed]
    fits = [pid for pid in free if not name or _program(mine, pid) == PurePath(name).name]
    if len(fits) != 1:
        known = ", ".join(f"{pid} {_program(mine, pid)}" for pid in free) or "none"
        asked = f"{name} is" if name else "which program to run is"
        raise TargetError(f"{asked} not one of the programs that are not attached: {known}")
    (pid,) = fits
    processes.start(pid)
    attach(client, mine, pid)
    threads = processes.threads_of(pid)
    client.old_steps.program_started(threads)
    return Stopped(threads[0])


def _program(mine: Attachment, pid: int) -> str:
    document = mine.processes.documents(pid).document("exec-file", "", running_for="") or b""
    return PurePath(document.decode("utf-8", "surrogateescape")).name
