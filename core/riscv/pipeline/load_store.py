# SPDX-License-Identifier: Apache-2.0
"""The Load/Store Unit of a hart with time: what enters it, and is emitted to its stream.

stores.py drains the store queue, processed.py is where requests arrive.

MemoryOrdering.md, mechanical description:

    load    enters when no store in the queue touches its bytes; emitted on entry
    store   enters when the store queue has room (or its tail merges with it); emitted from there
    atomic  enters when the store queue is empty and all earlier loads have their answer
    fence   the same, and emits nothing

One request is emitted in a cycle; a load goes before a store. A request is *processed* some
cycles later, by the region its stream leads to; a load's or atomic's answer takes some more.

UNSPECIFIED(BabyRISCV/README.md): only the whole latency of a load is documented. Half of what is
left after EX1 is taken for the way there, the rest for the way back.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES, T0, T2
from tensix_gdb.core.arch.numbers import MASK32, sext
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.decisions import LOAD, STORE
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.numeric.half import BOX
from tensix_gdb.core.ordering import holds, kept, pause_places
from tensix_gdb.core.race.harts import requests as races
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline import l0_cache, store_queue
from tensix_gdb.core.riscv.pipeline.fields import IN_FLIGHT, STORE_QUEUE_ENTRIES
from tensix_gdb.core.riscv.pipeline.pipeline import answer, leave_ex1
from tensix_gdb.core.riscv.table import FORMS, SIGNED, SIZES
from tensix_gdb.core.schedule import Schedule, due_after
from tensix_gdb.core.tensix.auto_ttsync import tracker

# Cycles from the emission to the processing, and from there until EX1 can have the answer, by
# stream: together one less than the load latency of README.md, which begins with EX1.
_WHOLE = (*(cycles for device in DEVICES for cycles in device.latencies), 8)  # 8: NOWHERE
THERE = tuple((whole - 1) // 2 for whole in _WHOLE)
# What is emitted in a cycle is processed in the next one at the earliest.
BACK = tuple(whole - 1 - max(there, 1) for whole, there in zip(_WHOLE, THERE, strict=True))
ATOMIC = cost(
    "hart.atomic", 12, "cycles", "from EX1 until an atomic's answer can be used",
    source="BabyRISCV/README.md, Load/Store Unit", trust=Trust.PAGE,
)  # fmt: skip
ATOMIC_THERE = ATOMIC // 2
ATOMIC_BACK = ATOMIC - 1 - ATOMIC_THERE
HIT_BACK = 1
IN_FLIGHT_CYCLES = cost(
    "hart.l1_load_place", 7, "cycles", "that each of these occupies its place",
    source="L1.md, Maximum theoretical bandwidth", trust=Trust.PAGE,
)  # fmt: skip

# Streams into the regions that Auto TTSync tracks and C10 is about.
_TRACKED = (streams.GPR, streams.CONFIG, streams.TDMA)
TRACKED = tuple(int(stream in _TRACKED) for stream in range(streams.STREAMS))

LOADS = tuple(int(form is Form.LOAD) for form in FORMS)
STORES = tuple(int(form in (Form.STORE, Form.TTINSN)) for form in FORMS)
ATOMICS = tuple(int(form is Form.AMO) for form in FORMS)


def strongly_ordered(S: View, hart: int) -> int:
    """pmacfg0, pmacfg1: every load and store behaves as if a fence stood before it."""
    return (S.hart.pmacfg[hart, 0] | S.hart.pmacfg[hart, 1]) & 1


def lsu_drained(S: View, hart: int) -> int:
    """True if the store queue is empty, and every load and atomic is answered."""
    return 1 if S.pipeline.sq_count[hart] == 0 and S.pipeline.loads[hart] == 0 else 0


def enter(S: View, hart: int, CHECKED: int) -> int:
    """Let what waits in EX1 enter the Load/Store Unit; 1 if it has used the port to memory."""
    op = S.pipeline.ex1_op[hart]
    if op == 0 or S.pipeline.ex1_since[hart] >= S.tile.cycle:
        return 0
    if strongly_ordered(S, hart):
        if not lsu_drained(S, hart):
            return 0
        l0_cache.drop_all(S, hart)
        if CHECKED and S.race.on:
            races.fence(S, hart)
    if LOADS[op]:
        return enter_load(S, hart, op, CHECKED)
    if STORES[op]:
        return enter_store(S, hart, op, CHECKED)
    if not lsu_drained(S, hart):
        return 0
    l0_cache.drop_all(S, hart)
    if CHECKED and S.race.on:
        races.fence(S, hart)
    if ATOMICS[op]:
        return enter_atomic(S, hart, op, CHECKED)
    leave_ex1(S, hart)
    return 0


def enter_load(S: View, hart: int, op: int, CHECKED: int) -> int:
    """A load, from the L0 data cache or from memory."""
    addr = S.pipeline.ex1_addr[hart]
    size = SIZES[op]
    if store_queue.CONFLICTS[S.tile.chip](S, hart, addr, size):
        return 0
    if addr < L1_BYTES:
        line = l0_cache.lookup(S, hart, addr)
        if line >= 0:
            word = S.pipeline.l0_word[hart, line, (addr >> 2) & 3]
            S.pipeline.loads[hart] += 1
            answer(S, hart, S.pipeline.ex1_entry[hart], extract(word, addr, op), HIT_BACK)
            if CHECKED and S.race.on:
                races.hit(S, hart, line, addr, size)
            if CHECKED and S.hold.on:
                holds.hit(S, hart)
            l0_cache.after_hit(S, hart)
            leave_ex1(S, hart)
            return 0
    if not emit_from_ex1(S, hart, streams.READ, op, size, CHECKED):
        return 0
    leave_ex1(S, hart)
    return 1


def enter_store(S: View, hart: int, op: int, CHECKED: int) -> int:
    """A store takes its place in the store queue; the port is free for another."""
    addr = S.pipeline.ex1_addr[hart]
    size = SIZES[op] if SIZES[op] else 4  # .ttinsn is a store of a word
    pc = S.pipeline.ex1_pc[hart]
    entries = S.pipeline.sq_count[hart]
    if entries == STORE_QUEUE_ENTRIES and addr >= L1_BYTES:
        return 0  # as `append` says, which many a push asks in cycle after cycle
    if store_queue.append(S, hart, pc, addr, size, S.pipeline.ex1_data[hart]):
        if S.pipeline.ex1_fused[hart]:
            store_queue.fuse(S, hart)
        if CHECKED and S.race.on:
            races.append(S, hart, S.pipeline.sq_count[hart] - entries)
        if addr < L1_BYTES:
            l0_cache.drop_line(S, hart, addr)
        leave_ex1(S, hart)
    return 0


def enter_atomic(S: View, hart: int, op: int, CHECKED: int) -> int:
    """An atomic goes to L1 at once."""
    if not emit_from_ex1(S, hart, streams.ATOMIC, op, 4, CHECKED):
        return 0
    leave_ex1(S, hart)
    return 1


def extract(word: int, addr: int, op: int) -> int:
    """Return the bytes of an aligned word that a load asks for, extended as it wants."""
    bits = SIZES[op] * 8
    value = (word >> ((addr & 3) * 8)) & ((1 << bits) - 1)
    return extend(value, bits, op)


def extend(value: int, bits: int, op: int) -> int:
    """Return what a load makes of the bytes that it gets."""
    if SIGNED[op] == 2:
        return value | BOX
    return sext(value, bits) & MASK32 if SIGNED[op] else value


def emit_from_ex1(S: View, hart: int, kind: int, op: int, size: int, CHECKED: int) -> int:
    """Emit the request of the instruction in EX1; 0 when its stream is full."""
    addr = S.pipeline.ex1_addr[hart]
    stream = streams.stream_of(S, hart, addr, 0)
    i = S.stream.count[hart, stream]
    if i == streams.DEPTH:
        return 0
    if stream == streams.L1 and kind == streams.READ and S.schedule.kind == Schedule.LATENCY:
        place = S.pipeline.l1_place[hart]
        if S.pipeline.l1_free[hart, place] > S.tile.cycle:
            return 0
        S.pipeline.l1_free[hart, place] = S.tile.cycle + IN_FLIGHT_CYCLES
        S.pipeline.l1_place[hart] = place + 1 if place < IN_FLIGHT - 1 else 0
    S.pipeline.loads[hart] += 1
    S.stream.op[hart, stream, i] = op
    S.stream.entry[hart, stream, i] = S.pipeline.ex1_entry[hart]
    S.stream.data[hart, stream, i, 0] = S.pipeline.ex1_data[hart]
    there = ATOMIC_THERE if kind == streams.ATOMIC else THERE[stream]
    emit(S, hart, stream, kind, addr, size, S.pipeline.ex1_pc[hart], there)
    if CHECKED and S.pause_place.left:
        pause_places.at_request(S, hart, stream)
    if CHECKED and S.race.on:
        races.load(S, hart, stream)
    return 1


def emit(
    S: View, hart: int, stream: int, kind: int, addr: int, size: int, pc: int, there: int
) -> int:
    """Put a request into its stream, `there` cycles away from its region."""
    i = S.stream.count[hart, stream] & streams.DEPTH - 1  # there is room
    S.stream.count[hart, stream] = i + 1
    S.stream.busy[hart] = S.stream.busy[hart] | (1 << stream)
    S.stream.kind[hart, stream, i] = kind
    S.stream.addr[hart, stream, i] = addr
    S.stream.size[hart, stream, i] = size
    S.stream.pc[hart, stream, i] = pc
    S.stream.born[hart, stream, i] = S.tile.cycle
    S.stream.due[hart, stream, i] = due_after(
        S, there, (STORE if kind == streams.WRITE else LOAD) + hart
    )
    if T0 <= hart <= T2 and TRACKED[stream]:
        tracker.note_access(S, hart, stream, i)
        if S.promised.until > S.tile.cycle and stream == streams.CONFIG and kind == streams.READ:
            kept.note_config_load(S, hart)
    return 1


INLINED = (enter, enter_store, emit)
