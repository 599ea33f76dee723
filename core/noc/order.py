# SPDX-License-Identifier: Apache-2.0
"""In which order requests of one NIU take effect (WormholeB0 NoC/Ordering.md; Blackhole refers to a
page of that name that there is not).

Two requests to the same tile, or to the same rectangle, take the same route. If they also have the
same virtual channel, which VC_STATIC and VC_LINKED ensure, the first is there before the second. On
different channels, and on different NoCs, nothing orders them. On one channel the pages order

    a write, then a read               the write is done before the read begins
    a linked read, then anything       the data is read before
    an atomic that answers, an atomic
    two writes of registers
    two reads, one of registers        the first is done before the second begins

Shipped kernels also rely on the order of two writes, and of a write and an atomic after it: a
semaphore after its data (tt-metal, "same vc, same cmd_buf"). That they arrive in order is stated;
that they take effect in order is not. `random:SEED,strict` does not keep these.

Everything here is about tiles of a chip (core/chip); requests of a tile alone keep their distances.
"""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.noc.coordinates import TENSIX, at, home, way_back
from tensix_gdb.core.noc.request import (
    ATOMIC,
    BROADCAST,
    CHANNEL,
    INLINE,
    KIND,
    LINKED,
    MARKED,
    MMIO,
    READ,
    STATIC,
    WRITE,
    XY,
    flits_of,
    on_link,
    target,
)
from tensix_gdb.core.noc.state import AFTER_READ, COMING, GOING, HELD, NIUS, SLOTS
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule, xorshift

NEVER = 1 << 62
# In `random` one request in four is up to so many cycles late, and one in 32 up to VERY_LATE: a
# way to DRAM and back is longer than the first.
LATE, ONE_IN = 256, 4
VERY_LATE, SELDOM = 2048, 32


def late(S: View, niu: int, slot: int, due: int, receiver: int) -> int:
    """Return a cycle in which a request is at an end, or later in `random`. How late depends on
    nothing but the request, so that it does not matter when it is asked."""
    if S.noc.seed == 0:
        return due
    number = mix(S.noc.seed, home(S, 0))
    number = mix(number, niu * SLOTS + slot)
    number = mix(mix(number, due & MASK32), receiver)
    if number % ONE_IN:
        return due
    return due + (number >> 8) % (LATE if number % SELDOM else VERY_LATE)


def mix(number: int, value: int) -> int:
    """Return a number that depends on both."""
    mixed = (number ^ value * 0x9E3779B1) & MASK32
    return xorshift(xorshift(mixed if mixed else 1))


def in_order(S: View, niu: int, slot: int, due: int, length: int) -> int:
    """Return the cycle in which a request that takes `slot` is at its target: not before what it
    has to come after."""
    ctrl = S.noc.ctrl[niu, slot]
    there = there_of(S, niu, slot)
    for i in range(1, SLOTS):
        other = (slot + i) % SLOTS  # the oldest first
        if not S.noc.stage[niu, other] or there_of(S, niu, other) != there:
            continue
        if not same_channel(S, niu, other, slot):
            continue
        if reads_first(S, niu, other, slot):
            due = max(due, data_read(S, niu, other, there) + 1)
        elif (
            S.noc.stage[niu, other] == GOING
            and not ctrl & BROADCAST  # core/chip knows when each receiver has it
            and keeps_order(S, niu, other, slot)
        ):
            due = max(due, S.noc.due[niu, other] + max(length, 1))
    return due


def waits_for_read(S: View, niu: int, slot: int) -> int:
    """True if it may not be at its target before the data of a read before it has been read."""
    return 1 if read_before(S, niu, slot) else 0


def read_before(S: View, niu: int, slot: int) -> int:
    """Return the cycle after the one in which that data is read, or 0."""
    there = there_of(S, niu, slot)
    due = 0
    for i in range(1, SLOTS):
        other = (slot + i) % SLOTS
        if (
            S.noc.stage[niu, other]
            and there_of(S, niu, other) == there
            and same_channel(S, niu, other, slot)
            and reads_first(S, niu, other, slot)
        ):
            due = max(due, data_read(S, niu, other, there) + 1)
    return due


def takes_no_time(S: View) -> int:
    """True if a request is at its end in the cycle in which it is made: in `sc`, in a tile alone.

    On a chip it takes the cycles of `latency` in `sc` too, each a turn of every hart: tiles run by
    themselves for a quantum (core/chip), and in it none may reach another.
    """
    return 1 if S.schedule.kind == Schedule.SC and not S.noc.home else 0


def there_of(S: View, niu: int, slot: int) -> int:
    """Return where the request goes."""
    return S.noc.targ_at[niu, slot] if target(S.noc.ctrl[niu, slot]) else S.noc.ret_at[niu, slot]


def alone(S: View, niu: int, slot: int) -> int:
    """True unless it is for other Tensix tiles: those are the chip's (core/chip), and so is one
    for DRAM or the host until the links have said when it is there."""
    if S.noc.held[niu, slot] or S.noc.ctrl[niu, slot] & BROADCAST:
        return 0
    there = there_of(S, niu, slot)
    return 0 if at(S, niu, there & 63, there >> 6) == TENSIX else 1


def same_channel(S: View, niu: int, first: int, second: int) -> int:
    """True if both have the same virtual channel at every hop."""
    a = S.noc.ctrl[niu, first]
    b = S.noc.ctrl[niu, second]
    if a & BROADCAST != b & BROADCAST or (a & BROADCAST and a & XY != b & XY):
        return 0
    if a & STATIC and b & STATIC and a & CHANNEL == b & CHANNEL:
        return 1
    slot = first
    for _ in range(SLOTS):  # of one transaction
        if slot == second:
            return 1
        if not S.noc.ctrl[niu, slot] & LINKED:
            return 0
        slot = (slot + 1) % SLOTS
    return 0


def reads_first(S: View, niu: int, first: int, second: int) -> int:
    """True if the data of the first, a read, is read before the second begins."""
    if S.noc.ctrl[niu, first] & KIND != READ:
        return 0
    if S.noc.ctrl[niu, first] & LINKED:
        return 1
    if S.noc.ctrl[niu, second] & KIND != READ:
        return 0
    return 1 if S.noc.targ[niu, first] >= MMIO or S.noc.targ[niu, second] >= MMIO else 0


def data_read(S: View, niu: int, slot: int, there: int) -> int:
    """When the data of a read is read: here, when its answer is back (core/noc/arrive.py)."""
    if S.noc.stage[niu, slot] == COMING:
        return S.noc.due[niu, slot]
    return answered(S, niu, slot, S.noc.due[niu, slot], there)


def answered(S: View, niu: int, slot: int, when: int, there: int) -> int:
    """Return when the answer to a read that is at its target in cycle `when` is back."""
    size = on_link(flits_of(S, S.noc.length[niu, slot]))
    return late(S, niu, slot, when + way_back(S, niu, there) + size, 0)


def keeps_order(S: View, niu: int, first: int, second: int) -> int:
    """True if the first takes effect before the second. See the table above."""
    if not S.schedule.strict:
        return 1
    a = S.noc.ctrl[niu, first]
    b = S.noc.ctrl[niu, second]
    if a & KIND == WRITE and b & KIND == READ:
        return 1
    if a & KIND == ATOMIC and b & KIND == ATOMIC and a & MARKED:
        return 1
    if a & KIND != WRITE or b & KIND != WRITE:
        return 0
    return 1 if written(S, niu, first) >= MMIO and written(S, niu, second) >= MMIO else 0


def written(S: View, niu: int, slot: int) -> int:
    """Return the address that a write writes."""
    return S.noc.targ[niu, slot] if S.noc.ctrl[niu, slot] & INLINE else S.noc.ret[niu, slot]


def next_due(S: View, cycle: int, ALL: int) -> int:
    """Return the first cycle after `cycle` in which a request of this tile for other tiles is at an
    end, with ALL any request, NEVER if there is none; or `cycle` itself if one for other tiles is,
    which core/chip has to carry out first. Of those that the links carry core/links knows."""
    first = NEVER
    for niu in range(NIUS):
        for slot in range(SLOTS):
            held = S.noc.held[niu, slot]
            if held == HELD or held == AFTER_READ:  # core/links knows
                continue
            if S.noc.stage[niu, slot] and S.noc.due[niu, slot] < first:
                if ALL and S.noc.due[niu, slot] > cycle:
                    first = S.noc.due[niu, slot]
                elif not alone(S, niu, slot):
                    if S.noc.due[niu, slot] <= cycle:
                        return cycle
                    first = S.noc.due[niu, slot]
    return first
