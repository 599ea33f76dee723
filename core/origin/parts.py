# SPDX-License-Identifier: Apache-2.0
"""The parts that a write of one cycle was made of: elements as they were at the start of the cycle,
through other writes of the same cycle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.opcodes import CFGSHIFTMASK
from tensix_gdb.core.origin.elements import Element, element_at
from tensix_gdb.core.origin.instrumented.scopes import TENSIX, Scope
from tensix_gdb.core.origin.instrumented.values import leaves, wanted_of
from tensix_gdb.core.origin.instrumented.watched import Place, Write
from tensix_gdb.core.tensix.config.pipeline import ShiftMode, rotate_right
from tensix_gdb.core.tensix.table import find


def places_of(write: Write, bits: int) -> Iterator[tuple[Place, int]]:
    """Yield the elements that bits of a write depend on, each with its own bits."""
    return _places(write, bits, set())


def _places(write: Write, bits: int, seen: set[int]) -> Iterator[tuple[Place, int]]:
    for key, part in write.parts.items():
        own = wanted_of(part, bits)
        if not own:
            continue
        if type(key) is Write:
            if (id(key) ^ own) not in seen:
                seen.add(id(key) ^ own)
                yield from _places(key, own, seen)
        else:
            yield key, own


def kept_by(write: Write, bits: int, before: int) -> dict[Write | None, int]:
    """Return those of these bits of a write that it has left as they were, each with the write of
    the same cycle that they are from; None for what was there at the start of the cycle, which is
    `before`. So a masked write is none of the bits that its mask leaves out."""
    found: dict[Write | None, int] = {}
    others = 0
    for key, (shift, mask, _) in write.parts.items():
        offset = key.offset if type(key) is Write else key[0]
        # A register of a hart is written as a whole, whatever it was made of.
        up = 8 * (offset - write.offset)
        is_own = shift == up and 0 <= up < 8 * write.size
        if is_own and element_at(offset).key[0] != "hart":
            was = key.value if type(key) is Write else before >> up
            own = mask & bits & ~(was << up ^ write.value)
            source = key if type(key) is Write else None
            found[source] = found.get(source, 0) | own
            others |= mask & ~own
        else:
            others |= mask
    shifted = _made_by_shift(write)
    if shifted is not None and element_at(write.offset).key[0] == "config":
        found[None] = found.get(None, 0) | (bits & ~shifted & ~(before ^ write.value))
        others &= shifted
    overlap = 0
    seen = 0
    for own in found.values():
        overlap |= seen & own
        seen |= own
    return {one: left for one, own in found.items() if (left := own & ~others & ~overlap)}


def _made_by_shift(write: Write) -> int | None:
    """Return the bits that CFGSHIFTMASK makes of the word that it writes, whatever was there; None
    for another instruction. It leaves the others as they were, but for what carries of ADD and SUB
    change, and XNOR, which inverts them (CFGSHIFTMASK.md). It has read the word in the cycle
    before, so the word is no part of the write."""
    scope = write.scope
    if scope is None or scope.kind != TENSIX or scope.word >> 24 != CFGSHIFTMASK:
        return None
    row = find(scope.word, Arch.BLACKHOLE)
    if row is None:
        return None
    of = row.encoding.decode(scope.word)
    if of["alu_mode"] in (ShiftMode.AND, ShiftMode.ORN):
        return MASK32
    return rotate_right((2 << of["mask_width"]) - 1, of["rotate_amt"])


def _writes(write: Write, bits: int, seen: set[int]) -> Iterator[Write]:
    """Yield the writes of the same cycle that a write has got its value from."""
    for key, part in write.parts.items():
        own = wanted_of(part, bits)
        if own and type(key) is Write and id(key) not in seen:
            seen.add(id(key))
            yield key
            yield from _writes(key, own, seen)


def maker_of(write: Write, bits: int) -> Scope | None:
    """Return the instruction that has made a value in the same cycle that a carrier has moved."""
    for key, part in write.parts.items():
        own = wanted_of(part, bits)
        if own and type(key) is Write:
            scope = key.scope
            if scope is not None and not scope.carrier:
                return scope
            return maker_of(key, own)
    return None


def steering(
    write: Write, bits: int, *, alone: bool = False
) -> tuple[dict[Place, int], dict[Place, int]]:
    """Return what has steered a write: the elements that places and values were chosen with, and
    those that branches have asked about; `alone`: without what steered other instructions of the
    same cycle."""
    seen: set[int] = set()
    left: list[tuple[Any, bool]] = [(write.steer, False)]
    left += [(one.steer, False) for one in _writes(write, bits, set())]
    chosen: dict[Place, int] = {}
    asked: dict[Place, int] = {}
    while left:
        steer, by_index = left.pop()
        for value, is_index in leaves(steer):
            found = chosen if is_index or by_index else asked
            for key, (_, mask, own) in value.parts.items():
                if type(key) is Write:
                    if id(key) not in seen and not (alone and _is_of_another(key, write)):
                        seen.add(id(key))
                        left += [(key.steer, False), (_Leaf(key), is_index or by_index)]
                elif mask:
                    found[key] = found.get(key, 0) | own
    return chosen, asked


def _is_of_another(one: Write, write: Write) -> bool:
    """True if another instruction has written it."""
    scope = one.scope
    return scope is not None and not scope.carrier and scope != write.scope


def own_lane(element: Element, asked: dict[Place, int]) -> dict[Place, int]:
    """Return what a lane of an LReg depends on, without other lanes: the Vector Unit asks first
    whether any lane has an infinity (vector/operations/mad.py), and then each lane for itself."""
    if element.key not in (("vector", "lreg"), ("vector_late", "value")):
        return asked
    lane = element.index[-1]
    lanes = {
        place: one.index[-1]
        for place in asked
        if (one := element_at(place[0])).key == ("vector", "lreg")
    }
    if lane not in lanes.values():
        return asked
    return {place: own for place, own in asked.items() if lanes.get(place, lane) == lane}


class _Leaf:
    """A write in a tree of steering values."""

    def __init__(self, write: Write) -> None:
        self.parts, self.steer = write.parts, None


def own_bits(place: Place, part: Place, own: int) -> int:
    """Return the bits of a part of an element, of those of the element."""
    return own if part == place else (own >> 8 * (part[0] - place[0])) & 0xFF
