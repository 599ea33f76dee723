# SPDX-License-Identifier: Apache-2.0
"""qRcmd: `monitor`.

GDB says "Ignoring packet error, continuing..." when it hears nothing for its remotetimeout, 2 s. So
while a command takes long it gets empty console packets, as OpenOCD sends them. They come from a
thread: the command has the event loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import MONITOR
from tensix_gdb.gdbstub.protocol.commands.outcome import Packets
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.rsp.packets import general as packets
from tensix_gdb.gdbstub.protocol.target import TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.capabilities import Monitor

LONGEST = 1000  # bytes of a command: what takes longer than its text is long stays short so
CONSOLE_PACKET_BYTES = PACKET_SIZE // 2 - 16  # of text in one console packet

ALIVE_SECONDS = 1.0  # between two signs of life


@contextmanager
def _kept_alive(sign: Callable[[], object] | None) -> Iterator[None]:
    """Give a sign of life now and then, where there is a way to."""
    if sign is None:
        yield
        return
    done = threading.Event()

    def signs() -> None:
        while not done.wait(ALIVE_SECONDS):
            sign()

    thread = threading.Thread(target=signs, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def command(client: Client, monitor: Monitor, packet: packets.MonitorCommand) -> Packets:
    """Show what the command says. What it refuses is shown too: then the command itself is OK,
    because clients that send `monitor reset halt` on their own give up at an error."""
    line = packet.command.decode("utf-8", "replace")
    runs = client.non_stop is not None and client.non_stop.any_running
    running = bool(client.running_for()) or runs
    try:
        if len(packet.command) > LONGEST:
            raise TargetError(f"a `monitor` command has no more than {LONGEST} bytes")
        with _kept_alive(client.stream.keep_alive):
            text = monitor.command(client.selection.general_thread, line, running=running)
    except TargetError as problem:
        text = f"{problem}\n"
    data = (client.console.take_news() + text).encode("utf-8")
    shown = [
        replies.console(data[at : at + CONSOLE_PACKET_BYTES])
        for at in range(0, len(data), CONSOLE_PACKET_BYTES)
    ]
    return Packets((*shown, replies.OK))


HANDLERS = (MONITOR.handles(packets.MonitorCommand, command),)
