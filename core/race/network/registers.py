# SPDX-License-Identifier: Apache-2.0
"""Requests of harts to registers of the network: NIUs and the overlay's streams.

Tables by chip are indexed by `S.tile.chip`.
"""

from tensix_gdb.core.devices import niu as blackhole
from tensix_gdb.core.devices.niu import NIU_BASE, NIU_STRIDE
from tensix_gdb.core.devices.overlay import as_here
from tensix_gdb.core.devices.wormhole import niu as wormhole
from tensix_gdb.core.memory import streams
from tensix_gdb.core.noc.state import COUNTERS
from tensix_gdb.core.race.network import counters, requests
from tensix_gdb.core.race.network import streams as registers
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state import contract
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

INITIATOR_BYTES = (blackhole.CMD_BUF_OFFSET, wormhole.CMD_BUF_OFFSET)
CMD_CTRL = (blackhole.CMD_CTRL, wormhole.CMD_CTRL)
FIRST_COUNTER = 0x200


def processed(S: View, hart: int, stream: int, clock: int) -> int:
    """The oldest request of a stream was processed, and is one to the network."""
    addr = S.stream.addr[hart, stream, 0]
    kind = S.stream.kind[hart, stream, 0]
    if stream == streams.OVERLAY:
        if S.tile.chip:
            addr = as_here(1, addr)
        if S.state.on & Group.MEMORY:
            pc = S.stream.pc[hart, stream, 0]
            value = S.stream.data[hart, stream, 0, 0]
            contract.counter(S, addr, value, kind == streams.WRITE, site_of(S, hart, 0, 0, 0, pc))
        if kind == streams.WRITE:
            return registers.stored(S, addr, clock)
        return registers.loaded(S, addr, clock)
    niu = (addr - NIU_BASE) // NIU_STRIDE
    offset = addr & (NIU_STRIDE - 1)
    if kind == streams.WRITE:
        size = INITIATOR_BYTES[S.tile.chip]
        initiator = offset // size
        if offset % size == CMD_CTRL[S.tile.chip] and S.noc.wants[niu, initiator]:
            return requests.started(S, hart, niu, initiator, clock)
        return 0
    counter = (offset - FIRST_COUNTER) >> 2
    if 0 <= counter < COUNTERS:
        pc = S.stream.pc[hart, stream, 0]
        return counters.loaded(S, hart, niu, counter, clock, pc)
    return 0
