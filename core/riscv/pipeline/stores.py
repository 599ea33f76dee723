# SPDX-License-Identifier: Apache-2.0
"""From the store queue to a stream: which store is emitted, and when (load_store.py has the rules).

A push goes when the FIFO of its thread takes it, and Auto TTSync hears of it then.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES, T0, T2, TTINSN_LIMIT, B
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.memory import streams
from tensix_gdb.core.ordering import kept, pause_places
from tensix_gdb.core.race.harts import requests as races
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline import store_queue
from tensix_gdb.core.riscv.pipeline.load_store import THERE, emit
from tensix_gdb.core.schedule import Schedule, store_refused
from tensix_gdb.core.stall import WaitsFor, wait
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.frontend.fifo import B as FIFO_B
from tensix_gdb.core.tensix.frontend.fifo import room

STORE_EVERY = cost(
    "hart.l1_store", 5, "cycles", "from one store to L1 to the next that is not joined with it",
    source="BabyRISCV/README.md, Load/Store Unit", trust=Trust.PAGE,
    note="a card needs 5.2 to 5.3 cycles (mesham/tt-sim, rv_store_spread, two runs) while its "
    "other cores poll L1, as here",
)  # fmt: skip
WHOLE_LINE = 0xFFFF  # the mask of a store of 16 bytes


def drain(S: View, hart: int, CHECKED: int) -> int:
    """Emit the store at the head of the store queue, if the port is free for it; 1 if so.

    The last store waits for others to merge with, unless something in EX1 waits for it.
    """
    if S.pipeline.sq_count[hart] == 0:
        return 0
    if (
        S.pipeline.sq_count[hart] == 1
        and S.pipeline.ex1_op[hart] == 0
        and S.pipeline.sq_until[hart, 0] > S.tile.cycle
    ):
        return 0
    addr = S.pipeline.sq_addr[hart, 0]
    if addr < L1_BYTES and S.pipeline.store_free[hart] > S.tile.cycle:
        return 0
    stream = streams.stream_of(S, hart, addr, 1)
    if not stream_takes(S, hart, stream):
        return 0
    return drain_head(S, hart, addr, stream, CHECKED)


def stream_takes(S: View, hart: int, stream: int) -> int:
    """True if the stream, or where a push goes, has room for one more store."""
    if streams.PUSH <= stream < streams.PCBUF:
        return 0 if S.stream.count[hart, stream] else fifo_takes(S, hart, stream)
    return 1 if S.stream.count[hart, stream] < streams.DEPTH else 0


def drain_head(S: View, hart: int, addr: int, stream: int, CHECKED: int) -> int:
    """`drain`, when nothing of the hart's own keeps its oldest store, and `stream` takes it."""
    if store_refused(S, hart):
        return 0
    i = S.stream.count[hart, stream]
    if stream == streams.L1 and S.schedule.kind == Schedule.LATENCY:
        if i > 1 and has_writes(S, hart):
            return 0
        S.pipeline.store_free[hart] = S.tile.cycle + (
            1 if S.pipeline.sq_mask[hart, 0] == WHOLE_LINE else STORE_EVERY
        )
    for word in range(4):
        S.stream.data[hart, stream, i, word] = S.pipeline.sq_data[hart, 0, word]
    S.stream.mask[hart, stream, i] = S.pipeline.sq_mask[hart, 0]
    size = S.pipeline.sq_size[hart, 0]
    pc = S.pipeline.sq_pc[hart, 0]
    emit(S, hart, stream, streams.WRITE, addr, size, pc, THERE[stream])
    if T0 <= hart <= T2 and stream >= streams.PUSH:
        if stream == streams.PUSH:
            if S.stream.busy[hart] & kept.AWAITED_BITS or S.promised.mailed[hart]:
                kept.hold_push(S, hart)
            if size == 4:
                track_pushes(S, hart, stream)
        elif streams.MAILBOX_WRITE <= stream < streams.CONFIG:
            kept.hold_mail(S, hart, stream)
    if CHECKED and S.pause_place.left:
        pause_places.at_request(S, hart, stream)
    if CHECKED and S.race.on:
        races.emit(S, hart, stream)
    return 1 + store_queue.pop(S, hart)


def has_writes(S: View, hart: int) -> int:
    """True if two stores of the hart are on their way to L1: the port keeps them waiting."""
    writes = 0
    for i in range(S.stream.count[hart, streams.L1]):
        if S.stream.kind[hart, streams.L1, i] == streams.WRITE:
            writes += 1
    return 1 if writes > 1 else 0


def fifo_takes(S: View, hart: int, stream: int) -> int:
    """A push that its FIFO cannot take stays in the store queue, and only one is on its way."""
    if hart == B:
        thread = stream - streams.PUSH
        if room(S, thread, FIFO_B) == 0:
            wait(S, hart, WaitsFor.TENSIX_FIFO, T0 + thread)
            return 0
    elif stream == streams.PUSH and hart <= T2 and not tracker.accepts(S, hart - T0):
        wait(S, hart, WaitsFor.TENSIX_FIFO, hart)
        return 0
    return 1


def is_announced(S: View, hart: int, stream: int) -> int:
    """True if Auto TTSync knows the oldest store of `stream`: a push that its window takes."""
    return int(
        stream == streams.PUSH
        and S.stream.size[hart, stream, 0] >= 4
        and S.stream.data[hart, stream, 0, 0] < TTINSN_LIMIT
    )


def track_pushes(S: View, hart: int, stream: int) -> int:
    """Tell Auto TTSync what was emitted: one instruction, or up to four that are fused. What the
    window will refuse (devices/push.py) is none."""
    if S.stream.data[hart, stream, 0, 0] >= TTINSN_LIMIT:
        return 0
    for word in range(4):
        if (S.stream.mask[hart, stream, 0] >> (4 * word)) & 1:
            tracker.note_push(S, hart - T0, S.stream.data[hart, stream, 0, word])
    for word in range(4):
        if (S.stream.mask[hart, stream, 0] >> (4 * word)) & 1:
            tracker.note_bundle_end(S, hart - T0, S.stream.data[hart, stream, 0, word])
    return 0


INLINED = (stream_takes, fifo_takes, drain, drain_head, track_pushes)
