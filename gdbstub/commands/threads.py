# SPDX-License-Identifier: Apache-2.0
"""H, T, qC, the thread list, qThreadExtraInfo."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.commands.handler import handles
from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.rsp.packet import Malformed
from tensix_gdb.gdbstub.rsp.packets import general as packets

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session


def choose(session: Session, packet: packets.SetThread) -> bytes:
    """Hg chooses the thread of registers and memory, Hc that of c and s."""
    if packet.operation == "g":
        session.selection.general_thread = session.selection.one_thread(packet.thread)
        return replies.OK
    if packet.operation == "c":
        session.selection.one_thread(packet.thread)
        session.selection.resume_threads = packet.thread
        return replies.OK
    raise Malformed(f"H{packet.operation}: choose a thread with Hg or Hc")


def alive(session: Session, packet: packets.ThreadAlive) -> bytes:
    """GDB sends T for the thread that its user selects, and for none at `info threads`."""
    session.selection.selected = session.selection.one_thread(packet.thread)
    return replies.OK


def current(session: Session, packet: packets.CurrentThread) -> bytes:
    session.selection.one_thread(None)
    return b"QC" + session.selection.thread_text(session.selection.general_thread).encode("ascii")


def first(session: Session, packet: packets.FirstThreads) -> bytes:
    texts = [
        session.selection.thread_text(thread) for thread in session.target.threads.thread_ids()
    ]
    return b"m" + ",".join(texts).encode("ascii") if texts else b"l"


def more(session: Session, packet: packets.MoreThreads) -> bytes:
    return b"l"


def extra(session: Session, packet: packets.ThreadExtra) -> bytes:
    thread = session.selection.one_thread(packet.thread)
    threads = session.target.threads
    state = threads.thread_state(thread) + _for_whom(session)
    text = f"{threads.thread_name(thread)}: {state}"
    return text.encode("utf-8").hex().encode("ascii")


def _for_whom(session: Session) -> str:
    driver = session.tile.busy(session)
    return f"; the tile runs for {driver}" if driver else ""


def document(session: Session) -> bytes:
    """The same as a document, qXfer:threads, with names of their own."""
    threads, more = session.target.threads, _for_whom(session)
    rows = [
        _row(
            session.selection.thread_text(thread),
            threads.thread_name(thread),
            threads.thread_state(thread) + more,
        )
        for thread in threads.thread_ids()
    ]
    text = "\n".join(('<?xml version="1.0"?>', "<threads>", *rows, "</threads>", ""))
    return text.encode("utf-8")


@lru_cache(maxsize=256)
def _row(number: str, name: str, state: str) -> str:
    """GDB asks for all of them at each stop, and most are as before."""
    return f'<thread id="{number}" name="{escape(name)}">{escape(state, quote=False)}</thread>'


HANDLERS = (
    handles(packets.SetThread, choose),
    handles(packets.ThreadAlive, alive),
    handles(packets.CurrentThread, current),
    handles(packets.FirstThreads, first),
    handles(packets.MoreThreads, more),
    handles(packets.ThreadExtra, extra),
)
