# SPDX-License-Identifier: Apache-2.0
"""The stream of each address: the table by page says what the regions of the map say."""

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, LOCAL_STRIDE, PUSH_BASE, PUSH_STRIDE
from tensix_gdb.core.arch.blackhole import SLOW_LOCAL_BASE as SLOW_BASE
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.memory.map import PAGE_SHIFT, PAGES, WINDOW, Region, region_on
from tensix_gdb.core.record.layout import View
from tests.machines import machine_on

IN_A_PAGE = (0, 4, 0x1C, 0x20, 0xFF0)
BELOW = (0, 0x16DFFC, 0x16E000, 0x17FFFC, 0x180000, WINDOW - 4)


def by_region(S: View, hart: int, addr: int, write: int) -> int:
    region = region_on(S, hart, addr)
    if len(DEVICES[region].latencies) == 1:
        return streams.FIRST[region]
    match region:
        case Region.SLOW_LOCAL:
            return streams.SLOW_LOCAL + (addr - SLOW_BASE) // LOCAL_STRIDE
        case Region.PUSH:
            return streams.PUSH + (addr - PUSH_BASE) // PUSH_STRIDE
        case Region.PCBUF:
            return streams.pcbuf_stream(hart, addr)
        case Region.MAILBOX:
            first = streams.MAILBOX_WRITE if write else streams.MAILBOX_READ
            return first + ((addr >> 12) & 3)
    return streams.NOWHERE


@pytest.mark.parametrize("arch", list(Arch))
def test_each_page_of_each_hart(arch: Arch) -> None:
    machine: Machine = machine_on("reference", arch=arch)
    S = machine.S
    pages = [WINDOW + (page << PAGE_SHIFT) for page in range(PAGES)]
    found = set()
    for addr in [*BELOW, *(page + offset for page in pages for offset in IN_A_PAGE)]:
        for hart in range(HARTS):
            for write in (0, 1):
                stream = streams.stream_of(S, hart, addr, write)
                assert stream == by_region(S, hart, addr, write), (hart, hex(addr), write)
                found.add(stream)
    assert found == set(range(streams.STREAMS)) or arch is not Arch.BLACKHOLE
    machine.close()
