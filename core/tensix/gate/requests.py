# SPDX-License-Identifier: Apache-2.0
"""The accesses of the coprocessor and the NoC to watched bytes of L1 (core/memory/l1_watch.py).

A unit stops the tile as a change of a watched word does (watchpoints.py). What no thread waits for
at a gate, a request of the NoC or a command of TDMA-RISC, is noted, and the tile stops when its
cycle is over: so a stop changes nothing about the execution.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.memory import l1_watch
from tensix_gdb.core.noc.coordinates import OURSELVES, at
from tensix_gdb.core.noc.request import ATOMIC, BYTE_ENABLE, FLIT, INLINE, KIND, READ
from tensix_gdb.core.noc.state import COMING
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.stop import BY_REQUEST, StopKind, stop
from tensix_gdb.core.tensix.gate import watchpoints
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.formats import BITS

COLD = True  # little time of LLVM for it (core/engine/README.md)

# `niu`, of what is none
BY_TDMA, BY_DEBUG, BY_SAMPLES, BY_OTHERS = 2, 3, 4, 5
UNPACR = 0x42  # opcode
MOST_PIECES = 1024  # of L1 that are looked at for one UNPACR

_D = Tag.DERIVED

# fmt: off
REQUEST_WATCH = Part("request_watch", (
    row("pending", "u32", (), _D, "1 + what it has hit, a cell or CELLS + a range; 0: nothing"),
    row("hart",    "u8",  (), _D, "the hart that has made the request"),
    row("pc",      "u32", (), _D, "where"),
    row("niu",     "u8",  (), _D, "its NIU, or BY_TDMA and so on"),
    row("is_read", "u8",  (), _D, "it has read"),
    row("addr",    "u32", (), _D, "of L1"),
    row("size",    "u32", (), _D, "bytes"),
    row("old",     "i64", (), _D, "what was there"),
    row("new",     "i64", (), _D, "what is there"),
))
# fmt: on


def before(S: View, niu: int, slot: int) -> int:
    """A request of an NIU is about to move its data: note what it reads of L1."""
    l1_watch.forget(S)
    watchpoints.remember(S)
    ctrl = S.noc.ctrl[niu, slot]
    targ = S.noc.targ[niu, slot]
    end = L1_END[S.tile.chip]
    if targ >= end:
        return 0
    there = S.noc.targ_at[niu, slot]
    here = 1 if at(S, niu, there & 63, there >> 6) == OURSELVES else 0
    if ctrl & KIND == ATOMIC:
        return l1_watch.note_read(S, targ & 0xFFFFFFFC, 4) if here else 0
    if ctrl & INLINE:
        return 0
    if ctrl & KIND == READ and (S.noc.stage[niu, slot] != COMING or not here):
        return 0
    if ctrl & BYTE_ENABLE:
        return l1_watch.note_read(S, targ & 0xFFFFFFF0, FLIT[S.tile.chip])
    return l1_watch.note_read(S, targ & MASK32, min(S.noc.length[niu, slot], end))


def note_watched(S: View) -> int:
    """Note the watched words before a unit writes L1 for a hart."""
    l1_watch.forget(S)
    return watchpoints.remember(S)


def after(S: View, niu: int, slot: int) -> int:
    """It has moved them: note the first thing that it has changed, or read."""
    return keep_noted(S, S.noc.hart[niu, slot], S.noc.pc[niu, slot], niu)


def keep_noted(S: View, hart: int, pc: int, niu: int) -> int:
    """Keep what was noted until the cycle is over."""
    if S.request_watch.pending:
        return 0
    if S.l1_watch.hit:
        S.request_watch.pending = watchpoints.CELLS + S.l1_watch.hit
        S.request_watch.is_read = S.l1_watch.is_read
        S.request_watch.addr = S.l1_watch.addr
        S.request_watch.size = S.l1_watch.size
        S.request_watch.old = S.l1_watch.old
        S.request_watch.new = S.l1_watch.new
        l1_watch.forget(S)
    else:
        cell = watchpoints.changed(S)
        if cell == 0:
            return 0
        S.request_watch.pending = cell
        S.request_watch.is_read = 0
        S.request_watch.old = S.gate_watch.value[cell - 1]
        S.request_watch.new = watchpoints.value_of(S, cell - 1)
    S.request_watch.hart = hart
    S.request_watch.pc = pc
    S.request_watch.niu = niu
    return 1


def stop_here(S: View) -> int:
    """Stop for what was kept, if the cycle is over."""
    if S.schedule.cycle_phase or S.tile.next_hart or S.stop.kind != StopKind.NONE:
        return 0
    which = S.request_watch.pending - 1
    S.request_watch.pending = 0
    stop(S, S.request_watch.hart, StopKind.WATCH, which, S.request_watch.old)
    S.stop.pc = S.request_watch.pc
    S.stop.stream = BY_REQUEST
    return 1


# The coprocessor


def begins(S: View) -> int:
    """TDMA-RISC or its mover is about to work."""
    if S.busy.mover:
        S.l1_watch.hart = S.mover.hart
        S.l1_watch.pc = S.mover.pc
    else:
        S.l1_watch.hart = S.tdma.hart[0]
        S.l1_watch.pc = S.tdma.pc[0]
    return 0


def is_made_by(S: View, place: int) -> int:
    """A unit has worked: what was noted is its, unless another one's is."""
    if S.l1_watch.hit and S.l1_watch.by == 0:
        S.l1_watch.by = place + 1
    return 0


def by_command(S: View) -> int:
    """TDMA-RISC has processed a command."""
    if S.l1_watch.hit and S.l1_watch.by == 0:
        keep_noted(S, S.l1_watch.hart, S.l1_watch.pc, BY_TDMA)
    return 0


def mover_begins(S: View) -> int:
    """The mover is about to work: note what it will read of L1, when it has just begun."""
    begins(S)
    if S.mover.done == 0 and S.mover.mode & 1:
        l1_watch.note_read(S, S.mover.src, 16 * S.mover.left)
    return 0


def by_mover(S: View) -> int:
    """The mover has worked, for an XMOV or a command."""
    if S.l1_watch.hit == 0:
        return 0
    for thread in range(THREADS):
        if (
            S.passed.to_when[thread, watchpoints.MOVER]
            and S.passed.to_pc[thread, watchpoints.MOVER] == S.l1_watch.pc
            and S.passed.to_hart[thread, watchpoints.MOVER] == S.l1_watch.hart
        ):
            S.l1_watch.thread = thread
            S.l1_watch.by = watchpoints.MOVER + 1
            return 0
    return keep_noted(S, S.l1_watch.hart, S.l1_watch.pc, BY_TDMA)


def unpacks(S: View, thread: int) -> int:
    """An instruction has passed its gate: if it is UNPACR, note what of L1 it will read. The length
    of a compressed tile is in the tile: of one, only the beginning is looked at."""
    word = S.passed.word[thread]
    if word >> 24 != UNPACR:
        return 0
    unpacker = (word >> 23) & 1
    count = S.unpack.count[unpacker]
    if count == 0:
        return 0
    j = unpacker * queue.DEPTH + (S.unpack.head[unpacker] + count - 1) % queue.DEPTH
    if S.unpack.kind[j] != queue.MOVE or S.unpack.flags[j] & queue.ALL_ZERO:
        return 0
    bits = BITS[S.unpack.in_format[j]]
    left = S.unpack.total[j]
    data = S.unpack.data[j] >> 3
    if S.unpack.flags[j] & queue.COMPRESSED:
        return l1_watch.note_read(S, data, 16)
    for _ in range(MOST_PIECES):
        if left <= 0 or S.l1_watch.hit:
            break
        datums = min(left, S.unpack.width[j])
        l1_watch.note_read(S, data, (datums * bits + 7) >> 3)
        left -= datums
        data += S.unpack.stride[j]
        if data > S.unpack.limit[j]:
            data -= S.unpack.fifo_size[j]
    if queue.has_own_exponents(S, j):
        l1_watch.note_read(S, S.unpack.exponents[j] >> 4, (S.unpack.total[j] + 15) >> 4)
    return 0
