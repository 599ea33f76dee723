# SPDX-License-Identifier: Apache-2.0
"""Prove that nothing in the tile can move any more, by watching a copy of it.

The clock only suspects (core/clock/watchdog.py). `is_dead` then lets the tile run for WINDOW cycles
or more, looks at every one of them, and puts everything back. The tile is dead when

  1  no hart has stored, pushed, or executed anything else than arithmetic, branches, loads from
     memories and registers that keep their values, fences, reads of CSRs that do not count, and
     stores to its own stack in a loop of 2b;
  2  each hart either has not issued at all in the window (it waits for a device, or spins in one
     instruction), or
     a  has come back to the same pc with the same registers, no load being under way, and no line
        in its L0 cache that differs from L1,
     b  or is in a loop that is proved to go round for ever while memory stays (core/polls/poll.py):
        there it may count, keep the count on its stack, and read old copies in its L0 cache;
  3  memories, devices and the coprocessor are, byte for byte, as they were, and nothing in them is
     due at a later cycle.

From 3 every load gives what it gave before; so from 2 each hart that spins goes the same way for
ever, whatever the timing, and from 1 it changes nothing on its way; so nothing that waits can ever
see anything new. Timing enters nowhere: the proof holds in every schedule. What can be changed from
outside (a debugger, a host) can be changed after the stop as well.

Pauses (core/ordering/pauses.py) are timing too. Meanwhile there are none, so that a hart that is
paused cannot be taken for one that waits.

A hart that looks at what it counts, or reads a clock, is taken for one that runs, and so is all
that an open interrupt or the debug interface may do: then nothing is proved. Where a host outside
writes to the tile while it runs (`Host.is_present`), no hart may spin at all.

The clock suspects nothing while all harts execute. Then core/machine/looks.py suspects that they
only poll.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, THREADS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.clock.polling import NEAR
from tensix_gdb.core.clock.polling_rows import OFF
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.kept_stop import put_stop_back, stop_rows
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.machine.entries import RUN, RUN_TIMED, RUN_TIMED_CHECKED
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.map import Region, region_of
from tensix_gdb.core.ordering.holds import MEMORY, UNPACKERS, holds_request
from tensix_gdb.core.ordering.pauses import end_pauses
from tensix_gdb.core.perf.fields import PENDING_COUNT
from tensix_gdb.core.polls.keeping import CSR_READS, CSRS_THAT_KEEP, KEEPING, SEMAPHORE_WINDOW
from tensix_gdb.core.record.layout import Tag, View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES
from tensix_gdb.core.riscv.reset import update_issuing
from tensix_gdb.core.riscv.table import FORMS, Form
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.scalar import pipeline as thcon

if TYPE_CHECKING:
    from tensix_gdb.core.polls.poll import Poll

WINDOW = 512  # longer than any request of a hart is under way, and than any device takes
LONGEST = 4096  # cycles in which a hart has to come back
SETTLED = 160  # cycles after which what was under way has come to its end

HARMLESS = {
    Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.BRANCH, Form.LUI, Form.AUIPC, Form.JAL, Form.JALR,
    Form.FENCE, Form.FENCE_I,
}  # fmt: skip

# What belongs to the way of a hart and is looked at by itself.
OF_A_WAY = {"hart", "pipeline", "frontend", "stream", "schedule"}
# Ports that are busy: they delay what comes next, and nothing happens when they are free again.
DELAYS = {"l1_port"}
# Numbers that only order what is under way.
ORDERS = {("tracker", "next")}
LASTING = {("hart", name) for name in ("in_reset", "paused", "in_handler", "cfg0")}


@dataclass
class _Way:
    """The progress of one hart in the window: where it was, and whether it has come back to there.

    A hart that is still at its anchor has not come back: it may wait for a load's answer.
    """

    moved: bool = False
    left: bool = False  # moved since it was at its anchor
    poll: Poll | None = None  # the loop that it is in, when that is known
    looked: bool = False  # for it
    seen: set[int] = field(default_factory=set)  # pcs of what it has executed
    returned: bool = False
    anchor: tuple[int, bytes] = (-1, b"")
    next_anchor: int = SETTLED

    @property
    def proved(self) -> bool:
        return self.returned or not self.moved or self.goes_round

    @property
    def goes_round(self) -> bool:
        return self.poll is not None and self.poll.is_proved and self.seen <= self.poll.pcs

    @property
    def stores(self) -> bool:
        return self.goes_round and self.poll is not None and self.poll.stores


def is_dead(engine: Engine, record: Record, memory: Access, *, has_host: bool = False) -> bool:
    """True if it is proved that nothing can move any more; the tile stays as it is. With `has_host`
    a host may write to it while it runs."""
    S = record.S
    busy = S.tile.pending & ~PENDING_COUNT
    if busy or any(S.hart.held[hart] or S.hart.observed[hart] for hart in range(HARTS)):
        return False
    if any(S.gate_stop.held[thread] for thread in range(THREADS)):
        return False
    if has_host and any(_is_free(S, hart) for hart in range(HARTS)):
        return False  # it moves in the first cycles of `_watch`: no copy of the tile for that
    kept, stop = record.snapshot(), stop_rows(S)
    try:
        end_pauses(S)
        return _watch(engine, record, memory, kept, has_host=has_host)
    finally:
        record.restore(kept)
        memory.forget_all()
        S.polling.state = OFF
        for hart in range(HARTS):
            update_issuing(S, hart)
        put_stop_back(S, stop)


def _is_free(S: View, hart: int) -> bool:
    """True if a hart issues, and waits for nothing but loads from L1 and its local RAM."""
    return bool(
        S.hart.issuing[hart] and not (S.hart.waits_for[hart] or S.stream.busy[hart] & ~NEAR)
    )


def _watch(
    engine: Engine, record: Record, memory: Access, kept: bytearray, *, has_host: bool
) -> bool:
    """Run for a while; False as soon as anything has moved."""
    S = record.S
    timed = RUN_TIMED_CHECKED if S.hold.on else RUN_TIMED  # what is held stays so
    entry = (RUN if S.schedule.kind == Schedule.SC else timed).name
    ways = {hart: _Way() for hart in range(HARTS) if S.hart.issuing[hart]}
    for cycle in range(LONGEST):
        S.tile.stalled_cycles = S.tile.idle_cycles = 0  # no suspicion meanwhile
        before = {hart: (S.hart.pc[hart], _address(S, hart)) for hart in ways}
        engine.call(entry, 1)
        if S.stop.kind != StopKind.NONE:
            return False
        for hart, way in ways.items():
            pc, addr = before[hart]
            if S.hart.pc[hart] != pc:
                way.moved = way.left = True
                way.seen.add(int(pc))
                if has_host or not (
                    _harmless(S, hart, pc, addr) or _keeps_count(S, memory, hart, way, pc, addr)
                ):
                    return False
            _check_return(record, hart, way, cycle)
        if cycle < WINDOW:
            continue
        for hart, way in ways.items():
            if not way.proved or (way.moved and _has_old_lines(S, hart)):
                _look(S, memory, hart, way)
        counts = any(way.stores for way in ways.values())
        if cycle == WINDOW and not _unchanged(record, kept, counts=counts):
            return False
        if all(way.proved for way in ways.values()):
            leaves_alone = all(_leaves_alone(S, hart, way) for hart, way in ways.items())
            if leaves_alone or not counts:
                unchanged = _unchanged(record, kept, counts=counts)
                return leaves_alone and unchanged and not _anything_due(record)
    return False


def _look(S: View, memory: Access, hart: int, way: _Way) -> None:
    """Look for the loop of a hart, once."""
    if not way.looked:
        from tensix_gdb.core.polls.poll import poll_of  # most runs do without it

        way.looked = True
        way.poll = poll_of(S, memory, hart)


def _keeps_count(S: View, memory: Access, hart: int, way: _Way, pc: int, addr: int) -> bool:
    """True of a store to the hart's own local RAM in a loop that is proved to go round for ever.
    Such a loop has no other stores."""
    if pc >= L1_BYTES or FORMS[decode(S.l1.word[pc >> 2]) & 0xFF] is not Form.STORE:
        return False
    if region_of(hart, addr if addr >= 0 else S.pipeline.ex1_addr[hart]) != Region.LOCAL:
        return False
    _look(S, memory, hart, way)
    return way.stores


def _address(S: View, hart: int) -> int:
    """Return where the next instruction would load from, in `sc`, where registers are up to
    date."""
    pc = S.hart.pc[hart]
    if S.schedule.kind != Schedule.SC or pc >= L1_BYTES:
        return -1
    decoded = decode(S.l1.word[pc >> 2])
    return int(S.hart.x[hart, decoded >> 16 & 31] + (decoded >> 32)) & MASK32


def _harmless(S: View, hart: int, pc: int, addr: int) -> bool:
    """True if the instruction that was issued at `pc` changes nothing but registers of the hart."""
    if pc >= L1_BYTES:
        return False
    decoded = decode(S.l1.word[pc >> 2])
    op = decoded & 0xFF
    form = FORMS[op]
    if form is Form.LOAD:
        # With time, it has just come into EX1.
        return _keeps(hart, addr if addr >= 0 else S.pipeline.ex1_addr[hart])
    if form is Form.CSR_R:
        number = decoded >> 32 & 0xFFF
        return op in CSR_READS and not decoded >> 16 & 31 and number in CSRS_THAT_KEEP
    return form in HARMLESS


def _keeps(hart: int, addr: int) -> bool:
    """`keeps` of a Blackhole (core/polls/keeping.py)."""
    region = region_of(hart, addr)
    return region in KEEPING or (region == Region.PCBUF and addr in SEMAPHORE_WINDOW)


def _check_return(record: Record, hart: int, way: _Way, cycle: int) -> None:
    """Compare with where it was, while nothing of it is under way."""
    pipeline = record.S.pipeline
    if cycle < SETTLED or way.returned or not way.moved:
        return
    if pipeline.loads[hart] or pipeline.ex1_op[hart] or pipeline.sq_count[hart]:
        return
    registers = record.row(record.layout.slot("hart", "x"))
    size = len(registers) // HARTS
    here = record.S.hart.pc[hart], bytes(registers[size * hart : size * (hart + 1)])
    if here == way.anchor:
        way.returned = way.left
    elif cycle >= way.next_anchor:
        way.anchor, way.next_anchor, way.left = here, 2 * cycle, False


def _leaves_alone(S: View, hart: int, way: _Way) -> bool:
    """True if a hart that moves has nothing under way but loads, and stores to its local RAM if it
    counts there; and if its L0 cache agrees with L1, or its loop is known to be none of its
    ends."""
    if not way.moved:
        return True
    for stream in range(streams.STREAMS):
        if holds_request(S, hart, stream):
            continue  # a request that is held stays as it is
        if stream == streams.LOCAL and way.stores:
            continue
        for i in range(S.stream.count[hart, stream]):
            if S.stream.kind[hart, stream, i] != streams.READ:
                return False
    return way.goes_round or not _has_old_lines(S, hart)


def _has_old_lines(S: View, hart: int) -> bool:
    """True if a line of the L0 cache differs from L1."""
    for line in range(L0_LINES):
        at = S.pipeline.l0_line[hart, line] >> 2
        for word in range(4):
            if S.pipeline.l0_valid[hart, line] and (
                S.pipeline.l0_word[hart, line, word] != S.l1.word[at + word]
            ):
                return True
    return False


def _unchanged(record: Record, kept: bytearray, *, counts: bool) -> bool:
    """True if memories, devices and the coprocessor are as they were; local RAM may not be where
    a hart counts in its own."""
    for slot in record.layout.storage(Tag.ARCHITECTURAL):
        where = slot.part, slot.field.name
        if (slot.part in OF_A_WAY and where not in LASTING) or where in ORDERS:
            continue
        if counts and slot.part == "local":
            continue
        now = record.row(slot)
        if bytes(now) != kept[slot.offset : slot.offset + len(now)]:
            return False
    return True


def _anything_due(record: Record) -> bool:
    """True if any row that is no hart's holds a time in the future. An ATCAS or ATINCGETPTR that
    has failed will be tried again, and fail again."""
    S = record.S
    cycle = S.tile.cycle
    for slot in record.layout.storage(Tag.TIMING):
        if slot.field.kind != "i64" or slot.part in OF_A_WAY | DELAYS:
            continue
        if (slot.part, slot.field.name) == ("unpack", "due") and S.hold.at == UNPACKERS:
            continue
        if (slot.part, slot.field.name) == ("thcon", "when"):
            if S.hold.at == MEMORY:
                continue  # delayed for as long as they are held
            if any(S.thcon.when[i] > cycle and not _fails(S, i) for i in range(thcon.REQUESTS)):
                return True
        elif any(due > cycle for due in record.row(slot).cast("q")):
            return True
    return False


def _fails(S: View, i: int) -> bool:
    return S.thcon.kind[i] in (thcon.COMPARE, thcon.ADVANCE) and not S.thcon.answer[i]
