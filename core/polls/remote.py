# SPDX-License-Identifier: Apache-2.0
"""A hart that polls a word outside its tile: it reads the same over the NoC again and again.

Its loop stores to the NIU's registers, so poll.py, which follows loads, finds no poll there. What
it reads is in the slots of the NIU, which keep a request until another one takes the slot. Where
the hart's last ALIKE requests are the same read, it polls; what ends its loop is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.noc.coordinates import OURSELVES, at
from tensix_gdb.core.noc.request import KIND, READ
from tensix_gdb.core.noc.state import FREE, NIUS, SLOTS
from tensix_gdb.core.polls.poll import Poll
from tensix_gdb.core.record.layout import View

ALIKE = 4  # requests in a row
RECENT = 4096  # cycles since the last one; a hart that has read for the last time does other things
NIU_REGIONS = (Region.NOC0, Region.NOC1)
WORD = 4  # bytes of a value that is shown


@dataclass(frozen=True, slots=True)
class RemotePoll:
    """`niu` reads `length` bytes at `addr` of the tile `there` (as in NOC_TARG_ADDR_MID) to `copy`
    in L1, by an instruction of `hart` at `pc`."""

    hart: int
    niu: int
    there: int
    addr: int
    length: int
    copy: int
    pc: int


def remote_poll_of(S: View, hart: int) -> RemotePoll | None:
    """Return what a hart reads over the NoC again and again; None if it does not."""
    for niu in range(NIUS):
        found = list(_requests(S, niu, hart))[:ALIKE]
        if len(found) == ALIKE and found[0] is not None and len(set(found)) == 1:
            slot = _slots(S, niu, hart)[0]
            if S.noc.due[niu, slot] >= S.tile.cycle - RECENT:
                return found[0]
    return None


def is_of_remote(S: View, hart: int, poll: Poll | None) -> bool:
    """True if `poll` is none, or the wait for the answer to a read that the hart repeats."""
    if poll is not None and any(read.region not in NIU_REGIONS for read in poll.polled):
        return False
    return remote_poll_of(S, hart) is not None


def is_polled(S: View, niu: int, slot: int) -> bool:
    """True if the request in a slot is such a read of the hart that has started it."""
    hart = int(S.noc.hart[niu, slot])
    found = remote_poll_of(S, hart)
    return found is not None and found.niu == niu and _read(S, niu, slot, hart) == found


def under_way(S: View) -> Iterator[tuple[int, int]]:
    """Yield the slots of requests that have not ended: NIU and slot."""
    for niu in range(NIUS):
        yield from ((niu, slot) for slot in range(SLOTS) if S.noc.stage[niu, slot] != FREE)


def _slots(S: View, niu: int, hart: int) -> list[int]:
    """Return the slots with requests of a hart, the newest first."""
    newest = int(S.noc.next[niu]) - 1
    slots = ((newest - i) % SLOTS for i in range(SLOTS))
    return [slot for slot in slots if S.noc.hart[niu, slot] == hart and S.noc.length[niu, slot]]


def _requests(S: View, niu: int, hart: int) -> Iterator[RemotePoll | None]:
    for slot in _slots(S, niu, hart):
        yield _read(S, niu, slot, hart)


def _read(S: View, niu: int, slot: int, hart: int) -> RemotePoll | None:
    """Return a request that reads from another tile; None if it is something else."""
    there = int(S.noc.targ_at[niu, slot])
    if S.noc.ctrl[niu, slot] & KIND != READ or at(S, niu, there & 63, there >> 6) == OURSELVES:
        return None
    return RemotePoll(
        hart,
        niu,
        there,
        int(S.noc.targ[niu, slot]),
        int(S.noc.length[niu, slot]),
        int(S.noc.ret[niu, slot]),
        int(S.noc.pc[niu, slot]),
    )
