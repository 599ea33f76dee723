# SPDX-License-Identifier: Apache-2.0
"""Values of registers with where they come from: constants of a round, words that were read, and
what instructions have made of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.riscv.encoding import Operation

Extend = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Read:
    """A load of a round: `value` is what it brings, `in_memory` the same bytes of memory now. They
    differ where the L0 data cache has an older line (`cached`)."""

    addr: int
    size: int
    pc: int
    value: int
    in_memory: int
    cached: bool
    region: int

    @property
    def is_stale(self) -> bool:
        """True if the hart reads something else than memory has."""
        return self.cached and self.value != self.in_memory


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A value. `apply` made it of `parts`, or `extend` of the bytes of `read`; else it is the same
    in each round, unless it `varies`."""

    value: int
    apply: Operation | None = None
    parts: tuple[Term, ...] = ()
    read: Read | None = None
    extend: Extend | None = None
    varies: bool = False
    reads: frozenset[Read] = field(default_factory=frozenset)

    @staticmethod
    def of(apply: Operation, *parts: Term) -> Term:
        """Return what an operation makes of values; constants of constants."""
        value = int(apply(*(part.value for part in parts))) & MASK32
        reads = frozenset().union(*(part.reads for part in parts))
        varies = any(part.varies for part in parts)
        if not reads:
            return Term(value, varies=varies)
        return Term(value, apply, parts, varies=varies, reads=reads)

    def given(self, values: Mapping[Read, int]) -> int:
        """Return the value if words that were read had these bytes."""
        if self.read is not None and self.read in values:
            assert self.extend is not None
            return self.extend(values[self.read])
        if self.apply is None or not self.reads & values.keys():
            return self.value
        return int(self.apply(*(part.given(values) for part in self.parts))) & MASK32

    def constants(self) -> Iterator[int]:
        """Yield the constants that it was made of."""
        if self.apply is None and self.read is None:
            yield self.value
        for part in self.parts:
            yield from part.constants()
