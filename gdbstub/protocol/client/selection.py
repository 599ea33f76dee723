# SPDX-License-Identifier: Apache-2.0
"""The selection of a client: its threads and processes, the current one, what is inserted there.

Without processes all threads are of process 1, by numbers alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.gdbstub.protocol.client.attachment import Attachment
from tensix_gdb.gdbstub.protocol.client.thread_view import ThreadView
from tensix_gdb.gdbstub.protocol.rsp.grammar import ThreadId
from tensix_gdb.gdbstub.protocol.target import Attached, Stopped, Target, TargetError
from tensix_gdb.gdbstub.protocol.tracepoints.frames import Frame, Trace
from tensix_gdb.gdbstub.protocol.tracepoints.trace_view import view

PROCESS = 1


class Selection:
    """The threads as one client sees them. `target` is that of its `view`, or a frame of its trace
    in the place of that."""

    def __init__(self, view: ThreadView) -> None:
        self.view = view
        self.target: Target = view.target
        self.general_thread = self.target.threads.thread_ids()[0]
        self.selected = 0  # the thread that GDB's user has selected since the last stop, or 0
        self.resume_threads = ThreadId(-1)
        self.inserted: dict[tuple[int, int, int, int], Attached] = {}
        self.attached_bytes = 0  # of all that is attached to these
        self.trace = Trace()
        self.attachment: Attachment | None = None

    def look_at(self, frame: Frame | None) -> None:
        """Put a frame of the trace in place of the target, or take it away."""
        self.trace.current = frame
        if frame is None:
            self.target = self.view.target
        else:
            self.target = view(self.view.target, frame)
            self.general_thread = frame.thread

    def show_processes(self) -> None:
        """Show the threads in processes, if there are any."""
        whole = self.view.target
        if whole.processes is not None and self.attachment is None:
            self.attach(Attachment(whole, whole.processes))

    def attach(self, attachment: Attachment) -> None:
        """Show other processes than before."""
        self.attachment = attachment
        self.view = attachment.view
        self.look_at(None)
        ids = self.target.threads.thread_ids()
        if ids and self.general_thread not in ids:
            self.general_thread = ids[0]

    def detach_process(self, pid: int) -> None:
        """Show a process no more, until the client attaches to it again."""
        if self.attachment is not None:
            self.attachment.choose(set(self.attachment.ids) - {pid})
            self.attach(self.attachment)

    def threads_of(self, pid: int) -> Sequence[int]:
        """List the threads of a process."""
        return () if self.attachment is None else self.attachment.processes.threads_of(pid)

    def sees(self, thread: int) -> bool:
        """True if this is one of the threads that the client sees."""
        return thread in self.target.threads.thread_ids()

    def seen(self, stop: Stopped) -> Stopped:
        """Return the stop as this client sees it: for no reason where it does not see the
        thread."""
        return stop if self.sees(stop.thread) else self.view.stop_elsewhere(self.general_thread)

    # Names of threads

    def thread_text(self, thread: int) -> str:
        """Write a thread as this client does."""
        return f"{thread:x}" if self.attachment is None else self.attachment.thread_text(thread)

    def one_thread(self, wanted: ThreadId | None) -> int:
        """Find the thread that the client means by `wanted`; any, all and none mean the current
        one.

        TargetError when there is no such thread.
        """
        if self.attachment is not None:
            return self._one_of_processes(self.attachment, wanted or ThreadId(0))
        if wanted is None:
            return self.general_thread
        if wanted.pid not in (None, -1, 0, PROCESS):
            raise TargetError(f"there is no process {wanted.pid}; the tile is process {PROCESS}")
        if wanted.tid in (-1, 0):
            return self.general_thread
        if wanted.tid not in self.target.threads.thread_ids():
            raise TargetError(f"there is no thread {wanted.tid}")
        return wanted.tid

    def _one_of_processes(self, mine: Attachment, wanted: ThreadId) -> int:
        if not mine.ids:
            raise TargetError("no process is attached: type `info os processes`, then `attach PID`")
        if wanted.pid in (None, -1, 0):
            if wanted.tid in (-1, 0):
                return self.general_thread
            if not self.sees(wanted.tid):
                raise TargetError(f"there is no thread {wanted.tid} in what is attached")
            return wanted.tid
        threads = mine.processes.threads_of(mine.one(wanted.pid))
        if wanted.tid in (-1, 0):
            return self.general_thread if self.general_thread in threads else threads[0]
        if wanted.tid not in threads:
            raise TargetError(f"there is no thread {wanted.tid} in process {wanted.pid}")
        return wanted.tid

    def threads_named(self, wanted: ThreadId) -> Sequence[int]:
        """List the threads that the client means by `wanted`: -1 is all, or all of a named
        process."""
        if wanted.tid != -1:
            return (self.one_thread(wanted),)
        thread = self.one_thread(wanted)
        if self.attachment is None or wanted.pid in (None, -1, 0):
            return self.target.threads.thread_ids()
        return self.siblings_of(thread)

    def process_of(self, thread: int) -> int:
        """Find the process of a thread."""
        mine = self.attachment
        return PROCESS if mine is None else mine.processes.process_of(thread)

    def siblings_of(self, thread: int) -> Sequence[int]:
        """List the threads with the address space of `thread`."""
        if self.attachment is None:
            return self.target.threads.thread_ids()
        processes = self.attachment.processes
        return processes.threads_of(processes.process_of(thread))

    def space_of(self, thread: int) -> int:
        """Return the number of the address space of `thread` for its breakpoints: 0 if all threads
        have one."""
        return 0 if self.attachment is None else self.siblings_of(thread)[0]

    # What is inserted

    def has_break(self, kind: int, addr: int, thread: int) -> bool:
        """True if this client has a breakpoint of this kind (0 or 1) there, for the thread."""
        space = self.space_of(thread)
        return (kind, addr, 4, space) in self.inserted or (kind, addr, 2, space) in self.inserted

    def has_watch(self, addr: int) -> bool:
        """True if this client has a watchpoint that it gave as `addr`."""
        return any(kind >= 2 and at == addr for kind, at, _, _ in self.inserted)
