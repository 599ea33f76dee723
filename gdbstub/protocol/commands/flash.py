# SPDX-License-Identifier: Apache-2.0
"""vFlashErase, vFlashWrite, vFlashDone: programs written as if to flash memory.

The memory map says that L1 is RAM: as flash, GDB would refuse to write variables in it, and would
turn `break` into hardware breakpoints. So GDB's `load` writes with `X`, and these are here for
tools that always flash. An erase leaves ones, as flash does; writing is done at once.
"""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.packets import files as packets
from tensix_gdb.gdbstub.protocol.target import TargetError

MAX_ERASED = 16 << 20


def erase(client: Client, packet: packets.FlashErase) -> bytes:
    if packet.length > MAX_ERASED:
        raise TargetError(f"no more than {MAX_ERASED} bytes can be erased at once")
    client.stream.end_batch = True
    return _write(client, packet.addr, b"\xff" * packet.length)


def write(client: Client, packet: packets.FlashWrite) -> bytes:
    return _write(client, packet.addr, packet.data)


def _write(client: Client, addr: int, data: bytes) -> bytes:
    if data:
        client.target.memory.write_memory(client.selection.general_thread, addr, data)
    return replies.OK


def done(client: Client, packet: packets.FlashDone) -> bytes:
    return replies.OK


HANDLERS = (
    handles(packets.FlashErase, erase, changes=True),
    handles(packets.FlashWrite, write, changes=True),
    handles(packets.FlashDone, done),
)
