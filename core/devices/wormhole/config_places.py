# SPDX-License-Identifier: Apache-2.0
"""The places in the record of each bit of Wormhole's configuration.

Most fields of the two chips have one name and one meaning, and lie in other words (cfg_defines.h).
So the record has Config and ThreadConfig of Wormhole by fields, each in the place that it has
on Blackhole, and the units of both chips read the same places. A word of Wormhole is taken apart
when it is written, and put together when it is read.

Every bit of Wormhole's words has a place of its own, so that what is written is what is read: bits
without a field of that name on Blackhole are in bits that have no field there. Fields that only
Blackhole has keep what `ON_WORMHOLE` says, which makes its units do what Wormhole's do.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise

from tensix_gdb.core.arch import chips
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields

# Fields that Wormhole lacks, with what they have to say there; what is not named here is 0.
ON_WORMHOLE = {
    # Its source registers have no format of their own: ALU_FORMAT_SPEC says it (MVMUL.md).
    "DISABLE_IMPLIED_SRCA_FMT_Base": 1,
    "DISABLE_IMPLIED_SRCB_FMT_Base": 1,
}
# Words of Blackhole that act when they are written: nothing else has a place there.
_ACTING = (4, chips.IC_INVALIDATE[chips.BLACKHOLE], chips.PRNG_SEED[chips.BLACKHOLE])


@dataclass(frozen=True, slots=True)
class Run:
    """`width` bits from bit `low` of a word of Wormhole, in the record from bit `at_low` of `at`
    on."""

    word: int
    low: int
    width: int
    at: int
    at_low: int

    @property
    def mask(self) -> int:
        """The bits of the record's word."""
        return ((1 << self.width) - 1) << self.at_low


# Bits are counted through all words of a space: bit `low` of `word` is `word * size + low`.
_NOWHERE = -1


def _fields(arch: Arch, thread: bool) -> dict[str, ConfigField]:
    fields = config_fields(arch)
    return {name: f for name, f in fields.items() if (f.space is Space.THREAD) is thread}


def _joined(places: Sequence[int], size: int) -> Iterable[Run]:
    """The runs of neighbouring bits that stay neighbours, in one word before and after."""
    pairs = pairwise(places)
    starts = [
        bit
        for bit, (before, place) in enumerate(pairs, 1)
        if place != before + 1 or not bit % size or not place % size
    ]
    for start, end in pairwise((0, *starts, len(places))):
        yield Run(*divmod(start, size), end - start, *divmod(places[start], size))


def _rest(missing: bytes, free: bytes, size: int) -> Iterable[tuple[range, range]]:
    """Places for bits without a field: each run of them in the shortest free one that has room; of
    several, in the one that has been there for longest. Where none has, in the longest."""
    holes: list[deque[range]] = [deque() for _ in range(size + 1)]  # by length
    for hole in _neighbours(free, size):
        holes[len(hole)].append(hole)
    for run in sorted(_neighbours(missing, size), key=len, reverse=True):
        left = run
        while left:
            lengths = (*range(len(left), size + 1), *range(len(left) - 1, 0, -1))
            hole = next(holes[length] for length in lengths if holes[length]).popleft()
            count = min(len(hole), len(left))
            yield left[:count], hole[:count]
            left = left[count:]
            if len(hole) > count:
                holes[len(hole) - count].append(hole[count:])


def _neighbours(bits: bytes, size: int) -> Iterator[range]:
    """Yield the runs of neighbours in one word, of the bits that are not 0."""
    for word in range(0, len(bits), size):
        for run in re.finditer(rb"\x01+", bits[word : word + size]):
            yield range(word + run.start(), word + run.end())


def _runs(thread: bool) -> tuple[Run, ...]:
    size = 16 if thread else 32
    words = (chips.THREAD_CONFIG_WORDS if thread else chips.CONFIG_WORDS)[chips.WORMHOLE]
    room = (chips.THREAD_CONFIG_WORDS if thread else chips.CONFIG_WORDS)[chips.BLACKHOLE]
    there = _fields(Arch.BLACKHOLE, thread)
    places = [_NOWHERE] * (words * size)
    free = bytearray(b"\1" * room * size)
    for name, field in _fields(Arch.WORMHOLE, thread).items():
        if name in there:
            first, target = field.word * size + field.low, there[name].word * size + there[name].low
            count = min(field.width, there[name].width)
            places[first : first + count] = range(target, target + count)
    for field in there.values():
        first = field.word * size + field.low
        free[first : first + field.width] = bytes(field.width)
    for word in () if thread else _ACTING:
        free[word * size : (word + 1) * size] = bytes(size)
    missing = bytes(place == _NOWHERE for place in places)
    for bits, to in _rest(missing, bytes(free), size):
        places[bits.start : bits.stop] = to
    assert len(set(places) - {_NOWHERE}) == len(places)
    return tuple(_joined(places, size))


CONFIG_RUNS = _runs(thread=False)
THREAD_RUNS = _runs(thread=True)


def first_runs(runs: tuple[Run, ...], words: int) -> tuple[int, ...]:
    """Return the number of the first run of each word, and of the one after the last."""
    counts = [0] * (words + 1)
    for run in runs:
        counts[run.word + 1] += 1
    return tuple(accumulate(counts))


@cache
def pieces(field: ConfigField) -> tuple[tuple[int, Run], ...]:
    """Return where the record has a field of Wormhole: bit of the field, and the place from there
    on."""
    thread = field.space is Space.THREAD
    size = 16 if thread else 32
    found = []
    for run in THREAD_RUNS if thread else CONFIG_RUNS:
        first = (run.word - field.word) * size + run.low - field.low
        start, end = max(first, 0), min(first + run.width, field.width)
        if start < end:
            skipped = start - first
            found.append(
                (
                    start,
                    Run(run.word, run.low + skipped, end - start, run.at, run.at_low + skipped),
                )
            )
    return tuple(found)


def place(name: str) -> ConfigField:
    """Return where the record has a field of Wormhole that is in one piece: as a field of
    Blackhole."""
    field = config_fields(Arch.WORMHOLE)[name]
    ((_, run),) = pieces(field)
    return ConfigField(name, field.space, run.at, run.at_low, run.width)


def by_run(runs: tuple[Run, ...], value_of: Callable[[Run], int]) -> tuple[int, ...]:
    """Return a table by the number of a run."""
    return tuple(map(value_of, runs))
