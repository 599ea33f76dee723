# SPDX-License-Identifier: Apache-2.0
"""Loops of harts that poll, in the code of a program: where a counted run has spent its cycles.

A loop polls if a branch in it depends on what was loaded from an address that is the same in each
round, and if it does nothing else: it stores nothing, pushes nothing and calls nothing. tt-metal's
cb_wait_front is one, a semaphore or mailbox that is read again and again another. No counter of the
hardware sees them, since nothing is held at a gate (tt-metal#56697).

This is by the code alone, without the values. core/polls follows a hart that polls now, and knows
the word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.elf import Image

LONGEST = 64  # instructions of a loop
LOAD, STORE, ATOMIC, BRANCH, JALR, JAL = 0x03, 0x23, 0x2F, 0x63, 0x67, 0x6F
UPPER, UPPER_PC, IMMEDIATE, REGISTER, SYSTEM = 0x37, 0x17, 0x13, 0x33, 0x73
CHANGES = (STORE, ATOMIC, JALR)  # what no polling loop does
MAKES = (LOAD, UPPER, UPPER_PC, IMMEDIATE, REGISTER, SYSTEM)  # what has a result


@dataclass(frozen=True, slots=True)
class Loop:
    """The addresses of a loop's instructions, and of the load that decides."""

    first: int
    last: int
    load: int

    @property
    def pcs(self) -> range:
        return range(self.first, self.last + 4, 4)


def polling_loops(image: Image) -> list[Loop]:
    """Return the loops of a program that poll, the shorter ones first; none in another one."""
    found: list[Loop] = []
    for segment in image.code:
        words = [
            int.from_bytes(segment.data[at : at + 4], "little")
            for at in range(0, len(segment.data) - 3, 4)
        ]
        for first, last in _loops(words):
            load = _decides(words[first : last + 1])
            if load is not None:
                base = segment.addr
                found.append(Loop(base + 4 * first, base + 4 * last, base + 4 * (first + load)))
    found.sort(key=lambda loop: (loop.last - loop.first, loop.first))
    kept: list[Loop] = []
    for loop in found:
        if not any(loop.first <= one.first and one.last <= loop.last for one in kept):
            kept.append(loop)
    return kept


def _loops(words: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the first and the last instruction of loops that change nothing."""
    for last, word in enumerate(words):
        kind = word & 0x7F
        if kind == BRANCH or (kind == JAL and not _rd(word)):
            first = last + (_branch_to(word) if kind == BRANCH else _jump_to(word)) // 4
            is_near = last - LONGEST < first <= last and first >= 0
            if is_near and all(_keeps(one) for one in words[first : last + 1]):
                yield first, last


def _keeps(word: int) -> bool:
    """True if an instruction of a hart stores, pushes and calls nothing."""
    kind = word & 0x7F
    return word & 3 == 3 and kind not in CHANGES and not (kind == JAL and _rd(word))


def _decides(words: Sequence[int]) -> int | None:
    """Return the number of the first load on which a branch of the loop depends, from an address
    that is the same in each round; None if there is none."""
    varying = {_rd(word) for word in words if word & 0x7F in MAKES} - {0}
    while True:
        before = set(varying)
        _round(words, varying, {})
        if varying == before:
            break
    loads: dict[int, int] = {}  # by register
    for _ in range(2):  # a register may be loaded at the end
        decided = _round(words, varying, loads)
        if decided is not None:
            return decided
    return None


def _round(words: Sequence[int], varying: set[int], loads: dict[int, int]) -> int | None:
    """Follow a round: `varying` are the registers that differ from round to round, `loads` which
    load others were made of. Return the load on which a branch depends."""
    for number, word in enumerate(words):
        kind, rd, sources = word & 0x7F, _rd(word), _sources(word)
        if kind == BRANCH:
            decided = [loads[one] for one in sources if one in loads]
            if decided:
                return min(decided)
        if kind not in MAKES or not rd:
            continue
        made_of = [loads[one] for one in sources if one in loads]
        loads.pop(rd, None)
        if varying & set(sources):
            varying.add(rd)
            continue
        varying.discard(rd)
        if kind == LOAD:
            loads[rd] = number
        elif made_of:
            loads[rd] = min(made_of)
    return None


def _sources(word: int) -> tuple[int, ...]:
    kind = word & 0x7F
    if kind in (REGISTER, BRANCH):
        return _rs1(word), _rs2(word)
    return (_rs1(word),) if kind in (IMMEDIATE, LOAD) else ()


def _rd(word: int) -> int:
    return word >> 7 & 31


def _rs1(word: int) -> int:
    return word >> 15 & 31


def _rs2(word: int) -> int:
    return word >> 20 & 31


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def _branch_to(word: int) -> int:
    """Return how far a branch goes, in bytes."""
    to = (word >> 8 & 15) << 1 | (word >> 25 & 63) << 5 | (word >> 7 & 1) << 11 | (word >> 31) << 12
    return _signed(to, 13)


def _jump_to(word: int) -> int:
    """The same of a jump."""
    to = (word >> 21 & 0x3FF) << 1 | (word >> 20 & 1) << 11 | (word >> 12 & 0xFF) << 12
    return _signed(to | (word >> 31) << 20, 21)
