# SPDX-License-Identifier: Apache-2.0
"""Loads that give the same until something writes, and change nothing."""

from __future__ import annotations

from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from tensix_gdb.core.memory.map import Region, region_on
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.table import OPS

KEEPING = {
    *(Region.L1, Region.LOCAL, Region.GPR, Region.CONFIG, Region.NOC0, Region.NOC1, Region.OVERLAY),
}
SEMAPHORE_WINDOW = range(SEMAPHORE_BASE, SEMAPHORE_BASE + 4 * SEMAPHORES)
CSR_READS = {OPS["csrrs"], OPS["csrrc"]}
CSRS_THAT_KEEP = {0x7C0, 0xBC0, 0xBC1, 0xF14}  # cfg0, tt_cfg_qstatus, tt_cfg_bstatus, mhartid


def keeps(S: View, hart: int, addr: int) -> bool:
    """True if a load from an address is one of them."""
    region = region_on(S, hart, addr)
    return region in KEEPING or (region == Region.PCBUF and addr in SEMAPHORE_WINDOW)
