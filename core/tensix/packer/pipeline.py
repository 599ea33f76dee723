# SPDX-License-Identifier: Apache-2.0
"""A cycle of the packer: blocks go to L1, and the instruction in front has its rows read.

    front     read, convert, put blocks into the queue: 64 datums in a cycle
    drain     up to eight blocks of 16 bytes go to L1, in their order; then the instruction is over

Blackhole's packer has four read interfaces of 32 bytes in a cycle each (tt-llk#916), so that a tile
of 32x32 BF16 takes 16 cycles (tt-metal#51901). UNSPECIFIED(Packers/README.md): how long an
instruction is under way (PIPELINE), and when within that it reads Dst; in the schedule `random`
that can be late, so that a program that overwrites Dst too early is found out.
"""

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.devices.backend_config import PACKER
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory import l1_watch
from tensix_gdb.core.memory.l1_ports import is_kept
from tensix_gdb.core.memory.ram import overwrite
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.fields import LINE_SHIFT
from tensix_gdb.core.schedule import is_delayed
from tensix_gdb.core.stop import STOPPED, WAIT, fault
from tensix_gdb.core.tensix.device_store import store_to_device
from tensix_gdb.core.tensix.packer import compress as pack_compress
from tensix_gdb.core.tensix.packer import early_convert as pack_early
from tensix_gdb.core.tensix.packer import metadata as pack_metadata
from tensix_gdb.core.tensix.packer import output as pack_output
from tensix_gdb.core.tensix.packer import passes as pack_convert
from tensix_gdb.core.tensix.packer import state
from tensix_gdb.core.tensix.packer.config import STATISTICS
from tensix_gdb.core.tensix.packer.formats import FP32_TO_FP16
from tensix_gdb.core.tensix.packer.four import front as four
from tensix_gdb.core.tensix.packer.four import sizes as four_sizes
from tensix_gdb.core.tensix.packer.l1_accumulate import add_bf16, add_fp16, add_fp32, add_int32
from tensix_gdb.core.tensix.packer.sampling import sample_again
from tensix_gdb.core.tensix.packer.state import (
    END,
    FROM_DST32,
    FROM_L1,
    FROM_NOWHERE,
    LANES,
    OUT,
    PAD_ALL,
    TO_DEVICE,
)

PER_CYCLE = (
    cost(
        "packer.blocks", 8, "blocks of 16 bytes", "in a cycle from the packer to L1",
        source="tt-metal#51901, tt-llk#916", trust=Trust.MEASURED,
        note="a tile of 32x32 BF16 takes 16 cycles; no page has Blackhole's packer",
    ),
    cost(
        "packer.blocks_wormhole", 4, "blocks of 16 bytes", "in a cycle from Wormhole's four "
        "packers to L1",
        source="WormholeB0 TensixTile/L1.md, Packers", trust=Trust.PAGE,
        note="one of each; here they follow each other in one queue. No figure of a Wormhole card",
    ),
)  # fmt: skip
# Blocks that the front stage makes in a cycle, compressed ones with their counters; by chip.
MOST = (26, 4 * 10)


def step(S: View) -> int:
    """Run one cycle; 1 if anything moved, or STOPPED."""
    if S.config.late & PACKER:
        sample_again(S)
    moved = drain(S) if S.pack.out_count else 0
    if moved == STOPPED:
        return STOPPED
    if (
        S.pack.running
        and S.pack.out_count + MOST[S.tile.chip] <= OUT
        and not is_delayed(S, S.pack.due)
    ):
        more = FIRST[S.tile.chip](S)
        while more:
            front(S)
            more = NEXT[S.tile.chip](S)
        return 1
    return moved


# -- the front stage: what is otherwise for each of Wormhole's packers is in four/front.py
def one(S: View) -> int:
    """There is one packer."""
    return 1


def no_more(S: View) -> int:
    """There is nothing else to be done."""
    return 0


def datums_next(S: View) -> int:
    """Return how many datums of the instruction come next."""
    return min(S.pack.left, LANES)


FIRST = (one, four.first)
NEXT = (no_more, four.next_one)
TAKE = (datums_next, four.take_datums)
ADVANCE = (no_more, four.advance)
OVER = (no_more, four.over)
WHO = (no_more, four.who)
NOTE_SIZE = (pack_metadata.note_size, four_sizes.note_size)


def front(S: View) -> int:
    """Up to 64 datums of the instruction, and its end after the last ones."""
    chip = S.tile.chip
    if S.pack.left:
        n = TAKE[chip](S)
        S.pack.left -= n
        if S.pack.source == FROM_NOWHERE:
            for i in range(n):
                S.pack.datum[i] = 0
        else:
            n = converted(S)
        ADVANCE[chip](S)
        n = pack_convert.select(S, n)
        pack_convert.late(S, n)
        deliver(S, n)
    if S.pack.left == 0:
        finish(S)
    return 0


def converted(S: View) -> int:
    """Read datums and take them as far as exponent thresholding; how many."""
    n = pack_early.read(S)
    if S.pack.source != FROM_L1:
        pack_early.early(S, n)
        pack_convert.mask(S)
        if S.pack.relu:
            pack_convert.relu(S, n)
        enabled = (
            S.config.thread[0, STATISTICS]
            | S.config.thread[1, STATISTICS]
            | S.config.thread[2, STATISTICS]
        )
        pack_convert.count(S, n, enabled & 1)
        if S.pack.early == FP32_TO_FP16 and S.pack.source == FROM_DST32:
            pack_early.narrow(S, n)
    if S.pack.exponent_threshold:
        pack_convert.threshold(S, n)
    return n


def deliver(S: View, n: int) -> int:
    """Datums on their way to the streams."""
    if S.pack.compress:
        if S.pack.started == 0:
            pack_compress.open_streams(S)
        S.pack.started = 1
        return pack_compress.compress(S, n)
    S.pack.started = 1
    return pack_output.deliver(S, n)


def finish(S: View) -> int:
    """The instruction has read all its datums."""
    if S.pack.pad == PAD_ALL and S.pack.total:
        n = pack_output.GROUP - S.pack.total
        for i in range(n):
            S.pack.datum[i] = 0
        deliver(S, n)
    if S.pack.compress and S.pack.concat == 0:
        pack_compress.end_row(S)
    if S.pack.end_of_tile:
        if S.pack.compress and S.pack.started:
            pack_compress.end(S)
        else:
            pack_output.flush(S)
        end_tile(S)
    pack_output.put_block(S, END, WHO[S.tile.chip](S))
    S.pack.running = OVER[S.tile.chip](S)
    return 0


def end_tile(S: View) -> int:
    """End a tile: note its size for the tile header and TDMA-RISC (TDMA-RISC.md).

    UNSPECIFIED(TDMA-RISC.md): the unit of sizes; 16 bytes, as the tile header's own size is 1.
    """
    thread = S.pack.running - 1
    if S.pack.last:
        NOTE_SIZE[S.tile.chip](S, thread)
    S.pack.blocks = 0
    S.pack.total = 0
    S.pack.started = 0
    return 0


# -- to L1
def drain(S: View) -> int:
    """Blocks that have come to L1; 1 if there were any, or STOPPED."""
    moved = 0
    for _ in range(PER_CYCLE[S.tile.chip]):
        while S.pack.out_count and S.pack.out_kind[S.pack.out_first] == END:
            if is_delayed(S, S.pack.out_due[S.pack.out_first]):
                return moved
            S.busy.packer[S.pack.out_thread[S.pack.out_first]] -= 1
            moved = forget(S)
        if S.pack.out_count == 0:
            return moved
        at = S.pack.out_first
        if is_delayed(S, S.pack.out_due[at]):
            return moved
        if S.pack.out_kind[at] == TO_DEVICE:
            status = to_device(S, at)
            if status == WAIT:
                return moved
        elif S.l1_port.until > S.tile.cycle and is_kept(S, S.pack.out_addr[at]):
            return moved
        else:
            status = to_l1(S, at)
        if status == STOPPED:
            return STOPPED
        moved = forget(S)
    return moved


def forget(S: View) -> int:
    """The oldest block is gone."""
    S.pack.out_first = (S.pack.out_first + 1) % OUT
    S.pack.out_count -= 1
    return 1


def to_l1(S: View, at: int) -> int:
    """A block is written or added; 0, or STOPPED."""
    addr = S.pack.out_addr[at]
    if addr >= L1_END[S.tile.chip]:
        # Only compressed data: of all others the end is known when the instruction starts.
        thread = S.pack.out_thread[at]
        return fault(S, T0 + thread, Fault.PACR_PAST_L1, addr, thread)
    first = addr >> 2
    if S.decoded.line[addr >> LINE_SHIFT]:
        if S.pack.out_kind[at] != state.WRITE:
            l1_watch.note_read(S, addr, 16)
        for i in range(4):
            word = S.pack.out_word[at, i]
            if S.pack.out_kind[at] != state.WRITE:
                word = accumulate(S, at, S.l1.word[first + i], word)
            overwrite(S, addr + 4 * i, word, 4)
        S.l1_watch.thread = S.pack.out_thread[at]
    if S.pack.out_kind[at] == state.WRITE:
        for i in range(4):
            S.l1.word[first + i] = S.pack.out_word[at, i]
    else:
        for i in range(4):
            S.l1.word[first + i] = accumulate(S, at, S.l1.word[first + i], S.pack.out_word[at, i])
    return 0


def accumulate(S: View, at: int, old: int, new: int) -> int:
    """Return the word that L1 makes of an old and a new one when a packer accumulates."""
    match S.pack.out_kind[at]:
        case state.ADD_FP32:
            return add_fp32(old, new)
        case state.ADD_FP16:
            return add_fp16(old >> 16, new >> 16) << 16 | add_fp16(old & 0xFFFF, new & 0xFFFF)
        case state.ADD_BF16:
            return add_bf16(old >> 16, new >> 16) << 16 | add_bf16(old & 0xFFFF, new & 0xFFFF)
        case _:
            return add_int32(old, new)


def to_device(S: View, at: int) -> int:
    """PACR_SETREG reaches its register; 1, WAIT or STOPPED."""
    addr = S.pack.out_addr[at]
    status = store_to_device(S, addr, S.pack.out_word[at, 0])
    if status == STOPPED:
        thread = S.pack.out_thread[at]
        return fault(S, T0 + thread, Fault.PACR_DEVICE, addr, thread)
    return 1 if status >= 0 else WAIT
