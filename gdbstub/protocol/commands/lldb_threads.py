# SPDX-License-Identifier: Apache-2.0
"""jThreadsInfo: LLDB's question after each stop, all threads in one answer (lldbgdbremote.md)."""

from __future__ import annotations

import json
from typing import Any

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.rsp.framing import escape
from tensix_gdb.gdbstub.protocol.rsp.packets import lldb as packets
from tensix_gdb.gdbstub.protocol.target import Signal, Stopped


def threads_info(client: Client, packet: packets.ThreadsInfo) -> bytes:
    stop = client.last_stop()
    rows = [_row(client, thread, stop) for thread in client.target.threads.thread_ids()]
    return escape(json.dumps(rows, separators=(",", ":")).encode("ascii"))


def _row(client: Client, thread: int, stop: Stopped) -> dict[str, Any]:
    registers = client.target.registers.expedited(thread)
    row: dict[str, Any] = {
        "tid": thread,
        "name": client.target.threads.thread_name(thread),
        "registers": {str(number): value.hex() for number, value in registers.items()},
    }
    if thread == stop.thread and stop.signal is not Signal.NONE:
        row["signal"] = int(stop.signal)
        row["reason"] = _reason(stop)
        if stop.watch is not None:
            row["description"] = str(stop.watch[1])
    return row


def _reason(stop: Stopped) -> str:
    """LLDB's words; a watchpoint's `description` is its address in decimal."""
    if stop.watch is not None:
        return "watchpoint"
    if stop.breakpoint is not None:
        return "breakpoint"
    return "trap" if stop.signal is Signal.TRAP else "signal"


HANDLERS = (handles(packets.ThreadsInfo, threads_info),)
