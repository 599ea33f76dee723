# SPDX-License-Identifier: Apache-2.0
"""The unpackers at work: each does the oldest of its instructions, a bit in every cycle.

UNPACR fetches 16 to 128 bytes of L1 in a cycle, in the order of addresses, and a piece of 16 datums
is converted and written in the cycle in which the last of its bytes is fetched. So L1 is read over
time, and a store of a hart that is processed meanwhile is seen by what is read after it:
UNSPECIFIED(UNPACR_Regular.md): no page says when an unpacker reads what; software has to wait
for it with STALLWAIT (C1, C2) or a semaphore before it writes there.

What is left of an instruction when the bank is not the unpackers' waits. In `sc` and `exhaustive`
an instruction does all its work at once.

UNSPECIFIED(UNPACR_Regular.md): the page's table of the unpackers' mutual slow-down is Wormhole's,
which has half the speed. Here it is that table with all speeds doubled: two that want x8 get x4
each, 128 bytes together. A card moves at least 119 (matmul_tiles of BF16 in LoFi, 34.4 cycles for
two tiles of 2 KiB; mesham/tt-sim), where the table as of 64 bytes would allow 64.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.decisions import UNPACKER, UNPACKER_WAITS
from tensix_gdb.core.devices.backend_config import UNPACKERS
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.l1_ports import any_kept
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule, due_after, is_delayed, one_in
from tensix_gdb.core.stop import IN_UNPACKER, STOPPED, WAIT, fault
from tensix_gdb.core.tensix.device_store import store_to_device
from tensix_gdb.core.tensix.occupancy import UNPACKERS_OWN, seen_bank, unpackers_lack
from tensix_gdb.core.tensix.regfiles.src import COLUMNS, ROWS, SRC_A, give_to_matrix
from tensix_gdb.core.tensix.unpacker import queue as queue
from tensix_gdb.core.tensix.unpacker.compressed import ends, move_compressed
from tensix_gdb.core.tensix.unpacker.datums import NO_EXPONENT, OUTSIDE_L1, move
from tensix_gdb.core.tensix.unpacker.formats import BITS
from tensix_gdb.core.tensix.unpacker.sampling import sample_again

# Speeds that they get, as shifts, by what unpacker 1 and what unpacker 0 want (UNPACR_Regular.md).
X1_BYTES = cost(
    "unpacker.x1", 16, "bytes in a cycle", "that an unpacker fetches at x1; x2, x4 and x8 are "
    "multiples",
    source="UNPACR_Regular.md, Performance", trust=Trust.PAGE,
    note="the page ends at x4; that Blackhole has x8 is the issue tt-llk#916's and LLK's",
)  # fmt: skip
X8_BOTH = cost(
    "unpacker.both", 2, "x2^n of 16 bytes", "in a cycle for each unpacker when both want x8",
    source="mesham/tt-sim, tensixbench-blackhole.csv, matmul_tiles LoFi", trust=Trust.FITTED,
    note="fitted to 34.4 cycles a tile in LoFi, of which 18 may be the call's: HiFi2 and HiFi4 "
    "have 20 and 22 beside the MVMULs; the page has the table of Wormhole, of half the speed; no "
    "other point separates the other entries, which are that table doubled",
)  # fmt: skip
#          want 0:  x1      x2      x4      x8
GOT_0 = (           0,      1,      2,      3,
                    0,      1,      2,      3,
                    0,      1,      1,      2,
                    0,      1,      1,      X8_BOTH)  # fmt: skip
GOT_1 = (           0,      0,      0,      0,
                    1,      1,      1,      1,
                    2,      2,      1,      1,
                    3,      3,      2,      X8_BOTH)  # fmt: skip
# The same of Wormhole, as the page has it.
X4_BOTH = cost(
    "unpacker.both_wormhole", 1, "x2^n of 16 bytes", "in a cycle for each unpacker when both want "
    "x4, on Wormhole",
    source="WormholeB0 UNPACR_Regular.md, Performance", trust=Trust.PAGE,
    note="the other entries are in the code as the page has them; there is no x8, and no figure of "
    "a Wormhole card",
)  # fmt: skip
GOT_0_WORMHOLE = (  0,      1,      2,      2,
                    0,      0,      1,      1,
                    0,      0,      X4_BOTH, X4_BOTH,
                    0,      0,      X4_BOTH, X4_BOTH)  # fmt: skip
GOT_1_WORMHOLE = (  0,      0,      0,      0,
                    1,      0,      0,      0,
                    2,      1,      X4_BOTH, X4_BOTH,
                    2,      1,      X4_BOTH, X4_BOTH)  # fmt: skip
BY_CHIP_0 = (*GOT_0, *GOT_0_WORMHOLE)
BY_CHIP_1 = (*GOT_1, *GOT_1_WORMHOLE)
CHIP = len(GOT_0)  # entries of one chip
STALL = 16  # `random`: once in so many cycles L1 keeps an unpacker waiting


def step(S: View) -> int:
    """Run one cycle of both; 1 if anything moved, or STOPPED."""
    moved = queue.shift(S)
    if S.config.late & UNPACKERS:
        sample_again(S)
    both = 1 if is_fetching(S, 0) and is_fetching(S, 1) else 0
    for unpacker in range(queue.UNPACKERS):
        if S.unpack.count[unpacker]:
            status = work(S, unpacker, both)
            if status == STOPPED:
                return STOPPED
            moved |= status
    return moved


def is_fetching(S: View, unpacker: int) -> int:
    """True if the unpacker wants L1 in this cycle."""
    if S.unpack.count[unpacker] == 0:
        return 0
    j = queue.oldest(S, unpacker)
    if S.unpack.kind[j] != queue.MOVE or unpackers_lack(S, unpacker):
        return 0
    return 1 if S.unpack.due[j] <= S.tile.cycle else 0


def work(S: View, unpacker: int, both: int) -> int:
    """Work on its oldest instruction; 1 if anything moved, or STOPPED."""
    j = queue.oldest(S, unpacker)
    kind = S.unpack.kind[j]
    if kind == queue.MOVE and unpackers_lack(S, unpacker):
        return 0
    if kind == queue.FILL and not may_fill(S, unpacker, j):
        return 0
    if is_delayed(S, S.unpack.due[j]):
        return 0
    match kind:
        case queue.MOVE:
            return fetch(S, unpacker, j, both)
        case queue.FILL:
            fill(S, unpacker, j)
        case queue.HAND_OVER:
            hand_over(S, unpacker, j)
        case queue.STORE:
            status = store(S, unpacker, j)
            if status < 0:
                return 0 if status == WAIT else STOPPED
    return queue.leave(S, unpacker)


def fetch(S: View, unpacker: int, j: int, both: int) -> int:
    """UNPACR: as much as fits in a cycle, and the end."""
    timed = S.schedule.kind == Schedule.LATENCY or S.schedule.kind == Schedule.RANDOM
    bits = BITS[S.unpack.in_format[j]]
    if timed:
        if S.l1_port.until > S.tile.cycle and waits_for_bank(S, j, X1_BYTES << S.unpack.speed[j]):
            S.unpack.due[j] = S.tile.cycle + 1
            return 1
        S.unpack.fetched[unpacker] += X1_BYTES << speed(S, unpacker, j, both)
    compressed = S.unpack.flags[j] & queue.COMPRESSED
    while not ends(S, j):
        n = 1 if compressed else min(queue.RUN, S.unpack.total[j] - S.unpack.done[j])
        if timed:
            # In bits, as a datum may be less than a byte; its counter is read too.
            needed = (n * bits + 4 if compressed else n * bits) + 7 >> 3
            if S.unpack.fetched[unpacker] < needed:
                S.unpack.due[j] = next_cycle(S, unpacker)
                return 1
            S.unpack.fetched[unpacker] -= needed
        status = move_compressed(S, unpacker, j) if compressed else move(S, unpacker, j)
        if status < 0:
            return stop(S, unpacker, j, status)
    hand_over_if_wanted(S, unpacker, j)
    return queue.leave(S, unpacker)


def waits_for_bank(S: View, j: int, size: int) -> int:
    """True if a narrow write keeps a bank that the unpacker reads next (memory/l1_ports.py)."""
    return any_kept(S, S.unpack.data[j] >> 3, size)


def next_cycle(S: View, unpacker: int) -> int:
    """Return the cycle in which the unpacker continues."""
    if S.schedule.kind == Schedule.RANDOM and one_in(S, STALL, UNPACKER_WAITS + unpacker):
        return due_after(S, 1, UNPACKER + unpacker)
    return S.tile.cycle + 1


def speed(S: View, unpacker: int, j: int, both: int) -> int:
    """Return the speed that the unpacker gets, as a shift."""
    mine = S.unpack.speed[j]
    if not both:
        return mine
    other = S.unpack.speed[queue.oldest(S, 1 - unpacker)]
    if unpacker:
        return BY_CHIP_1[CHIP * S.tile.chip + 4 * mine + other]
    return BY_CHIP_0[CHIP * S.tile.chip + 4 * other + mine]


def stop(S: View, unpacker: int, j: int, status: int) -> int:
    """Stop in the middle of an UNPACR; its thread has long continued."""
    code = Fault.UNPACK_ROW
    if status == NO_EXPONENT:
        code = Fault.UNPACK_EXPONENT
    elif status == OUTSIDE_L1:
        code = Fault.UNPACK_ADDRESS
    return fault_in_unpacker(S, unpacker, j, code)


def fault_in_unpacker(S: View, unpacker: int, j: int, code: int) -> int:
    """As `fault_at_gate`, for the oldest instruction of an unpacker."""
    origin = S.unpack.thread[j] << 32 | S.unpack.pc[j]
    fault(S, S.unpack.hart[j], code, S.unpack.word[j], origin)
    S.stop.stream = IN_UNPACKER | unpacker
    return STOPPED


# -- banks
def hand_over_if_wanted(S: View, unpacker: int, j: int) -> int:
    """The end of an UNPACR: FlipSrc, or the next set of rows."""
    thread = S.unpack.thread[j]
    if S.unpack.flags[j] & queue.FLIP:
        return hand_over(S, unpacker, j)
    if S.unpack.flags[j] & queue.SET_UPDATE:
        row = S.src.unpack_row[unpacker, thread] + 16 + S.unpack.row_base[j]
        S.src.unpack_row[unpacker, thread] = row & (ROWS - 1)
    return 0


def hand_over(S: View, unpacker: int, j: int) -> int:
    """Give the bank to the Matrix Unit, with its format."""
    S.src.format[unpacker, S.busy.unpack_bank[unpacker]] = S.unpack.format[j]
    give_to_matrix(S, unpacker)
    S.src.unpack_row[unpacker, S.unpack.thread[j]] = S.unpack.row_base[j]
    return 0


def may_fill(S: View, unpacker: int, j: int) -> int:
    """UNPACR_NOP_ZEROSRC.md: is the bank that it waits for the unpackers'?"""
    if S.unpack.flags[j] & queue.LIKE_UNPACR:
        return 0 if unpackers_lack(S, unpacker) else 1
    bank = seen_bank(S, unpacker)
    return 1 if S.busy.src_client[unpacker, bank] == UNPACKERS_OWN else 0


def fill(S: View, unpacker: int, j: int) -> int:
    """Write one value to a bank, or to both."""
    for bank in range(2):
        if bank == S.busy.unpack_bank[unpacker] or S.unpack.flags[j] & queue.BOTH_BANKS:
            for row in range(ROWS):
                for column in range(COLUMNS):
                    if unpacker == SRC_A:
                        S.src.a[bank, row, column] = S.unpack.total[j]
                    else:
                        S.src.b[bank, row, column] = S.unpack.total[j]
    if S.unpack.flags[j] & queue.FLIP:
        hand_over(S, unpacker, j)
    return 0


# -- devices
def store(S: View, unpacker: int, j: int) -> int:
    """UNPACR_NOP_SETREG.md, UNPACR_NOP_OverlayClear.md: 0, WAIT or STOPPED."""
    status = store_to_device(S, S.unpack.left[j], S.unpack.total[j])
    return fault_in_unpacker(S, unpacker, j, Fault.UNPACK_DEVICE) if status == STOPPED else status
