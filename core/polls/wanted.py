# SPDX-License-Identifier: Apache-2.0
"""The values of a word that end a loop, from the compare and branch that decide about it.

The condition is evaluated for many values: those around its constants and around what the word
has, powers of two, and values from all over the range. Of the simple forms (equal, not equal, at
least, at most, a bit) the first that agrees with every one of them is taken. Where none does
nothing is said about the values.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable

from tensix_gdb.core.dataclass import dataclass

STEP = 0x9E3779B1  # odd: its multiples are spread over the whole range
SPREAD = 64  # values from all over the range


class Is(enum.Enum):
    """The relation of a word to a number."""

    EQUAL = "it is {}"
    OTHER = "it is not {}"
    AT_LEAST = "it is at least {}"
    AT_MOST = "it is at most {}"
    SIGNED_AT_LEAST = "it is at least {} (signed)"
    SIGNED_AT_MOST = "it is at most {} (signed)"
    BIT_SET = "bit {} of it is 1"
    BIT_CLEAR = "bit {} of it is 0"
    ANY_SET = "it has one of the bits {}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The values of a word with which a loop ends."""

    relation: Is
    number: int

    @property
    def text(self) -> str:
        """The words after `until`."""
        if self.relation in (Is.BIT_SET, Is.BIT_CLEAR):
            return self.relation.value.format(self.number)
        return self.relation.value.format(number_text(self.number))

    def ends(self, value: int, bits: int) -> bool:
        """True of a value with which the loop ends."""
        signed = value - (1 << bits) if value >> bits - 1 else value
        match self.relation:
            case Is.EQUAL:
                return value == self.number
            case Is.OTHER:
                return value != self.number
            case Is.AT_LEAST:
                return value >= self.number
            case Is.AT_MOST:
                return value <= self.number
            case Is.SIGNED_AT_LEAST:
                return signed >= self.number
            case Is.SIGNED_AT_MOST:
                return signed <= self.number
            case Is.BIT_SET:
                return bool(value >> self.number & 1)
            case Is.BIT_CLEAR:
                return not value >> self.number & 1
            case Is.ANY_SET:
                return bool(value & self.number)


def number_text(number: int) -> str:
    """Return a number as people write it: small ones in decimal."""
    return str(number) if abs(number) < 1024 else f"{number:#x}"


def wanted(
    ends: Callable[[int], bool], size: int, now: int, constants: Iterable[int]
) -> Wanted | None:
    """Return the relation with which `ends` agrees; None if it is none of them. `now` is what the
    word of `size` bytes has, `constants` are those of the condition."""
    bits = 8 * size
    mask = (1 << bits) - 1
    near = {number & mask for number in constants} | {now, 0, mask, 1 << bits - 1}
    values = {number + by & mask for number in near for by in (-2, -1, 0, 1, 2)}
    values |= {(1 << bit) + by & mask for bit in range(bits) for by in (-1, 0, 1)}
    values |= {now ^ 1 << bit for bit in range(bits)}
    values |= {i * STEP >> 7 & mask for i in range(SPREAD)}
    decided = {value: ends(value) for value in sorted(values)}
    for found in _candidates(decided, bits):
        if all(found.ends(value, bits) == end for value, end in decided.items()):
            return found
    return None


def _candidates(decided: dict[int, bool], bits: int) -> Iterable[Wanted]:
    good = [value for value, end in decided.items() if end]
    bad = [value for value, end in decided.items() if not end]
    if len(good) == 1:
        yield Wanted(Is.EQUAL, good[0])
    if len(bad) == 1:
        yield Wanted(Is.OTHER, bad[0])
    if not good or not bad:
        return
    yield Wanted(Is.AT_LEAST, min(good))
    yield Wanted(Is.AT_MOST, max(good))
    half, whole = 1 << bits - 1, 1 << bits
    signed = [value - whole if value >= half else value for value in good]
    yield Wanted(Is.SIGNED_AT_LEAST, min(signed))
    yield Wanted(Is.SIGNED_AT_MOST, max(signed))
    for bit in range(bits):
        yield Wanted(Is.BIT_SET, bit)
        yield Wanted(Is.BIT_CLEAR, bit)
    yield Wanted(Is.ANY_SET, sum(1 << bit for bit in range(bits) if decided[1 << bit]))
