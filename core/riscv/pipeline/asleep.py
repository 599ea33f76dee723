# SPDX-License-Identifier: Apache-2.0
"""Harts that cannot issue, and are not asked in every cycle why.

    issue ──► WAIT ──► asleep until a cycle, or NEVER ──► wake ──► issue

What an instruction that is ready to enter EX1 waits for is either a cycle that is known (the
Frontend, a division, an operand that is being forwarded) or something that the pipeline of the same
hart does: it retires an instruction, has an answer, or empties EX1. Until then each further attempt
finds what the first one has found and changes nothing, so there need be none. The functions that
end such a wait call `wake`, as do those that send a hart elsewhere. A retirement ends only waits
that `may_retire` is set for, and an answer ends none before its value can be had.

An operand depends on the instruction, and anything may write to L1. So the decoded word has to be
the one that waits. In the loop with checks, too, harts sleep: a word with a breakpoint has no
decoded copy, so a hart before one is asked in every cycle, and the other things that are armed
look at instructions that enter EX1.

In the same way a hart is `still` as long as its oldest instruction cannot retire and there is
nothing in its EX1 and its store queue. And the NIUs are not asked as long as no request is due
(core/noc/arrive.py).

All rows are DERIVED: a call of the engine begins with all harts awake, but for one that continues
the one before, as the loop of a chip calls a tile from quantum to quantum (core/chip/together.py).
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.record.layout import Part, Tag, View, row

# fmt: off
ASLEEP = Part("asleep", (
    row("until", "i64", HARTS, Tag.DERIVED, "before this cycle the hart issues nothing"),
    row("at",    "u32", HARTS, Tag.DERIVED, "the place of its next instruction in `decoded.word`"),
    row("word",  "i64", HARTS, Tag.DERIVED, "what was there"),
    row("may_retire", "u8", HARTS, Tag.DERIVED, "a retirement may end the wait"),
    row("still", "i64", HARTS, Tag.DERIVED, "before this cycle it retires and emits nothing"),
    row("niu",   "i64", (), Tag.DERIVED, "before this cycle no request under way is due"),
    row("goes_on", "u8", (), Tag.DERIVED, "a call continues the one before"),
))
# fmt: on


def sleeps(S: View, hart: int) -> int:
    """True if an attempt of the hart to issue would find what the last one has found."""
    if S.asleep.until[hart] <= S.tile.cycle:
        return 0
    return 1 if S.decoded.word[S.asleep.at[hart]] == S.asleep.word[hart] else 0


def sleep(S: View, hart: int, at: int, d: int, until: int, may_retire: int) -> int:
    """Let the hart sleep up to the cycle `until`, or, with `may_retire`, until an instruction
    retires; its next instruction is `d`, at byte `at`."""
    S.asleep.until[hart] = until
    S.asleep.at[hart] = at >> 2
    S.asleep.word[hart] = d
    S.asleep.may_retire[hart] = may_retire
    return 0


def wake(S: View, hart: int) -> int:
    """Wake the hart: what it waits for may have come."""
    S.asleep.until[hart] = 0
    S.asleep.still[hart] = 0
    return 0


def retired(S: View, hart: int) -> int:
    """An instruction of the hart has retired."""
    if S.asleep.may_retire[hart]:
        S.asleep.until[hart] = 0
    return 0


def answered(S: View, hart: int, known: int) -> int:
    """A load of the hart has its answer, which EX1 can have from cycle `known` on."""
    S.asleep.still[hart] = 0
    if S.asleep.until[hart] > known:
        S.asleep.until[hart] = 0 if S.asleep.may_retire[hart] else known
    return 0


def wake_all(S: View) -> int:
    """Something else than the cycles of the clock may have changed the tile."""
    for hart in range(HARTS):
        S.asleep.until[hart] = 0
        S.asleep.still[hart] = 0
    S.asleep.niu = 0
    return 0
