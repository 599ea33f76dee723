# SPDX-License-Identifier: Apache-2.0
"""The Frontend of a hart in the schedule `latency`: instruction cache and branch prediction.

    pc ──► line in the cache? ──► EX1 ──► taken as predicted?
             no: wait                        no: wait

An instruction may enter EX1 from `free` on. The cache has lines of 16 bytes, as one read of L1
brings them (L1.md), in two ways of 128 sets: 4 KiB. That is what the loops of a published
measurement show, of which 1280 and 2048 instructions gave the rows below; those of 1152, 1408, 1536
and 1792 were kept out and come out within a hundredth. The page has a prefetcher and no cost of a
miss: a line that follows the one before costs the one cycle that was measured.
UNSPECIFIED(InstructionCache.md): how far ahead is fetched, and what RISC_PREFETCH_CTRL is after
reset, which tt-metal never writes. So its fields change nothing here.

A branch that goes otherwise than predicted costs the bubble that README.md has.
UNSPECIFIED(BabyRISCV/README.md): how branches are predicted. Two rules explain all loops of a
published measurement (riscvbench):

- A branch or jump is predicted to go as it went last time; at first it is not taken. So a loop of
  two rounds and more costs two bubbles, at its first way back and at its exit, and one of one round
  none (phase s: 8 cycles beside one round, 22 - 6, 34 - 12, 58 - 24 beside two, four and eight).
- The first instruction after a bubble is not predicted: if it is taken, it costs a bubble too. So
  64 taken branches one after the other cost 64 bubbles more whenever the way back to the first of
  them was predicted wrongly: in the second round of each loop, and in no other (c_t, c_jal: 256
  cycles). With an instruction between two of them there is nothing of that (c_xor_t, c_xor_alt).

Times only. UNSPECIFIED(InstructionCache.md): the page has caches that keep code until
RISCV_IC_INVALIDATE or reset, and neither Blackhole's capacities nor what is replaced or prefetched
when. Here a hart executes what L1 holds, as if the line had been replaced meanwhile: breakpoints
that a debugger writes, and programs that a host writes before reset, need nothing more. The check
M10 (core/race/state/changed.py) reports code that a card may execute as it was before.

In the other schedules the Frontend is always ready, and what it makes late is among the delays of
`random`.

UNSPECIFIED(InstructionCache.md): the capacity on B and NC of Blackhole, of which nothing is
published; as on T0 to T2. A debugger's stop changes nothing here.
"""

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import HARTS, NC, T1
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.arch.wormhole import IRAM_BASE
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.riscv.table import FORMS, OPERATIONS

_BENCH = "mesham/tt-sim, riscvbench-blackhole.csv"
LINE_SHIFT = 4
LINE = cost(
    "hart.icache_line", 1 << LINE_SHIFT, "bytes", "a line of a hart's instruction cache",
    source="L1.md (fetches are 128-bit reads)", trust=Trust.PAGE,
)  # fmt: skip
WAYS = cost(
    "hart.icache_ways", 2, "lines", "lines of the instruction cache with the same index",
    source=_BENCH, trust=Trust.FITTED,
    note="fitted to loops of 1280 and 2048 instructions; 1152, 1408, 1536 and 1792 were kept out",
)  # fmt: skip
SETS = cost(
    "hart.icache_sets", 128, "sets", "of the instruction cache: 4 KiB in all",
    source=_BENCH, trust=Trust.FITTED,
    note="fitted and kept out as hart.icache_ways",
)  # fmt: skip
SETS_WORMHOLE = cost(
    "hart.icache_sets_wormhole", 64, "sets", "of the instruction cache of Wormhole's B, T0 and "
    "T2: 2 KiB in all",
    source="WormholeB0 BabyRISCV/README.md", trust=Trust.PAGE,
    note="the page has the bytes; lines and ways are those of Blackhole",
)  # fmt: skip
SETS_SMALL = cost(
    "hart.icache_sets_small", 16, "sets", "the same of T1 and NC: 512 bytes",
    source="WormholeB0 BabyRISCV/README.md", trust=Trust.PAGE,
    note="NC's instruction RAM is fetched from without the cache",
)  # fmt: skip
MISS = cost(
    "hart.icache_miss", 1, "cycles", "a line that is not in the instruction cache and follows the "
    "one before",
    source=_BENCH, trust=Trust.FITTED,
    note="fitted to a loop of 2048 instructions (1.252 cycles each); the prefetcher does the rest",
)  # fmt: skip
JUMP_MISS = cost(
    "hart.icache_jump_miss", 1, "cycles", "the target of a jump that is not in the cache",
    source=_BENCH, trust=Trust.FITTED,
    note="fitted to loops of 1280 and 2048 instructions, 0.2 % too slow (with 8, as long as a load "
    "from L1, 0.5 %). Not fitted: nocreadbench's kernel on B, which runs for the first time, has "
    "421 cycles for a card's 420 (with 8, 435)",
)  # fmt: skip
BUBBLE = (
    cost(
        "hart.mispredict", 4, "cycles", "between a branch that was predicted wrongly and the next "
        "instruction",
        source="BabyRISCV/README.md, EX1", trust=Trust.PAGE,
        note="which ones are predicted wrongly is fitted to mesham/tt-sim, c_t and s_solo_plain: a "
        "branch goes as last time, at first it is not taken, and after a bubble it is not "
        "predicted. c_jal, c_xor_t, c_xor_alt, q_loop and all other loops were kept out",
    ),
    cost(
        "hart.mispredict_wormhole", 2, "cycles", "the same, on Wormhole",
        source="WormholeB0 BabyRISCV/README.md, Integer Unit", trust=Trust.PAGE,
        note="which ones are predicted wrongly is Blackhole's rule: no figure of a Wormhole card",
    ),
)  # fmt: skip

SLOTS = SETS * WAYS
# By hart of Wormhole: the number of its cache's last set.
LAST_SETS = tuple((SETS_SMALL if hart in (T1, NC) else SETS_WORMHOLE) - 1 for hart in range(HARTS))
_JUMPS = (Form.BRANCH, Form.JAL, Form.JALR)
JUMPS = tuple(int(form in _JUMPS) for form in FORMS)
NEXT = 4  # the immediate of a branch to the next instruction


def _always(a: int, b: int) -> int:
    return 1


def _never(a: int, b: int) -> int:
    return 0


def _condition(op: int) -> Callable[[int, int], int]:
    operation = OPERATIONS[op]
    if FORMS[op] is Form.BRANCH and operation is not None:
        return operation
    return _always if FORMS[op] is Form.JAL else _never


# By op number, of what goes to the next instruction: if it is taken. JALR counts as not taken then.
CONDITIONS = tuple(_condition(op) for op in range(len(FORMS)))
TO_NEXT = tuple(int(form in (Form.BRANCH, Form.JAL)) for form in FORMS)
_T = Tag.TIMING

# fmt: off
FRONTEND = Part("frontend", (
    row("line",  "u32", HARTS,          _T, "1 + the line that the last instruction came from"),
    row("slot",  "u16", HARTS,          _T, "its place in the cache"),
    row("free",  "i64", HARTS,          _T, "cycle from which EX1 can have the next instruction"),
    row("tag",   "u32", (HARTS, SLOTS), _T, "1 + the line in each place; 0 none"),
    row("old",   "u8",  (HARTS, SETS),  _T, "the way of each set that is replaced next"),
    row("taken", "u8",  (HARTS, SLOTS), _T, "a bit per word: its branch was taken last time"),
    row("blind", "u8",  HARTS,          _T, "1 if the next instruction follows a bubble"),
    row("fills", "u32", HARTS,          Tag.DERIVED, "changes of `tag` so far, modulo 2**32"),
))
# fmt: on


def fetch(S: View, hart: int, pc: int) -> int:
    """Look for the instruction at `pc` in the cache, in the first cycle in which EX1 is free. Its
    line is another one than that of the last instruction."""
    line = (pc >> LINE_SHIFT) + 1
    at = set_of(S, hart, line)
    slot = at * WAYS
    if S.frontend.tag[hart, slot] == line:
        S.frontend.old[hart, at] = 1
    else:
        slot = look_on(S, hart, line, S.frontend.line[hart], S.tile.cycle)
    S.frontend.line[hart] = line
    S.frontend.slot[hart] = slot
    return 0


def set_of(S: View, hart: int, line: int) -> int:
    """Return the set of the cache in which a line is."""
    if S.tile.chip:
        return line & LAST_SETS[hart]
    return line & (SETS - 1)


def look_on(S: View, hart: int, line: int, last: int, now: int) -> int:
    """The first way does not have the line: the second one does, or it is fetched from cycle `now`
    on, after the line `last`; return its place."""
    at = set_of(S, hart, line)
    slot = at * WAYS + 1
    if S.frontend.tag[hart, slot] != line:
        slot = at * WAYS + S.frontend.old[hart, at]
        S.frontend.tag[hart, slot] = line
        S.frontend.fills[hart] = S.frontend.fills[hart] + 1 & MASK32
        S.frontend.taken[hart, slot] = 0
        cycles = MISS if line == last + 1 else JUMP_MISS
        if (
            S.tile.chip and line > IRAM_BASE >> LINE_SHIFT
        ):  # there the cache keeps predictions alone
            cycles = 0
        S.frontend.free[hart] = max(S.frontend.free[hart], now) + cycles
    S.frontend.old[hart, at] = 1 - (slot & 1)
    return slot


def resolve(S: View, hart: int, slot: int, pc: int, taken: int, blind: int, now: int) -> int:
    """The branch or jump at `pc`, in the line at `slot` of the cache, has entered EX1 in cycle
    `now` and is taken or not; with `blind` it follows a bubble. Return the cycle from which EX1 can
    have the next instruction."""
    bit = 1 << ((pc >> 2) & 3)
    before = S.frontend.taken[hart, slot]
    predicted = 1 if before & bit and not blind else 0
    S.frontend.taken[hart, slot] = before | bit if taken else before & ~bit & 0xF
    S.frontend.blind[hart] = 0
    if predicted != taken:
        S.frontend.blind[hart] = 1
        S.frontend.free[hart] = now + 1 + BUBBLE[S.tile.chip]
    return S.frontend.free[hart]


def is_taken(S: View, hart: int, pc: int, d: int, npc: int) -> int:
    """True if the branch or jump `d` at `pc`, which has been executed and goes to `npc`, was taken;
    no branch changes what it compares."""
    if npc != pc + 4:
        return 1
    if d >> 32 != NEXT:
        return 0
    return CONDITIONS[d & 0xFF](S.hart.x[hart, (d >> 16) & 31], S.hart.x[hart, (d >> 24) & 31])


def invalidate(S: View, hart: int) -> int:
    """RISCV_IC_INVALIDATE, or reset: the cache holds nothing."""
    for i in range(SLOTS):
        S.frontend.tag[hart, i] = 0
        S.frontend.taken[hart, i] = 0
    for i in range(SETS):
        S.frontend.old[hart, i] = 0
    S.frontend.fills[hart] = S.frontend.fills[hart] + 1 & MASK32
    S.frontend.line[hart] = 0
    S.frontend.slot[hart] = 0
    S.frontend.blind[hart] = 0
    asleep.wake(S, hart)
    return 0


INLINED = (fetch, is_taken, resolve)
