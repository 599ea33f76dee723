# SPDX-License-Identifier: Apache-2.0
"""H, T, qC, the thread list, qThreadExtraInfo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdbstub.commands.handler import Handler
from gdbstub.rsp import packets, replies
from gdbstub.rsp.packet import Malformed

if TYPE_CHECKING:
    from gdbstub.session import Session


def choose(session: Session, packet: packets.SetThread) -> bytes:
    """Hg chooses the thread of registers and memory, Hc that of c and s."""
    if packet.operation == "g":
        session.general_thread = session.one_thread(packet.thread)
        return replies.OK
    if packet.operation == "c":
        wanted = packet.thread
        session.resume_thread = wanted.tid if wanted.tid < 1 else session.one_thread(wanted)
        return replies.OK
    raise Malformed(f"H{packet.operation}: choose a thread with Hg or Hc")


def alive(session: Session, packet: packets.ThreadAlive) -> bytes:
    session.one_thread(packet.thread)
    return replies.OK


def current(session: Session, packet: packets.CurrentThread) -> bytes:
    return b"QC" + session.thread_text(session.general_thread).encode("ascii")


def first(session: Session, packet: packets.FirstThreads) -> bytes:
    texts = [session.thread_text(thread) for thread in session.target.threads.thread_ids()]
    return b"m" + ",".join(texts).encode("ascii")


def more(session: Session, packet: packets.MoreThreads) -> bytes:
    return b"l"


def extra(session: Session, packet: packets.ThreadExtra) -> bytes:
    thread = session.one_thread(packet.thread)
    threads = session.target.threads
    text = f"{threads.thread_name(thread)}: {threads.thread_state(thread)}"
    if driver := session.tile.busy(session):
        text += f"; the tile runs for {driver}"
    return text.encode("utf-8").hex().encode("ascii")


HANDLERS = {
    packets.SetThread: Handler(choose),
    packets.ThreadAlive: Handler(alive),
    packets.CurrentThread: Handler(current),
    packets.FirstThreads: Handler(first),
    packets.MoreThreads: Handler(more),
    packets.ThreadExtra: Handler(extra),
}
