# SPDX-License-Identifier: Apache-2.0
"""The accesses of the coprocessor and the NoC to watched bytes of L1 (core/memory/l1_watch.py).

A unit stops the tile as a change of a watched word does (watchpoints.py). What no thread waits for
at a gate, a request of the NoC or a command of TDMA-RISC, is noted, and the tile stops when its
cycle is over: so a stop changes nothing about the execution.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.isa.opcodes import PACR, UNPACR
from tensix_gdb.core.memory import l1_watch
from tensix_gdb.core.noc.coordinates import OURSELVES, at
from tensix_gdb.core.noc.request import ATOMIC, BYTE_ENABLE, FLIT, INLINE, KIND, READ
from tensix_gdb.core.noc.state import COMING
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.stop import BY_REQUEST, StopKind, stop
from tensix_gdb.core.tensix.gate import watchpoints
from tensix_gdb.core.tensix.packer.formats import BYTES_IN
from tensix_gdb.core.tensix.packer.state import FROM_L1
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.compressed import advance_compressed, ends
from tensix_gdb.core.tensix.unpacker.datums import read_bits
from tensix_gdb.core.tensix.unpacker.formats import BITS

COLD = True  # little time of LLVM for it (core/engine/README.md)

# `niu`, of what is none
BY_TDMA, BY_DEBUG, BY_SAMPLES, BY_OTHERS = 2, 3, 4, 5
MOST_PIECES = 1024  # of L1 that are looked at for one UNPACR
MOST_DATUMS = 1 << 16  # of a compressed tile

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


def units_read(S: View, thread: int) -> int:
    """An instruction has passed its gate: note what of L1 an UNPACR or a PACR will read."""
    opcode = S.passed.word[thread] >> 24
    if opcode == UNPACR:
        return unpacks(S, (S.passed.word[thread] >> 23) & 1)
    return packs(S, thread) if opcode == PACR else 0


def packs(S: View, thread: int) -> int:
    """Note what PACR will read, if its datums are those of L1; of Wormhole's, packer 0 alone."""
    if S.pack.source != FROM_L1 or S.pack.running != thread + 1:
        return 0
    if S.pack.planes and S.pack.planes & 1 == 0:
        return 0
    return l1_watch.note_read(S, S.pack.first, S.pack.left * BYTES_IN[S.pack.early & 3])


def unpacks(S: View, unpacker: int) -> int:
    """Note what the UNPACR that came last will read, unless its datums are zeros."""
    count = S.unpack.count[unpacker]
    if count == 0:
        return 0
    j = unpacker * queue.DEPTH + (S.unpack.head[unpacker] + count - 1) % queue.DEPTH
    if S.unpack.kind[j] != queue.MOVE or S.unpack.flags[j] & queue.ALL_ZERO:
        return 0
    if S.unpack.flags[j] & queue.COMPRESSED:
        return unpacks_compressed(S, j)
    bits = BITS[S.unpack.in_format[j]]
    left = S.unpack.total[j]
    data = S.unpack.data[j] >> 3
    for _ in range(MOST_PIECES):
        if left <= 0 or S.l1_watch.hit:
            break
        datums = min(left, S.unpack.width[j])
        l1_watch.note_read(S, data, (datums * bits + 7) >> 3)
        left -= datums
        data += S.unpack.stride[j]
        if data > S.unpack.limit[j]:
            data -= S.unpack.fifo_size[j]
    return exponents(S, j, S.unpack.total[j])


def exponents(S: View, j: int, datums: int) -> int:
    """Note the exponents of so many datums."""
    if datums == 0 or queue.has_own_exponents(S, j) == 0:
        return 0
    first = S.unpack.exponents[j]
    last = first + datums - 1
    return l1_watch.note_read(S, first >> 4, (last >> 4) - (first >> 4) + 1)


def unpacks_compressed(S: View, j: int) -> int:
    """Note the datums of a compressed tile, and the numbers of zeros after them, which say where it
    ends. Row starts were read when the addresses were calculated; they are not seen."""
    bits = BITS[S.unpack.in_format[j]]
    data = S.unpack.data[j]
    deltas = S.unpack.deltas[j]
    done = S.unpack.done[j]
    left = S.unpack.left[j]
    drop = S.unpack.drop[j]
    end = L1_END[S.tile.chip]
    for _ in range(MOST_DATUMS):
        at = S.unpack.data[j]
        zeros_at = S.unpack.deltas[j]
        outside = at < 0 or at + bits > end * 8 or not 0 <= zeros_at < end * 2
        if ends(S, j) or S.l1_watch.hit or outside:
            break
        l1_watch.note_read(S, at >> 3, (bits + 7) >> 3)
        l1_watch.note_read(S, zeros_at >> 1, 1)
        moved = read_bits(S, zeros_at * 4, 4) + 1
        dropped = min(S.unpack.drop[j], moved)
        S.unpack.drop[j] -= dropped
        S.unpack.left[j] -= min(moved - dropped, S.unpack.left[j])
        advance_compressed(S, j, at + bits, zeros_at + 1, bits)
    read = S.unpack.done[j] - done
    S.unpack.data[j] = data
    S.unpack.deltas[j] = deltas
    S.unpack.done[j] = done
    S.unpack.left[j] = left
    S.unpack.drop[j] = drop
    return exponents(S, j, read)
