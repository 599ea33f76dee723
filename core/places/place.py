# SPDX-License-Identifier: Apache-2.0
"""A place in the tile as a value, and as text.

    text(parse(["gpr", "T1", "5"])) == "gpr T1 5"

A place names state as a person does, by thread, number, row and column. It knows no machine: what
a chip lacks, and where the record has it, is known to state.py. README.md has the notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from tensix_gdb.core.dataclass import dataclass

Indexes = tuple[range, ...]  # without overlap, in order


class NotAPlace(ValueError):
    """The words name no place; the message says what to type."""


@dataclass(frozen=True, slots=True)
class Place:
    """State of one kind (kinds.py).

    `owner` is a thread (T0), a hart (B) or a bank (0), "" where nothing says which. `name` is that
    of a field, a register, a counter or a row of the record. `indexes` has the numbers of each
    dimension; a dimension that is left out is whole. Of memory they are addresses. `bits` are
    those of a word of the configuration that are meant, None for all.
    """

    kind: str
    owner: str = ""
    name: str = ""
    indexes: tuple[Indexes, ...] = ()
    bits: range | None = None

    def __str__(self) -> str:
        return text(self)

    def owned(self, owner: str) -> Place:
        """The same state of an owner, where the words name none."""
        return self if self.owner else replace(self, owner=owner)


def text(place: Place) -> str:
    """Return the words that name a place, in one way: `parse(text(place).split()) == place`."""
    index = ".".join(map(_ranges, place.indexes))
    match place.kind:
        case "l1":
            return f"L1 {_addresses(place.indexes[0])}"
        case "local" | "mmio":
            at = place.name or _addresses(place.indexes[0])
            words = [place.kind, place.owner, at]
        case "row":
            inside = ",".join(map(_ranges, place.indexes))
            return place.name + (f"[{inside}]" if inside else "")
        case "cfg":
            words = ["cfg", place.name + _slice(place.bits), place.owner]
        case "src":
            words = ["src", place.name, place.owner, index]
        case "sem":
            words = ["sem", index + (f".{place.name}" if place.name else "")]
        case "adc":
            words = ["adc", place.owner, place.name, ",".join(_counters(place.indexes))]
        case _:
            words = [place.kind, place.owner, place.name, index]
    return " ".join(filter(None, words))


COUNTERS = tuple(f"{axis}{channel}" for channel in range(2) for axis in "XYZW")


def _counters(indexes: tuple[Indexes, ...]) -> Iterator[str]:
    return (COUNTERS[i] for numbers in indexes for one in numbers for i in one)


def _slice(bits: range | None) -> str:
    return "" if bits is None else f"[{bits[-1]}:{bits[0]}]"


def _ranges(numbers: Indexes) -> str:
    return ",".join(
        str(one.start) if len(one) == 1 else f"{one.start}-{one.stop - 1}" for one in numbers
    )


def _addresses(numbers: Indexes) -> str:
    return ",".join(f"{one.start:#x}:{len(one)}" for one in numbers)


def joined(numbers: Iterable[int | range]) -> Indexes:
    """Numbers and ranges as ranges in order, neighbours as one."""
    ranges = sorted(
        (range(one, one + 1) if isinstance(one, int) else one for one in numbers),
        key=lambda one: one.start,
    )
    found: list[range] = []
    for one in ranges:
        if found and one.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, one.stop))
        else:
            found.append(one)
    return tuple(found)


def numbered(kind: str, *index: int, owner: str = "", name: str = "") -> Place:
    """Return the place of one number, or of a row and a column."""
    return Place(kind, owner, name, tuple(joined([one]) for one in index))


def numbers(indexes: Indexes) -> list[int]:
    """Return every number of one dimension."""
    return [i for one in indexes for i in one]


def every(place: Place, dimensions: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every index that is meant, of dimensions of these lengths."""
    known = [numbers(one) for one in place.indexes]
    known += [list(range(end)) for end in dimensions[len(known) :]]
    return product(*known)
