# SPDX-License-Identifier: Apache-2.0
"""vFlashErase, vFlashWrite, vFlashDone: programs written as if to flash memory.

The memory map says that L1 is RAM: as flash, GDB would refuse to write variables in it, and would
turn `break` into hardware breakpoints. So GDB's `load` writes with `X`, and these are here for
tools that always flash. An erase leaves ones, as flash does; writing is done at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.commands.handler import handles
from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.rsp.packets import files as packets
from tensix_gdb.gdbstub.target import TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session

MAX_ERASED = 16 << 20


def erase(session: Session, packet: packets.FlashErase) -> bytes:
    if packet.length > MAX_ERASED:
        raise TargetError(f"no more than {MAX_ERASED} bytes can be erased at once")
    session.stream.end_batch = True
    return _write(session, packet.addr, b"\xff" * packet.length)


def write(session: Session, packet: packets.FlashWrite) -> bytes:
    return _write(session, packet.addr, packet.data)


def _write(session: Session, addr: int, data: bytes) -> bytes:
    if data:
        session.target.memory.write_memory(session.selection.general_thread, addr, data)
    return replies.OK


def done(session: Session, packet: packets.FlashDone) -> bytes:
    return replies.OK


HANDLERS = (
    handles(packets.FlashErase, erase, changes=True),
    handles(packets.FlashWrite, write, changes=True),
    handles(packets.FlashDone, done),
)
