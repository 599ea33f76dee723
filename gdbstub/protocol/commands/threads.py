# SPDX-License-Identifier: Apache-2.0
"""H, T, qC, the thread list (qfThreadInfo, qXfer:threads:read), qThreadExtraInfo."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import general as packets


def choose(client: Client, packet: packets.SetThread) -> bytes:
    """Hg chooses the thread of registers and memory, Hc that of c and s."""
    if packet.operation == "g":
        client.selection.general_thread = client.selection.one_thread(packet.thread)
        return replies.OK
    if packet.operation == "c":
        client.selection.one_thread(packet.thread)
        client.selection.resume_threads = packet.thread
        return replies.OK
    raise Malformed(f"H{packet.operation}: choose a thread with Hg or Hc")


def alive(client: Client, packet: packets.ThreadAlive) -> bytes:
    """GDB sends T for the thread that its user selects, and for none at `info threads`."""
    client.selection.selected = client.selection.one_thread(packet.thread)
    return replies.OK


def current(client: Client, packet: packets.CurrentThread) -> bytes:
    client.selection.one_thread(None)
    return b"QC" + client.selection.thread_text(client.selection.general_thread).encode("ascii")


def first(client: Client, packet: packets.FirstThreads) -> bytes:
    texts = [client.selection.thread_text(thread) for thread in client.target.threads.thread_ids()]
    return b"m" + ",".join(texts).encode("ascii") if texts else b"l"


def more(client: Client, packet: packets.MoreThreads) -> bytes:
    return b"l"


def extra(client: Client, packet: packets.ThreadExtra) -> bytes:
    thread = client.selection.one_thread(packet.thread)
    threads = client.target.threads
    state = threads.thread_state(thread) + _for_whom(client)
    text = f"{threads.thread_name(thread)}: {state}"
    return text.encode("utf-8").hex().encode("ascii")


def _for_whom(client: Client) -> str:
    driver = client.running_for()
    return f"; the tile runs for {driver}" if driver else ""


def document(client: Client) -> bytes:
    """Return the same as a document, qXfer:threads, with names of their own."""
    threads, more = client.target.threads, _for_whom(client)
    rows = [
        _row(
            client.selection.thread_text(thread),
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
