# SPDX-License-Identifier: Apache-2.0
"""The elements that a question wants, by the cycle of their last write, and what these say.

want            the node of an element; its last write is looked for later, by its stamp
pop_latest      the latest cycle in which something wanted was written or moved
fill            a write of that cycle: what the element was made of, which is wanted, too
fill_moved      the same of a request that has moved it
"""

from __future__ import annotations

import sys

from tensix_gdb.core.origin.elements import BY_BYTE, element_at
from tensix_gdb.core.origin.engines import CHUNK, Stamped
from tensix_gdb.core.origin.instrumented.scopes import CABLE, HART, NOC, Scope
from tensix_gdb.core.origin.instrumented.watched import Place, Write
from tensix_gdb.core.origin.lanes import PassedOver
from tensix_gdb.core.origin.memories import FROM_OUTSIDE, Holder
from tensix_gdb.core.origin.moves import Change, Move
from tensix_gdb.core.origin.nodes import Node, hold_node
from tensix_gdb.core.origin.parts import kept_by, maker_of, own_bits, own_lane, places_of, steering
from tensix_gdb.core.record.layout import Role


class Wanted:
    """The nodes of one question. `stamped` has the stamps of all elements where the tiles are;
    `levels` is how many visible elements are followed after each other; without `settings` nothing
    is wanted of what has chosen an element or steered a unit."""

    def __init__(self, stamped: Stamped, levels: int, *, settings: bool = True) -> None:
        self._stamped, self._moves, self._levels = stamped, stamped.moves, levels
        self._with_settings = settings
        self._known: dict[tuple[Holder, Place, int, int, bool], Node] = {}
        # By cycle: stores, and what was moved in it.
        self._wanted: dict[tuple[int, bool], list[Node]] = {}
        self._numbers: dict[int, int] = {}  # of moves that are wanted, by the identity of a node
        # Answers of atomics, by the identity of a node: what was there before the atomic.
        self._answers: dict[int, tuple[Holder, Place]] = {}
        # The stamps where the question is asked, of each tile, in chunks that are not zero.
        self.end: list[dict[int, bytes]] = []
        self.states: list[bytearray | memoryview] = []  # of each tile, where it is looked at
        self._passed_over = PassedOver(stamped.machines, lambda tile: self.states[tile], self.add)

    def __bool__(self) -> bool:
        return bool(self._wanted)

    def pop_latest(self) -> tuple[int, bool, list[Node]]:
        """Return the latest cycle of which something is wanted; True if it was moved; the nodes."""
        cycle, is_moved = key = max(self._wanted)
        return cycle, is_moved, self._wanted.pop(key)

    def give_up(self) -> None:
        """Nothing more is looked for."""
        for left in self._wanted.values():
            for node in left:
                node.is_followed = False

    def move_of(self, node: Node) -> int:
        """Return the number of the move that is looked for."""
        return self._numbers[id(node)]

    def want(self, tile: Holder, place: Place, bits: int, level: int, *, is_setting: bool) -> Node:
        """Return the node of an element as it is where it is looked at; its write is looked for
        later."""
        start, size = place
        if tile < 0:
            stamp = self._moves.memories.stamps(tile, start, 1)[0]
        else:
            stamp = self._stamped.stamps[tile][start]
        key = tile, place, bits, stamp, is_setting
        node = self._known.get(key)
        if node is not None:
            return node
        node = self._known[key] = Node(place, bits, tile, level=level, is_setting=is_setting)
        if tile < 0:
            value = self._moves.memories.read(tile, start, size)
        else:
            value = bytes(self.states[tile][start : start + size])
        node.value = int.from_bytes(value, "little")
        self._follow(node, stamp)
        if level and not is_setting and node.key == ("l1", "word"):
            self._look_later(node, stamp)
        return node

    def _follow(self, node: Node, stamp: int) -> None:
        """Look for the write with a stamp."""
        if stamp & FROM_OUTSIDE:
            change = self._moves.changes[stamp & ~FROM_OUTSIDE]
            if isinstance(change, Change):
                node.change = change
            elif node.level < self._levels:
                self._numbers[id(node)] = stamp & ~FROM_OUTSIDE
                self._wanted.setdefault((change.cycle, True), []).append(node)
            else:
                node.cycle, node.is_followed = change.cycle, False
        elif stamp and node.level < self._levels:
            self._wanted.setdefault((stamp - 1, False), []).append(node)
        elif stamp:
            node.cycle, node.is_followed = stamp - 1, False

    def _look_later(self, node: Node, stamp: int) -> None:
        """Memory that was read before its last write: of one that came late, too."""
        number, at = divmod(4 * node.place[0], CHUNK)
        chunk = self.end[node.tile].get(number, b"")
        last = int.from_bytes(chunk[at : at + 4], sys.byteorder)
        # Of many tiles the stamps of one alone are kept: 0, as for what nothing has stored to.
        if last in (0, stamp) or last & FROM_OUTSIDE:
            return
        key = node.tile, node.place, -1, last, True
        later = self._known.get(key)
        if later is None:
            later = Node(node.place, -1, node.tile, level=self._levels, is_setting=True)
            self._known[key] = later
            self._wanted.setdefault((last - 1, False), []).append(later)
        node.later = later

    def by_stamp(self, tile: Holder, place: Place) -> list[Place]:
        """Return an element; its bytes, if they were not written together, or may have been by
        several instructions in one cycle: stores that have merged."""
        start, size = place
        if tile < 0:
            return [(start + i, 1) for i in range(size)]
        stamps = self._stamped.stamps[tile]
        is_one = len(set(stamps[start : start + size])) == 1
        if size == 1 or (is_one and element_at(start).key not in BY_BYTE):
            return [place]
        return [(start + i, 1) for i in range(size)]

    def fill_moved(self, node: Node, move: Move) -> None:
        """Enter what a request says that is about to move the element."""
        level = self._deeper(node)
        answer = self._answers.get(id(node))
        if answer is not None:
            self._add_moved(node, *answer, level)
            return
        node.cycle = move.cycle
        kind = CABLE if move.by_cable else NOC
        node.scope = Scope(kind, move.hart, move.pc, unit=move.unit, tile=move.tile)
        if move.source_at is None:
            return
        start, size = node.place
        source = move.source, (move.source_at + (start - move.to_at), size)
        if move.answer_of is not None:
            atomic = self._moves.changes[move.answer_of]
            self._answers[id(node)] = source
            self._numbers[id(node)] = move.answer_of
            self._wanted.setdefault((atomic.cycle, True), []).append(node)
        elif move.other:
            self._add_moved(node, move.to, node.place, level)
            for place in move.other:
                self._add_moved(node, move.tile, place, level)
        else:
            self._add_moved(node, *source, level)

    def _add_moved(self, node: Node, holder: Holder, place: Place, level: int) -> None:
        for part in self.by_stamp(holder, place):
            parent = self.want(holder, part, -1, level, is_setting=node.is_setting)
            hold_node(node.parents, parent)

    def fill(self, node: Node, write: Write, cycle: int) -> None:
        """Enter what a write says of the element that it is the last one of. Bits that it has left
        as they were are those of an earlier write."""
        inside = 8 * (node.place[0] - write.offset)
        size = 8 * node.place[1]
        bits = (node.bits << inside) & ((1 << 64) - 1) if node.bits >= 0 else -1
        bits &= ((1 << size) - 1) << inside
        if self._passed_over.is_left_by_store(node, write, bits):
            self._passed_over.note(node, write, cycle)
            self._follow(node, self._stamped.stamps[node.tile][node.place[0]])
            return
        kept = kept_by(write, bits, self._before(node.tile, write)) if bits else {}
        if kept:
            mine = bits
            for own in kept.values():
                mine &= ~own
            node.is_divided = node.is_divided or len(kept) + bool(mine) > 1
            if mine:
                node.bits = mine >> inside
            else:
                self._passed_over.note(node, write, cycle)
            for source, own in kept.items():
                older = self._sibling(node, own >> inside) if mine else node
                if not mine:
                    older.bits, mine = own >> inside, -1
                if source is not None:
                    self.fill(older, source, cycle)
                else:
                    self._follow(older, self._stamped.stamps[node.tile][node.place[0]])
            if mine < 0:
                return
            bits = mine
        node.cycle, node.scope = cycle, write.scope
        self._passed_over.note_written(node, write, cycle)
        node.value = (write.value >> inside) & ((1 << size) - 1)
        of_hart = node.scope is not None and node.scope.kind == HART
        words: list[tuple[Place, int]] = []
        for place, own in places_of(write, bits):
            element = element_at(place[0])
            key, role = element.key, element.slot.role
            if key == ("hart", "x") and element.index[1] == 0:
                continue
            if key[0] == "config" and (of_hart or node.key[0] in ("config", "config_pipe", "gpr")):
                role = Role.DATA
            if role is Role.INSTRUCTION:
                words.append((place, own))
            elif role is Role.SETTING and not of_hart:
                self.add(node.addressed, place, own, node, is_setting=True)
            elif role is Role.DATA and not (node.is_setting and node.steers):
                self.add(node.parents, place, own, node, is_setting=node.is_setting)
        if words and not node.parents and not node.is_setting:
            for place, own in words:
                self.add(node.parents, place, own, node, is_setting=False)
        if node.scope is not None and node.scope.carrier:
            node.scope = maker_of(write, bits) or node.scope
        if not of_hart and not (node.is_setting and node.steers):
            self._settings(node, write, bits)

    def _before(self, tile: Holder, write: Write) -> int:
        """Return the value at the write's place at the start of the cycle."""
        state = self.states[tile]
        return int.from_bytes(bytes(state[write.offset : write.offset + write.size]), "little")

    def _sibling(self, node: Node, bits: int) -> Node:
        """The same element with other bits, in each list that has the node."""
        other = Node(
            node.place, bits, node.tile, node.value, level=node.level, is_setting=node.is_setting
        )
        other.is_divided = True
        node.siblings.append(other)
        for to in node.held_by:
            hold_node(to, other)
        return other

    def add(
        self,
        to: list[Node],
        place: Place,
        own: int,
        node: Node,
        *,
        is_setting: bool,
    ) -> None:
        """Want an element for one of the lists of a node."""
        if is_setting and not self._with_settings:
            return
        for part in self.by_stamp(node.tile, place):
            bits, level = own_bits(place, part, own), self._deeper(node)
            parent = self.want(node.tile, part, bits, level, is_setting=is_setting)
            hold_node(to, parent)

    def _deeper(self, node: Node) -> int:
        return node.level + (1 if node.is_visible else 0)

    def _settings(self, node: Node, write: Write, bits: int) -> None:
        """Want what has steered a unit: configuration, counters, and its samples of them."""
        chosen, asked = steering(write, bits)
        decided = not node.parents and not node.is_setting
        asked = own_lane(element_at(node.place[0]), asked)
        own_asked = steering(write, bits, alone=True)[1] if decided else asked
        for found, to in ((chosen, node.addressed), (asked, node.settings)):
            for place, own in found.items():
                element = element_at(place[0])
                if element.slot.role is Role.SETTING:
                    self.add(to, place, own, node, is_setting=True)
                elif element.is_visible and decided and found is asked and place in own_asked:
                    # A constant that was chosen because of these: a zero for a zero, say.
                    self.add(node.parents, place, own, node, is_setting=False)
                    node.is_decided = True
