# SPDX-License-Identifier: Apache-2.0
"""Pairs of kernels, each confirmed by a run of the second one from the state that the first left.

A pair is run with the whole state of the first kernel under the second one. If that ends otherwise
than from its own beginning, each element is tried by itself. Two kernels may follow each other in
two ways:

AFTER    one kernel after another: the second one has its hw_configure
WITHIN   one operation after another in one kernel: fields of words to which the hw_configure of
         both gives the same value, and that the first operation has left otherwise, are put under
         the second one when its hw_configure has written them

A run has another result, or ends with another state only (of what the kernel has touched), or
neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.state.leaked import is_neutral, is_per_tile
from tensix_gdb.gdbstub.pollution import state
from tensix_gdb.gdbstub.pollution.footprint import Footprint, changer
from tensix_gdb.gdbstub.pollution.kernel import Ended, Kernel, Plant, moved
from tensix_gdb.gdbstub.pollution.state import Element, Image, changed_bits, image_of, put
from tensix_gdb.gdbstub.pollution.verdict import (
    Effect,
    Hit,
    Verdict,
    Way,
    compare,
    init_of,
    uninit_of,
)
from tensix_gdb.gdbstub.pollution.where import Where

# L1 differs: the packer has written it.
_PACKED = Element(state.PACKER, "L1", 0, 0)


@dataclass(slots=True)
class Pairs:
    """The pairs with one second kernel: the verdict of each whole state, and the hits."""

    verdicts: dict[tuple[Way, str], Verdict] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    runs: int = 0


def leaks_within(one: Footprint) -> Iterator[Element]:
    """Yield the fields that an operation leaves other than the kernel's hw_configure gave them."""
    for element in one.left:
        if element.kind not in (state.CONFIGURATION, state.THREAD):
            continue
        left, name = element.value(one.end.image), element.name.partition(" of ")[0]
        given = one.given.get(element)
        if given in (None, left) or is_per_tile(name) or is_neutral(name, left):
            continue
        yield element


def _words(values: Mapping[Element, int]) -> dict[int, dict[str, int]]:
    """Return the fields by their word: one alone may agree by chance, as the strides of 16 bits in
    one mode and of 32 bits in another one do."""
    words: dict[int, dict[str, int]] = {}
    for element, value in values.items():
        words.setdefault(element.cell, {})[element.name] = value
    return words


def _is_alike(
    element: Element, one: dict[int, dict[str, int]], other: dict[int, dict[str, int]]
) -> bool:
    """True if two kernels have configured a field alike: a mode by itself, all else with the word
    that it is in."""
    if element.mask.bit_count() == 1:
        return one[element.cell][element.name] == other[element.cell][element.name]
    return one[element.cell] == other[element.cell]


class Confirming:
    """Runs of one kernel, the second one of pairs."""

    def __init__(self, kernel: Kernel, own: Footprint) -> None:
        self._kernel, self._own = kernel, own
        self._fresh = kernel.run()
        kernel.limit(self._fresh.cycles)
        self._known: dict[tuple[Way, tuple[tuple[Element, int], ...]], Effect] = {}
        self._readers: dict[tuple[Way, Element, int], Where | None] = {}
        self._images: dict[int, tuple[Image, bytes]] = {}
        self.pairs = Pairs()

    def after(self, first: Footprint, left: Sequence[Element] | None = None) -> None:
        """Try it after another kernel, which has left these elements changed; by default all in
        which its end differs from the beginning of this one."""
        if left is None:
            left = list(changed_bits(self._kernel.start, first.end.image))
        self._try(Way.AFTER, first, left)

    def within(self, first: Footprint) -> None:
        """Try its operation after that of another kernel."""
        given = _words(first.given)
        own = _words({each: one.value for each, one in self._own.configured.items()})
        left = [
            element
            for element in leaks_within(first)
            if element in self._own.configured and _is_alike(element, given, own)
        ]
        self._try(Way.WITHIN, first, left)

    def _try(self, way: Way, first: Footprint, left: Sequence[Element]) -> None:
        whole = self._effect(way, left, first.end.image)
        verdict = whole.verdict
        if verdict is not Verdict.NOTHING:
            found = list(self._alone(way, first, left))
            if not any(hit.effect.verdict is verdict for hit in found):
                found.append(self._hit(way, first, None, whole, self._kinds(way, first, left)))
            self.pairs.hits += found
        self.pairs.verdicts[way, first.name] = verdict

    def _alone(self, way: Way, first: Footprint, left: Iterable[Element]) -> Iterator[Hit]:
        """Yield the elements that make a difference by themselves."""
        groups: dict[str, list[Element]] = {}
        for element in left:
            groups.setdefault(element.kind, []).append(element)
        for group in groups.values():
            yield from self._halves(way, first, group)

    def _halves(self, way: Way, first: Footprint, left: Sequence[Element]) -> Iterator[Hit]:
        effect = self._effect(way, left, first.end.image)
        if effect.verdict is Verdict.NOTHING:
            return
        if len(left) == 1:
            yield self._hit(way, first, left[0], effect)
            return
        middle = len(left) // 2
        found = [
            *self._halves(way, first, left[:middle]),
            *self._halves(way, first, left[middle:]),
        ]
        yield from found

    def _kinds(self, way: Way, first: Footprint, left: Sequence[Element]) -> tuple[str, ...]:
        """Return the kinds of which none can be left out."""
        verdict = self._effect(way, left, first.end.image).verdict
        kinds = list(dict.fromkeys(element.kind for element in left))
        for kind in list(kinds):
            rest = [each for each in left if each.kind in kinds and each.kind != kind]
            if self._effect(way, rest, first.end.image).verdict is verdict:
                kinds.remove(kind)
        return tuple(kinds)

    def _hit(
        self,
        way: Way,
        first: Footprint,
        element: Element | None,
        effect: Effect,
        kinds: tuple[str, ...] = (),
    ) -> Hit:
        if element is None:
            names = first.name, self._own.name
            return Hit(way, *names, None, 0, 0, effect, None, None, "", kinds=kinds)
        was = element.value(self._kernel.start)
        if way is Way.WITHIN:
            was = self._own.configured[element].value
        left = element.value(first.end.image)
        reader = self._reader(way, element, left, first.end.image)
        writer = first.writers.get(element)
        return Hit(
            way,
            first.name,
            self._own.name,
            element,
            was,
            left,
            effect,
            writer,
            reader,
            init_of(reader, self._own.functions),
            uninit_of(writer, first.functions),
        )

    def _reader(self, way: Way, element: Element, left: int, source: Image) -> Where | None:
        """Return the first instruction that reads the element; if that is not observed, the one
        with which its run begins to differ."""
        key = way, element, left
        if key not in self._readers:
            read = self._own.read_of(element, within=way is Way.WITHIN)
            at = read.where if read is not None else None
            self._readers[key] = at or self._first_difference(way, element, source)
        return self._readers[key]

    # Runs

    def _effect(self, way: Way, left: Sequence[Element], source: Image) -> Effect:
        """Run it with these elements of another kernel's end."""
        key = way, tuple((element, element.value(source)) for element in left)
        if not left:
            return Effect(Verdict.NOTHING)
        if key not in self._known:
            self._known[key] = self._run(way, left, source)
        return self._known[key]

    def _run(self, way: Way, left: Sequence[Element], source: Image) -> Effect:
        self.pairs.runs += 1
        start, planted = self._sides(way, left, source)
        if way is Way.AFTER:
            ended = self._kernel.run(planted)
        else:
            ended = self._kernel.run(plants=self._plants(left, source))
        return compare(self._fresh, ended, start, planted)

    def _sides(self, way: Way, left: Sequence[Element], source: Image) -> tuple[Image, Image]:
        """Return what the elements have without and with the plant."""
        start, planted = self._kernel.start.copy(), self._kernel.start.copy()
        for element in left:
            element.give(planted, source)
            if way is Way.WITHIN:
                element.set(start, self._own.configured[element].value)
        return start, planted

    def _plants(self, left: Sequence[Element], source: Image) -> list[Plant]:
        return [
            Plant(self._own.configured[element].cycle, _giving(element, source)) for element in left
        ]

    def _first_difference(self, way: Way, element: Element, source: Image) -> Where | None:
        """Return the instruction with which the run begins to differ, by halving."""
        start, planted = self._sides(way, [element], source)
        least = 0 if way is Way.AFTER else self._own.configured[element].cycle
        low, high = least, self._fresh.cycles
        if not self._differs(way, element, source, start, planted, high):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            if self._differs(way, element, source, start, planted, middle):
                high = middle
            else:
                low = middle
        bits = self._differs(way, element, source, start, planted, high)
        return changer(self._kernel.machine, bits[0])

    def _differs(
        self,
        way: Way,
        element: Element,
        source: Image,
        start: Image,
        planted: Image,
        cycle: int,
    ) -> list[Element]:
        """Return the elements that differ after so many cycles, and leave the tile there."""
        kernel = self._kernel
        if cycle not in self._images:
            kernel.begin()
            kernel.advance(cycle)
            self._images[cycle] = image_of(kernel.machine.record), kernel.memory()
        if way is Way.AFTER:
            kernel.begin(planted)
        else:
            kernel.begin()
            given = self._own.configured[element]
            kernel.advance(given.cycle)
            _giving(element, source)(kernel.machine)
        kernel.advance(cycle)
        image, memory = self._images[cycle]
        one, other = (
            Ended(b"", "", cycle, each) for each in (image, image_of(kernel.machine.record))
        )
        bits = moved(one, other, start, planted)
        found = list(changed_bits(np.zeros_like(bits), bits))
        return found or ([_PACKED] if kernel.memory() != memory else [])


def _giving(element: Element, source: Image) -> Callable[[Machine], None]:
    def change(machine: Machine) -> None:
        image = image_of(machine.record)
        element.give(image, source)
        put(machine.record, image)

    return change
