# SPDX-License-Identifier: Apache-2.0
"""The reports to a client: stops, requests of programs, and processes that have ended."""

from __future__ import annotations

from dataclasses import replace

from tensix_gdb.gdbstub.protocol.client.stop_queue import PendingStop
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient
from tensix_gdb.gdbstub.protocol.session.states import State
from tensix_gdb.gdbstub.protocol.target import Signal, Stopped


def report_stop(session: ServedClient, stop: Stopped) -> None:
    """Tell the client, which waits for that, of a stop or of a program's request."""
    if session.non_stop is not None:
        _explain(session, stop)
        _announce(session, PendingStop(stop.thread, session.notice_of(stop)))
        _note_exit(session, stop)
        return
    session.console.show_missing()
    _explain(session, stop)
    if stop.request:
        # The client looks at the hart that asks until it answers.
        session.selection.general_thread = stop.thread
        session.state = State.AWAITING_FILE_REPLY
        session.stream.send(replies.file_request(stop.request))
        return
    if stop.signal is Signal.NONE and session.features.thread_suffix:
        # LLDB resumes by itself when no thread has a reason to stop.
        stop = replace(stop, signal=Signal.INT)
    stop = session.old_steps.as_told(stop, session.actions)
    session.state = State.IDLE
    session.stream.send(session.stop_reply(stop))
    session.stop_is_news = True
    _note_exit(session, stop)


def _explain(session: ServedClient, stop: Stopped) -> None:
    """Show the text of a stop, unless the client prints as much itself.

    GDB reports the end of a program. It cannot know which hart failed where the tile is one
    process, nor more than eight bits of a status.
    """
    processes = session.selection.attachment is not None
    known = stop.exited == 0 or (processes and stop.exited in range(256))
    if not stop.text or known:
        return
    if session.non_stop is not None:
        session.show(stop.text + "\n")
    else:  # whole, however late the reader is
        session.stream.send(replies.console(stop.text + "\n"))


def _announce(session: ServedClient, stop: PendingStop) -> None:
    if session.stop_queue.add(stop):
        session.stream.notify(b"Stop:" + stop.payload)


def _note_exit(session: ServedClient, stop: Stopped) -> None:
    """Detach the client from the process of a program that has ended."""
    if stop.exited is not None:
        session.selection.detach_process(session.selection.process_of(stop.thread))


def report_exit(session: ServedClient, pid: int) -> None:
    """Tell the client that another one has killed one of its processes."""
    if session.non_stop is not None:
        session.non_stop.detached(session.selection.threads_of(pid))
        session.selection.detach_process(pid)
        _announce(session, PendingStop(0, replies.killed(pid)))
    else:
        session.selection.detach_process(pid)
        session.state = State.IDLE
        session.stream.send(replies.killed(pid))
