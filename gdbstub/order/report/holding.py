# SPDX-License-Identifier: Apache-2.0
"""The ways to hold one side of a report back, and to know that the other one is over.

    the earlier access is    held is                                from the cycle in which it
    a request of a hart      the oldest request of its stream       is processed
                             the store queue, or the load in EX1    is emitted
                             the same for a while, then the first
    a MOP                    its push, in the same ways
    of a unit, in L1         what the unit does in L1               is reported
    of an instruction        its gate                               passes
                             its push, as above

The first way of a request or of a unit is exact: it delays this access and what needs it. The
others delay more, so that nothing moves then says nothing by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.memory import streams
from tensix_gdb.core.ordering import holds
from tensix_gdb.core.race.findings import Access, Place, State
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.table import ROWS, by_mnemonic

# Goes to the start of a cycle of the observed run; False if there is no way there.
ToCycle = Callable[[int], bool]

_EXPANDER = "MOP expander"
# What the unit has of a thread, as STALLWAIT's conditions say it.
_CONDITIONS = {
    "configuration": 12,
    "scalar": 0,
    "unpack 0": 1,
    "unpack 1": 2,
    "pack": 3,
    "math": 4,
    "vector": 11,
    "mover": 9,
}
_UNITS = {
    "unpack 0": holds.UNPACKERS,
    "unpack 1": holds.UNPACKERS,
    "pack": holds.PACKER,
    "mover": holds.MOVER,
}
# Of the Scalar Unit: what they do is over when their request is.
_MEMORY = (state_use.State.L1, state_use.State.DEVICE)
_REQUESTS = frozenset(
    row.mnemonic
    for row in ROWS
    if row.unit is Unit.THCON and any(use.state in _MEMORY for use in (*row.reads, *row.writes))
)
_NAMES = {
    holds.UNPACKERS: "the unpackers are",
    holds.PACKER: "the packer is",
    holds.MOVER: "the mover is",
    holds.MEMORY: "the Scalar Unit's requests are",
}


@dataclass(frozen=True, slots=True)
class Hold:
    """A way to let the earlier access be late: what is held, from the start of a cycle on."""

    cycle: int
    at: int  # holds.REQUEST ...
    party: int
    stream: int
    is_exact: bool
    text: str  # "the sw is"
    settles: bool = False  # its hart emits nothing for a while first
    pc: int = 0

    def let_out(self, S: View) -> None:
        """Let the hart emit again; nothing is held, and what is awaited is counted."""
        S.hold.at = holds.NOWHERE

    def is_there(self, S: View) -> bool:
        """True if the request is the oldest of its stream."""
        first = int(S.stream.pc[self.party, self.stream, 0])
        return bool(S.stream.count[self.party, self.stream]) and first <= self.pc < first + 16

    def arm_there(self, S: View) -> None:
        """Hold it there."""
        S.hold.at, S.hold.stream = holds.REQUEST, self.stream

    def arm(self, S: View) -> None:
        """Write what is held; `await_later` and `holds.begin_hold` do the rest."""
        S.hold.at, S.hold.party, S.hold.stream = self.at, self.party, self.stream


def unit_of(access: Access) -> str:
    """`unpack 0`, `pack`, or nothing for an access at the gate."""
    if access.thread is None:
        return ""
    return access.agent.removeprefix(f"thread {access.thread}").strip()


def ways_to_hold(S: View, access: Access, place: Place, to_cycle: ToCycle) -> Iterator[Hold]:
    """Yield the ways, the nearest first. Asking for the next one may move the tile."""
    unit = unit_of(access)
    if access.thread is None or unit == _EXPANDER:
        name = f"the {'push of the MOP' if unit else access.instruction} is"
        yield from _of_request(S, access, access.first, name, to_cycle, is_exact=True)
        return
    if not to_cycle(access.first):
        return
    at = 0
    if access.instruction in _REQUESTS:
        at = holds.MEMORY
    elif place.state is State.L1 or unit == "mover":
        at = _UNITS.get(unit, 0)
    if at:
        yield Hold(access.first, at, access.thread, 0, True, _NAMES[at])
        to_cycle(access.first)
    pushed = _pushed_in(S, access)
    if pushed is None:
        return
    name = f"{access.instruction} is"
    yield Hold(access.first, holds.AT_GATE, access.thread, 0, not unit, name)
    name = f"the push of {access.instruction} is"
    yield from _of_request(S, access, pushed, name, to_cycle, is_exact=False)


def _of_request(
    S: View, access: Access, cycle: int, name: str, to_cycle: ToCycle, *, is_exact: bool
) -> Iterator[Hold]:
    """At its region, where it is processed in `cycle`; then where its hart emits it."""
    stream = _stream_with(S, access) if to_cycle(cycle) else None
    if stream is None:
        return
    emitted = int(S.stream.born[access.hart, stream, 0])
    is_load = S.stream.kind[access.hart, stream, 0] != streams.WRITE
    yield Hold(cycle, holds.REQUEST, access.hart, stream, is_exact, name)
    at = holds.LOADS if is_load else holds.STORES
    yield Hold(emitted, at, access.hart, stream, False, name)
    yield Hold(emitted, at, access.hart, stream, False, name, settles=True, pc=access.pc)


def _stream_with(S: View, access: Access) -> int | None:
    """Return the stream of which the oldest request is of the instruction."""
    for stream in range(streams.STREAMS):
        if not S.stream.count[access.hart, stream]:
            continue
        words = 4 if streams.PUSH <= stream < streams.PCBUF else 1
        first = int(S.stream.pc[access.hart, stream, 0])
        if first <= access.pc < first + 4 * words:
            return stream
    return None


def _pushed_in(S: View, access: Access) -> int | None:
    """Return when the instruction, which is at its gate, came into its FIFO."""
    thread = access.thread
    assert thread is not None
    at = S.fifo.head[thread, C]
    if not S.fifo.count[thread, C] or S.fifo.pc[thread, C, at] != access.pc:
        return None
    return int(S.fifo.cycle[thread, C, at])


def await_later(S: View, access: Access) -> None:
    """Write what is awaited."""
    hold = S.hold
    hold.addr, hold.opcode, hold.conditions = access.pc, 0, 0
    unit = unit_of(access)
    if access.thread is None:
        hold.awaits, hold.other = holds.OF_HART, access.hart
    elif unit == _EXPANDER:
        hold.awaits, hold.other = holds.OF_EXPANDER, T0 + access.thread
    else:
        hold.awaits, hold.other = holds.OF_THREAD, access.thread
        rows = by_mnemonic(Arch.BLACKHOLE).get(access.instruction, ())
        hold.opcode = rows[0].encoding.match >> 24 if rows else 0
        if unit in _CONDITIONS:
            hold.conditions = 1 << _CONDITIONS[unit]
