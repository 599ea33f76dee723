# SPDX-License-Identifier: Apache-2.0
"""A stop as a client wants to be told of it: the `T` packet, by what the client said it knows."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.target import Stopped


def stop_reply(client: Client, stop: Stopped) -> bytes:
    """Make the payload that tells `client` of `stop`."""
    if stop.exited is not None:
        mine = client.selection.attachment
        process = None if mine is None else mine.processes.process_of(stop.thread)
        return replies.exited(stop.exited, process)
    registers = client.target.registers.expedited(stop.thread)
    thread = client.selection.thread_text(stop.thread)
    more: tuple[str, ...] = _threads_and_pcs(client) if client.features.thread_lists else ()
    # LLDB reads the list at any stop that says so; GDB would take the stop for nothing else.
    if client.features.libraries_changed and client.features.thread_suffix:
        more = (*more, "library:")
    reason = _reason(client, stop)
    return replies.stop(stop.signal, thread, registers, reason, more)


def _reason(client: Client, stop: Stopped) -> str:
    if stop.libraries and not client.features.thread_suffix:
        return "library:"
    if stop.watch is not None:
        return f"{stop.watch[0].value}:{stop.watch[1]:x}"
    if stop.breakpoint is not None:
        # Only for a breakpoint of its own: GDB steps over the others without a word.
        if client.features.swbreak and client.selection.has_break(0, stop.breakpoint, stop.thread):
            return "swbreak:"
        if client.features.hwbreak and client.selection.has_break(1, stop.breakpoint, stop.thread):
            return "hwbreak:"
    return f"replaylog:{stop.replaylog}" if stop.replaylog else ""


def _threads_and_pcs(client: Client) -> tuple[str, str]:
    """Say what LLDB would ask next, one packet for each thread."""
    ids = client.target.threads.thread_ids()
    pcs = [client.target.registers.read_pc(thread) for thread in ids]
    return (
        f"threads:{','.join(map(client.selection.thread_text, ids))}",
        f"thread-pcs:{','.join(f'{pc:x}' for pc in pcs)}",
    )
