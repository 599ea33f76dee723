# SPDX-License-Identifier: Apache-2.0
"""When a request of another tile is processed at its target: the banks of L1 that it needs may be
kept by a narrow write (memory/l1_ports.py), in the schedule `latency`.

    it is there ──► no bank is kept, and nothing waits ──► now
                ├──► a bank is kept ──► when all are free: it is the first
                └──► others wait at the same NIU ──► a turn after the last of them

A NIU processes requests in the order in which they come, so that a semaphore is not there before
its data. No two turns of a NIU are in one cycle. If the first one finds its bank kept again, those
after it get new turns, in the same order.

UNSPECIFIED(WormholeB0 L1.md): what waits. The page has the NoC among what needs a bank, and no
figure of a card tells this wait from one of the way. What a request reads waits for no bank: its
data is read when the answer is in (core/noc/carry.py), and what comes after a read counts on that.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.engine.native import on
from tensix_gdb.core.memory.l1_ports import kept_until, niu_writes
from tensix_gdb.core.noc.request import ATOMIC, BYTE_ENABLE, FLIT, KIND, READ, is_write_of_data
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule

LINE = 16  # bytes of a bank


def turn_of(S: View, niu: int, slot: int, far: int, given: int) -> int:
    """Return the cycle in which a request, which is at the tile of record `far`, is processed; 0
    for now. `given` is the turn that it has been given there, or 0."""
    if S.schedule.kind != Schedule.LATENCY:
        return 0
    return on(far, turn, niu, given, first_byte(S, niu, slot), size_there(S, niu, slot))


def first_byte(S: View, niu: int, slot: int) -> int:
    """Return the first address at the target that it writes."""
    return S.noc.ret[niu, slot] if is_of_data(S, niu, slot) else S.noc.targ[niu, slot] & ~15


def size_there(S: View, niu: int, slot: int) -> int:
    """Return how many bytes it writes there."""
    ctrl = S.noc.ctrl[niu, slot]
    if ctrl & KIND == READ:
        return 0
    if not is_of_data(S, niu, slot):
        return LINE
    return FLIT[S.tile.chip] if ctrl & BYTE_ENABLE else S.noc.length[niu, slot]


def is_of_data(S: View, niu: int, slot: int) -> int:
    """True for a write of data from L1; others change one word."""
    ctrl = S.noc.ctrl[niu, slot]
    return 1 if ctrl & KIND != ATOMIC and is_write_of_data(ctrl) else 0


def turn(S: View, niu: int, given: int, addr: int, size: int) -> int:
    """At the target: as `turn_of`, for so many bytes from `addr` on."""
    now = S.tile.cycle
    first = S.noc.first_turn[niu]
    last = S.noc.last_turn[niu]
    is_next = 1 if given == now and (given == first or first < now) else 0
    if now <= last and not is_next:
        S.noc.last_turn[niu] = last + 1
        return last + 1
    until = kept_until(S, addr, size) if size and addr + size <= L1_END[S.tile.chip] else 0
    if until <= now:
        return 0
    until = max(until, last + 1)
    S.noc.first_turn[niu] = until
    S.noc.last_turn[niu] = until
    return until


def keep_banks(S: View, niu: int, slot: int, far: int) -> int:
    """Note the banks that the request, which is processed now, keeps at its target."""
    ctrl = S.noc.ctrl[niu, slot]
    if ctrl & KIND == READ or S.schedule.kind != Schedule.LATENCY:
        return 0
    if not is_of_data(S, niu, slot):
        return on(far, keep, S.noc.targ[niu, slot] & ~3, 4)
    if not ctrl & BYTE_ENABLE:
        return on(far, keep, S.noc.ret[niu, slot], S.noc.length[niu, slot])
    for part in range(0, FLIT[S.tile.chip], LINE):
        mask = S.noc.length[niu, slot] if part < 32 else S.noc.mask[niu, slot]
        enabled = (mask >> (part & 31)) & 0xFFFF
        if enabled and enabled != 0xFFFF:
            on(far, keep, (S.noc.ret[niu, slot] & ~15) + part, 1)
    return 0


def keep(S: View, addr: int, size: int) -> int:
    """The same at the target."""
    return niu_writes(S, addr, size) if addr + size <= L1_END[S.tile.chip] else 0
