# SPDX-License-Identifier: Apache-2.0
"""A request from one Tensix tile to another one: its two ends, as for a tile alone
(core/noc/arrive.py).

    GOING ──► at its target: a write or atomic takes effect, the target counts ──► COMING
    COMING ──► back: the data of a read is written, the initiator counts

UNSPECIFIED(NoC/Ordering.md): when each 16 bytes of a packet are read and written. All move in
one cycle, as for a tile alone: a write's when it is at its target, a read's when its answer is in.
"""

from __future__ import annotations

from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.noc.arrive import count_back, count_sent, count_there, flits, outside_l1
from tensix_gdb.core.noc.atomic import L1_END, operate
from tensix_gdb.core.noc.coordinates import way_back
from tensix_gdb.core.noc.initiate import ATOMIC, BYTE_ENABLE, FLIT, INLINE, KIND, MARKED, READ
from tensix_gdb.core.noc.state import COMING, FREE
from tensix_gdb.core.stop import fault


class End:
    """A tile as an end of requests."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.S = machine, machine.S
        self.memory = NocAccess(machine.record, machine.memory)
        self.stages = machine.record.row(machine.record.layout.slot("noc", "stage"))


def arrive(near: End, far: End, niu: int, slot: int, there: int) -> bool:
    """The request is at its target. False with a fault of the hart that has started it."""
    S, noc = near.S, near.S.noc
    ctrl = int(noc.ctrl[niu, slot])
    if ctrl & KIND == ATOMIC:
        if not _atomic(near, far, niu, slot):
            return False
    elif ctrl & KIND != READ and not _write(near, far, niu, slot):
        return False
    if ctrl & KIND != READ:
        count_sent(S, niu, slot, ctrl)
    size = flits(S, niu, slot)
    count_there(far.S, niu, ctrl, size)
    if ctrl & KIND == READ or ctrl & MARKED:
        noc.stage[niu, slot] = COMING
        back = way_back(S, niu, there) + (size if ctrl & KIND == READ else 1)
        noc.due[niu, slot] = S.tile.cycle + back
    else:
        noc.stage[niu, slot] = FREE
    S.tile.idle_cycles = far.S.tile.idle_cycles = 0
    return True


def come_back(near: End, far: End, niu: int, slot: int) -> bool:
    """The answer is back. False with a fault of the hart that has started the request."""
    S, noc = near.S, near.S.noc
    ctrl = int(noc.ctrl[niu, slot])
    ret = int(noc.ret[niu, slot])
    try:
        if ctrl & KIND == READ:
            data = far.memory.read(int(noc.targ[niu, slot]), int(noc.length[niu, slot]))
            near.memory.write(ret, data)
        elif ctrl & KIND == ATOMIC:
            near.memory.write(ret & ~3, int(noc.data[niu, slot]).to_bytes(4, "little"))
    except MemoryFault:
        outside_l1(S, niu, slot, int(noc.targ[niu, slot]))
        return False
    count_back(S, niu, slot, ctrl)
    noc.stage[niu, slot] = FREE
    S.tile.idle_cycles = 0
    return True


def _write(near: End, far: End, niu: int, slot: int) -> bool:
    noc = near.S.noc
    ctrl, length = int(noc.ctrl[niu, slot]), int(noc.length[niu, slot])
    source, to = int(noc.targ[niu, slot]), int(noc.ret[niu, slot])
    try:
        if ctrl & INLINE:
            far.memory.write(source & ~3, int(noc.data[niu, slot]).to_bytes(4, "little"))
        elif ctrl & BYTE_ENABLE:
            enabled = length & 0xFFFFFFFF | int(noc.mask[niu, slot]) << 32
            source, to = source & ~15, to & ~15
            old, new = far.memory.read(to, FLIT), near.memory.read(source, FLIT)
            far.memory.write(to, bytes(new[i] if enabled >> i & 1 else old[i] for i in range(FLIT)))
        else:
            far.memory.write(to, near.memory.read(source, length))
    except MemoryFault:
        outside_l1(near.S, niu, slot, source if ctrl & INLINE else to)
        return False
    return True


def _atomic(near: End, far: End, niu: int, slot: int) -> bool:
    """Execute it; the answer waits in the slot for its way back."""
    S, noc = near.S, near.S.noc
    operands, targ = int(noc.length[niu, slot]) & 0xFFFFFFFF, int(noc.targ[niu, slot])
    hart, pc = int(noc.hart[niu, slot]), int(noc.pc[niu, slot])
    if targ + 16 > L1_END:
        fault(S, hart, Fault.NOC_OUTSIDE_L1, targ, pc)
        return False
    old = int.from_bytes(far.memory.read(targ & ~3, 4), "little")
    if operate(far.S, operands, targ & ~15, int(noc.data[niu, slot])) < 0:
        fault(S, hart, Fault.NOC_ATOMIC, operands, pc)
        return False
    noc.data[niu, slot] = old
    return True
