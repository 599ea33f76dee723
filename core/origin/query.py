# SPDX-License-Identifier: Apache-2.0
"""Find the last writes of elements, and what they were made of, cycle after cycle of the past.

    stamped run to the present          in which cycle each byte was stored last
    the latest of the wanted cycles     stamped run to its start, then this one cycle watched
    the writes of that cycle            their parts: elements as they were at its start, with
                                        stamps of their own: more that is wanted

Each cycle that has something to do with the answer costs one run to it. Nothing is guessed: stamps
are stores, and parts are what the machine's own functions have computed with. What a request has
moved between two tiles, or from DRAM, was made of what was at its source then (moves.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from tensix_gdb.core.engine import Engine
from tensix_gdb.core.history.replay import run_again
from tensix_gdb.core.origin.elements import (
    BY_BYTE,
    DATA,
    INSTRUCTION,
    SETTING,
    SETTINGS,
    VISIBLE,
    element_at,
    role_of,
)
from tensix_gdb.core.origin.engines import CHUNK, Stamped, Watching, chunks_of
from tensix_gdb.core.origin.instrumented.scopes import HART, NOC, Scope
from tensix_gdb.core.origin.instrumented.watched import Place, Write
from tensix_gdb.core.origin.moves import FROM_OUTSIDE, Change, Holder, Move
from tensix_gdb.core.origin.nodes import Answer, Node
from tensix_gdb.core.origin.parts import maker_of, own_bits, own_lane, places_of, steering
from tensix_gdb.core.origin.rerun import Rerun

CYCLES = 400  # that are looked at for one answer, unless the caller says otherwise
FEW_TILES = 8  # of more, what was stored after it was read is looked for in one alone
LEVELS = 24  # visible elements after each other


class NotRepeated(RuntimeError):
    """The past cannot be run again; the message says why."""


class Query:
    """One question; `put_back` brings the tile back to where it was."""

    def __init__(
        self,
        rerun: Rerun,
        *,
        cycles: int = CYCLES,
        levels: int = LEVELS,
        is_interrupted: Callable[[], bool] = lambda: False,
    ) -> None:
        self._rerun, self.machines = rerun, rerun.machines
        self._most, self._levels = cycles, levels
        self._is_interrupted = is_interrupted
        is_alone = len(self.machines) == 1
        self._stamped = Stamped(self.machines, rerun.outside, alone=is_alone)
        self._moves = self._stamped.moves
        self._moves.on_moved = self._note_moved
        self._watching: dict[int, Watching] = {}
        self._known: dict[tuple[Holder, Place, int, int, bool], Node] = {}
        # By cycle: stores, and what was moved in it.
        self._wanted: dict[tuple[int, bool], list[Node]] = {}
        self._numbers: dict[int, int] = {}  # of moves that are wanted, by the identity of a node
        # Answers of atomics, by the identity of a node: what was there before the atomic.
        self._answers: dict[int, tuple[Holder, Place]] = {}
        self._looked = 0
        # The stamps where the question is asked, of each tile, in chunks that are not zero.
        self._end: list[dict[int, bytes]] = []
        self._states: list[bytearray | memoryview] = []  # of each tile, where it is looked at

    def ask(
        self, places: Iterable[Place], bits: int = -1, at: int | None = None, tile: int = 0
    ) -> Answer:
        """The last writes of (these bits of) elements of a tile, and their parts: where it is, or
        at the start of the cycle `at`. Call `put_back` after that. NotRepeated if the execution is
        not the same again."""
        try:
            self._rerun.follow(self._stamped.changes_to)
            for end in self._rerun.ends:
                end.follower = self._moves
            self._go(at)
            if at is None and not self._rerun.is_back():
                raise NotRepeated(
                    "the tile does not come to where it is when it runs again: something was "
                    "changed from outside that is not kept; keep a history, or make a recording of "
                    "the run"
                )
            every = len(self.machines) <= FEW_TILES
            self._end = [
                chunks_of(stamps) if every or number == tile else {}
                for number, stamps in enumerate(self._stamped.stamps)
            ]
            self._look_now()
            roots = []
            for place in places:
                for part in self._by_stamp(tile, place):
                    mine = bits if bits < 0 else own_bits(place, part, bits)
                    roots.append(self._want(tile, part, mine, 0, is_setting=False))
            while self._wanted and self._looked < self._most and not self._is_interrupted():
                key = max(self._wanted)
                cycle, is_moved = key
                if is_moved:
                    self._look_at_moves(cycle, self._wanted.pop(key))
                else:
                    self._look(cycle, self._wanted.pop(key))
                self._looked += 1
            for left in self._wanted.values():
                for node in left:
                    node.is_followed = False
            return Answer(roots, self._looked, not self._wanted, self._rerun.is_whole)
        except BaseException:
            self.put_back()
            raise

    def put_back(self) -> None:
        """Bring the tiles back to where they were."""
        self._rerun.use(None)
        for end in self._rerun.ends:
            end.follower = None
        self._rerun.put_back()

    def run_to(self, cycle: int) -> None:
        """Bring the tiles to a cycle of their past."""
        self._rerun.use(None)
        self._rerun.begin()
        self.run_on(cycle)

    def run_on(self, cycle: int) -> None:
        """After `run_to`, bring them to a later cycle."""
        self._rerun.to(cycle)

    def _look_now(self) -> None:
        """What is wanted from here on is as it is now."""
        self._states = [machine.record.raw_state() for machine in self.machines]

    def _go(self, cycle: int | None, tile: int = 0) -> None:
        """Run stamped from the beginning to a cycle, or to the present."""
        rerun, stamped = self._rerun, self._stamped
        rerun.use(None)
        rerun.begin()
        rerun.use(stamped.engines)
        stamped.begin(is_fresh=rerun.is_whole)
        if len(self.machines) > 1:
            stamped.look()
        if cycle is None:
            rerun.to_present()
        else:
            rerun.to(cycle, tile)
        stamped.before_call()

    def _look(self, cycle: int, wanted: list[Node]) -> None:
        """Watch one cycle, and learn of what is wanted what it was made of."""
        for tile in sorted({node.tile for node in wanted}):
            self._look_in(tile, cycle, [node for node in wanted if node.tile == tile])

    def _look_in(self, tile: int, cycle: int, wanted: list[Node]) -> None:
        machine = self.machines[tile]
        self._go(cycle, tile)
        self._look_now()
        self._states[tile] = bytearray(machine.record.raw_state())
        if tile not in self._watching:
            self._watching[tile] = Watching(machine)
        watching = self._watching[tile]
        watching.begin()
        engines: list[Engine] = list(self._stamped.engines)
        engines[tile] = watching
        self._rerun.use(engines)
        self._rerun.to(cycle + 1, tile)
        if machine.S.tile.cycle == cycle:
            run_again(machine, 1, armed=False)
        self._rerun.use(None)
        last = watching.watch.last
        for node in wanted:
            write = last.get(node.place[0])
            if write is None:
                node.is_followed = False
                continue
            self._fill(node, write, cycle)

    def _note_moved(self, tile: int, start: int, end: int) -> None:
        """Of the cycle that is watched: a request has moved data before it was read."""
        state = self._states[tile] if self._states else None
        if isinstance(state, bytearray):
            state[start:end] = self.machines[tile].record.raw_state()[start:end]

    def _look_at_moves(self, cycle: int, wanted: list[Node]) -> None:
        """Go to each request that has moved something in a cycle, and learn what was there."""
        by_number: dict[int, list[Node]] = {}
        for node in wanted:
            by_number.setdefault(self._numbers[id(node)], []).append(node)
        self._moves.at = by_number
        self._moves.on_wanted = self._fill_all_moved
        try:
            tile = max(0, *(node.tile for node in wanted))
            self._go(cycle + 1, tile)
        finally:
            self._moves.at = {}

    def _fill_all_moved(self, nodes: list[Node], move: Move) -> None:
        self._look_now()
        for node in nodes:
            self._fill_moved(node, move)

    def _fill_moved(self, node: Node, move: Move) -> None:
        """What a request says that is about to move it."""
        level = self._deeper(node)
        answer = self._answers.get(id(node))
        if answer is not None:
            self._add_moved(node, *answer, level)
            return
        node.cycle = move.cycle
        node.scope = Scope(NOC, move.hart, move.pc, unit=f"NoC {move.niu}", tile=move.tile)
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
        for part in self._by_stamp(holder, place):
            parent = self._want(holder, part, -1, level, is_setting=node.is_setting)
            if parent not in node.parents:
                node.parents.append(parent)

    def _fill(self, node: Node, write: Write, cycle: int) -> None:
        """What a write says of the element that it is the last one of."""
        inside = 8 * (node.place[0] - write.offset)
        node.cycle, node.scope = cycle, write.scope
        size = 8 * node.place[1]
        node.value = (write.value >> inside) & ((1 << size) - 1)
        bits = (node.bits << inside) & ((1 << 64) - 1) if node.bits >= 0 else -1
        bits &= ((1 << size) - 1) << inside
        of_hart = node.scope is not None and node.scope.kind == HART
        words: list[tuple[Place, int]] = []
        for place, own in places_of(write, bits):
            element = element_at(place[0])
            key, role = element.key, role_of(element.key)
            if key == ("hart", "x") and element.index[1] == 0:
                continue
            if key[0] == "config" and (of_hart or node.key[0] in ("config", "config_pipe", "gpr")):
                role = DATA
            if role == INSTRUCTION:
                words.append((place, own))
            elif role == SETTING and not of_hart:
                self._add(node.addressed, place, own, node, is_setting=True)
            elif role == DATA and not (node.is_setting and node.key in SETTINGS):
                self._add(node.parents, place, own, node, is_setting=node.is_setting)
        if words and not node.parents and not node.is_setting:
            for place, own in words:
                self._add(node.parents, place, own, node, is_setting=False)
        if node.scope is not None and node.scope.carrier:
            node.scope = maker_of(write, bits) or node.scope
        if not of_hart and not (node.is_setting and node.key in SETTINGS):
            self._settings(node, write, bits)

    def _add(
        self,
        to: list[Node],
        place: Place,
        own: int,
        node: Node,
        *,
        is_setting: bool,
    ) -> None:
        for part in self._by_stamp(node.tile, place):
            bits, level = own_bits(place, part, own), self._deeper(node)
            parent = self._want(node.tile, part, bits, level, is_setting=is_setting)
            if parent not in to:
                to.append(parent)

    def _deeper(self, node: Node) -> int:
        return node.level + (1 if node.is_visible else 0)

    def _settings(self, node: Node, write: Write, bits: int) -> None:
        """What has steered a unit: configuration, counters, and what it has sampled of them."""
        chosen, asked = steering(write, bits)
        decided = not node.parents and not node.is_setting
        asked = own_lane(element_at(node.place[0]), asked)
        for found, to in ((chosen, node.addressed), (asked, node.settings)):
            for place, own in found.items():
                role = role_of(element_at(place[0]).key)
                if role == SETTING:
                    self._add(to, place, own, node, is_setting=True)
                elif element_at(place[0]).key in VISIBLE and decided and found is asked:
                    # A constant that was chosen because of these: a zero for a zero, say.
                    self._add(node.parents, place, own, node, is_setting=False)
                    node.is_decided = True

    def _want(self, tile: Holder, place: Place, bits: int, level: int, *, is_setting: bool) -> Node:
        """The node of an element as it is where it is looked at; its write is looked for later."""
        start, size = place
        if tile < 0:
            stamp = self._moves.stamps_of_memory(tile, start, 1)[0]
        else:
            stamp = self._stamped.stamps[tile][start]
        key = tile, place, bits, stamp, is_setting
        node = self._known.get(key)
        if node is not None:
            return node
        node = self._known[key] = Node(place, bits, tile, level=level, is_setting=is_setting)
        if tile < 0:
            value = self._moves.read_memory(tile, start, size)
        else:
            value = bytes(self._states[tile][start : start + size])
        node.value = int.from_bytes(value, "little")
        if stamp & FROM_OUTSIDE:
            change = self._moves.changes[stamp & ~FROM_OUTSIDE]
            if isinstance(change, Change):
                node.change = change
            elif level < self._levels:
                self._numbers[id(node)] = stamp & ~FROM_OUTSIDE
                self._wanted.setdefault((change.cycle, True), []).append(node)
            else:
                node.cycle, node.is_followed = change.cycle, False
        elif stamp and level < self._levels:
            self._wanted.setdefault((stamp - 1, False), []).append(node)
        elif stamp:
            node.cycle, node.is_followed = stamp - 1, False
        if level and not is_setting and node.key == ("l1", "word"):
            self._look_later(node, stamp)
        return node

    def _look_later(self, node: Node, stamp: int) -> None:
        """Memory that was read before its last write: of one that came late, too."""
        number, at = divmod(4 * node.place[0], CHUNK)
        chunk = self._end[node.tile].get(number, b"")
        last = int.from_bytes(chunk[at : at + 4], sys.byteorder)
        if last == stamp or last & FROM_OUTSIDE:
            return
        key = node.tile, node.place, -1, last, True
        later = self._known.get(key)
        if later is None:
            later = Node(node.place, -1, node.tile, level=self._levels, is_setting=True)
            self._known[key] = later
            self._wanted.setdefault((last - 1, False), []).append(later)
        node.later = later

    def _by_stamp(self, tile: Holder, place: Place) -> list[Place]:
        """An element; its bytes, if they were not written together, or may have been by several
        instructions in one cycle: stores that have merged."""
        start, size = place
        if tile < 0:
            return [(start + i, 1) for i in range(size)]
        stamps = self._stamped.stamps[tile]
        is_one = len(set(stamps[start : start + size])) == 1
        if size == 1 or (is_one and element_at(start).key not in BY_BYTE):
            return [place]
        return [(start + i, 1) for i in range(size)]
