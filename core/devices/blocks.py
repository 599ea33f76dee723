# SPDX-License-Identifier: Apache-2.0
"""The devices of the tile: their registers by address, and their values at power-up."""

from __future__ import annotations

from tensix_gdb.core.devices import (
    backend_config,
    gprs,
    mailboxes,
    mop_config,
    niu,
    overlay,
    pcbufs,
    pic,
    semaphores,
    tdma,
    tile_control,
    timestamper,
    ttsync,
)
from tensix_gdb.core.devices.registers import Block, Register
from tensix_gdb.core.memory.map import Region, region_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.vector import state as vector_state

# Devices whose registers have tables, and how far apart their copies are (0: there is one).
BLOCKS: dict[Region, tuple[Block, int]] = {
    Region.TDMA: (tdma.BLOCK, 0),
    Region.TILE_CONTROL: (tile_control.BLOCK, 0),
    Region.PIC: (pic.BLOCK, 0),
    Region.NOC0: (niu.BLOCK, 0),
    Region.NOC1: (niu.BLOCK, 0),
    Region.OVERLAY: (overlay.BLOCK, overlay.STREAM_STRIDE),
}
# The others, as (base, registers).
ROWS: dict[Region, tuple[int, tuple[Register, ...]]] = {
    Region.MOP_CONFIG: (mop_config.MOP_CONFIG_BASE, mop_config.REGISTERS),
    Region.GPR: (gprs.GPR_BASE, gprs.REGISTERS),
    Region.PCBUF: (
        pcbufs.PC_BUF_BASE,
        (*pcbufs.REGISTERS, *ttsync.REGISTERS, *semaphores.REGISTERS),
    ),
    Region.MAILBOX: (mailboxes.MAILBOX_BASE, mailboxes.REGISTERS),
    Region.CONFIG: (backend_config.CONFIG_BASE, backend_config.REGISTERS),
}


def register_name(hart: int, addr: int) -> str | None:
    """The name of the register that `addr` is to `hart`; None when it has none."""
    region = Region(region_of(hart, addr))
    addr &= ~3
    if region in BLOCKS:
        block, stride = BLOCKS[region]
        title = block.title((addr - block.base) % block.size)
        if title and stride:
            return f"{title} of stream {(addr - block.base) // stride}"
        return title
    if region in ROWS:
        base, registers = ROWS[region]
        for register in registers:
            index, rest = divmod(addr - base - register.offset, register.step)
            if rest == 0 and 0 <= index < register.count:
                return register.title(index)
    return None


def power_up(S: View) -> None:
    """Values that are not 0 when the tile gets power; the record is all zeros."""
    for slot in range(1, niu.BLOCK.count):
        for unit in range(niu.NIUS):
            S.niu.word[unit, slot] = niu.BLOCK.resets[slot]
    S.timestamper.cntl = timestamper.CNTL_RESET
    tracker.power_up(S)
    vector_state.power_up(S)
