# SPDX-License-Identifier: Apache-2.0
"""Instructions of the Vector Unit that have left an element as it was, because its lane was off, or
have written it where conditional execution had left its lane on.

The last write of a datum is what a question asks for. Where an instruction has stored the old value
again, it is an earlier write that is looked for (wanted.py). If the lane flags are the reason, the
instruction is kept beside it: a person looks for the line that should have written the datum. Of
a write in a lane that is on it is kept, too: a comparison may have been the wrong one.

    a store, a result of one cycle      the instruction, and lane flags as they were then
    a result of the second cycle        the word of `vector_late.lanes` that says in which lanes it
                                        is written: what has made it is the instruction
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.elements import Element, element_at, offset_of
from tensix_gdb.core.origin.instrumented.scopes import TENSIX
from tensix_gdb.core.origin.instrumented.watched import Write
from tensix_gdb.core.origin.nodes import Node
from tensix_gdb.core.origin.parts import places_of
from tensix_gdb.core.tensix.vector.opcodes import Sfp
from tensix_gdb.core.tensix.vector.state import SECOND

MOST = 4  # of one element
FLAGS, USE = offset_of("vector", "flags"), offset_of("vector", "use_flags")
States = Callable[[int], bytearray | memoryview]  # of a tile, at the start of the cycle
LREG, DST = ("vector", "lreg"), ("dst", "bits")


class PassedOver:
    """Notes them for the nodes of one question."""

    def __init__(
        self, machines: Sequence[Machine], states: States, add: Callable[..., None]
    ) -> None:
        self._machines, self._states, self._add = machines, states, add

    def is_left_by_store(self, node: Node, write: Write, bits: int) -> bool:
        """True if SFPSTORE has stored the pair of columns that the element is in, and has left the
        element as it was: its lane is off, or it is the other column."""
        scope = write.scope
        if node.key != DST or scope is None or scope.word >> 24 != Sfp.STORE or node.tile < 0:
            return False
        data = [
            place
            for place, _ in places_of(write, bits)
            if element_at(place[0]).key in (LREG, DST, ("vector_late", "value"))
        ]
        same = element_at(node.place[0]).offset
        return bool(data) and all(element_at(place[0]).offset == same for place in data)

    def note(self, node: Node, write: Write, cycle: int) -> None:
        """Keep the instruction that has left the element as it was, if its lane was off."""
        if len(node.passed_over) < MOST:
            self._keep(node.passed_over, node, write, cycle, is_on=False)

    def note_written(self, node: Node, write: Write, cycle: int) -> None:
        """Keep the instruction that has written the element, if its lane flag has let it."""
        self._keep(node.in_lane, node, write, cycle, is_on=True)

    def _keep(self, to: list[Node], node: Node, write: Write, cycle: int, *, is_on: bool) -> None:
        if node.tile < 0 or node.is_setting:
            return
        scope, element = write.scope, element_at(node.place[0])
        lane = _lane(element)
        if lane is None or scope is None:
            return
        if scope.carrier and not is_on:
            if element.key == LREG:
                lanes = offset_of("vector_late", "lanes", SECOND, element.index[0]), 4
                self._add(to, lanes, 1 << lane, node, is_setting=True)
            return
        # Flags at the start of a result's second cycle are those of the first one's end.
        if not (scope.carrier or scope.kind == TENSIX):
            return
        if not self._is(node.tile, lane, is_on=is_on):
            return
        if element.key == DST and self._column(node.tile, lane) != element.index[1] & 1:
            return
        one = Node(
            node.place, 1 << lane, node.tile, cycle=cycle, scope=scope, level=node.level,
            is_setting=True,
        )  # fmt: skip
        for at in (FLAGS, USE):
            self._add(one.addressed, (at, 4), 1 << lane, node, is_setting=True)
        if one.addressed:
            to.append(one)

    def _is(self, tile: int, lane: int, *, is_on: bool) -> bool:
        """True if conditional execution has the lane on, or off."""
        state = self._states(tile)
        flags, use = (int.from_bytes(state[at : at + 4], "little") for at in (FLAGS, USE))
        return bool(use & (flags if is_on else ~flags) & 1 << lane)

    def _column(self, tile: int, lane: int) -> int:
        """Return 1 if the store that was just executed is to the odd columns (store.py)."""
        return int(self._machines[tile].S.vector.a[lane]) >> 4 & 1


def _lane(element: Element) -> int | None:
    """Return the lane that an element belongs to; None if it is of no lane."""
    if element.key == LREG:
        return element.index[1]
    if element.key == DST:
        row, column = element.index
        return (row & 3) * 8 + column // 2
    return None
