# SPDX-License-Identifier: Apache-2.0
"""The processes that a client debugs.

A client that knows processes (`multiprocess+`) sees the threads of those that it is attached to and
no others. A client that connects with `target remote` is attached to all that have a program, one
that connects with `target extended-remote` to none, and attaches as it likes. The harts of the
other processes run whenever the tile runs, as on a card.
"""

from __future__ import annotations

from collections.abc import Iterable

from tensix_gdb.gdbstub.protocol.capabilities import Processes
from tensix_gdb.gdbstub.protocol.client.thread_view import ThreadView
from tensix_gdb.gdbstub.protocol.target import Target, TargetError


class Attachment:
    """The processes of one client."""

    def __init__(self, whole: Target, processes: Processes) -> None:
        self.processes = processes
        self._whole = whole
        self.ids: tuple[int, ...] = ()
        self.killed = 0  # the process that the client has killed last
        self.view = ThreadView(whole)
        self.choose(processes.loaded() or processes.process_ids())

    def choose(self, ids: Iterable[int]) -> None:
        """Be attached to exactly these."""
        wanted = set(ids)
        self.ids = tuple(pid for pid in self.processes.process_ids() if pid in wanted)
        threads = [thread for pid in self.ids for thread in self.processes.threads_of(pid)]
        order = [thread for thread in self._whole.threads.thread_ids() if thread in threads]
        is_subset = len(self.ids) != len(self.processes.process_ids())
        self.view = ThreadView.of_threads(self._whole, order, is_subset=is_subset)

    def known(self, pid: int) -> int:
        """Return `pid` if there is such a process; TargetError otherwise."""
        if pid not in self.processes.process_ids():
            ids = self.processes.process_ids()
            names = ", ".join(
                f"{process} {self.processes.process_name(process)}" for process in ids
            )
            raise TargetError(f"there is no process {pid}; they are {names}")
        return pid

    def one(self, pid: int) -> int:
        """Return `pid` if the client is attached to it; TargetError otherwise."""
        if self.known(pid) not in self.ids:
            name = self.processes.process_name(pid)
            raise TargetError(f"process {pid} ({name}) is not attached: type `attach {pid}`")
        return pid

    def thread_text(self, thread: int) -> str:
        """Write a thread as such clients do."""
        return f"p{self.processes.process_of(thread):x}.{thread:x}"
