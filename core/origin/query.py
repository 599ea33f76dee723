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

from collections.abc import Callable, Iterable

from tensix_gdb.core.engine import Engine
from tensix_gdb.core.history.replay import run_again
from tensix_gdb.core.origin.engines import Stamped, Watching, chunks_of
from tensix_gdb.core.origin.instrumented.watched import Place
from tensix_gdb.core.origin.moves import Move
from tensix_gdb.core.origin.nodes import Answer, Node, hold_node
from tensix_gdb.core.origin.parts import own_bits
from tensix_gdb.core.origin.rerun import Rerun
from tensix_gdb.core.origin.wanted import Wanted

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
        settings: bool = True,
        is_interrupted: Callable[[], bool] = lambda: False,
    ) -> None:
        self._rerun, self.machines = rerun, rerun.machines
        self._most = cycles
        self._is_interrupted = is_interrupted
        is_alone = len(self.machines) == 1
        self._stamped = Stamped(self.machines, rerun.outsides, alone=is_alone)
        self._moves = self._stamped.moves
        self._moves.on_moved = self._note_moved
        self._watching: dict[int, Watching] = {}
        self._wanted = Wanted(self._stamped, levels, settings=settings)
        self._looked = 0

    def ask(
        self, places: Iterable[Place], bits: int = -1, at: int | None = None, tile: int = 0
    ) -> Answer:
        """Return the last writes of (these bits of) elements of a tile, and their parts: where it
        is, or at the start of the cycle `at`. Call `put_back` after that. NotRepeated if the
        execution is not the same again."""
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
            self._wanted.end = [
                chunks_of(stamps) if every or number == tile else {}
                for number, stamps in enumerate(self._stamped.stamps)
            ]
            self._look_now()
            roots: list[Node] = []
            for place in places:
                for part in self._wanted.by_stamp(tile, place):
                    mine = bits if bits < 0 else own_bits(place, part, bits)
                    hold_node(roots, self._wanted.want(tile, part, mine, 0, is_setting=False))
            while self._wanted and self._looked < self._most and not self._is_interrupted():
                cycle, is_moved, nodes = self._wanted.pop_latest()
                if is_moved:
                    self._look_at_moves(cycle, nodes)
                else:
                    self._watch_cycle(cycle, nodes)
                self._looked += 1
            self._wanted.give_up()
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
        self._rerun.go_to_start()
        self.run_on(cycle)

    def programs_at(self, cycle: int) -> None:
        """Let the tiles have the programs of that time, to be looked at."""
        self._rerun.programs_at(cycle)

    def run_on(self, cycle: int) -> None:
        """After `run_to`, bring them to a later cycle."""
        self._rerun.to(cycle)

    def _look_now(self) -> None:
        """Take the present state for all that is wanted from here on."""
        self._wanted.states = [machine.record.raw_state() for machine in self.machines]

    def _go(self, cycle: int | None, tile: int = 0) -> None:
        """Run stamped from the beginning to a cycle, or to the present."""
        rerun, stamped = self._rerun, self._stamped
        rerun.use(None)
        rerun.go_to_start()
        rerun.use(stamped.engines)
        stamped.begin_run(is_fresh=rerun.is_whole)
        if len(self.machines) > 1:
            stamped.stamp_changes()
        if cycle is None:
            rerun.to_present()
        else:
            rerun.to(cycle, tile)
        stamped.before_call()

    def _watch_cycle(self, cycle: int, wanted: list[Node]) -> None:
        """Watch one cycle, and learn of what is wanted what it was made of."""
        for tile in sorted({node.tile for node in wanted}):
            self._look_in(tile, cycle, [node for node in wanted if node.tile == tile])

    def _look_in(self, tile: int, cycle: int, wanted: list[Node]) -> None:
        machine = self.machines[tile]
        self._go(cycle, tile)
        self._look_now()
        self._wanted.states[tile] = bytearray(machine.record.raw_state())
        if tile not in self._watching:
            self._watching[tile] = Watching(machine)
        watching = self._watching[tile]
        watching.begin_run()
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
            self._wanted.fill(node, write, cycle)

    def _note_moved(self, tile: int, start: int, end: int) -> None:
        """Of the cycle that is watched: a request has moved data before it was read."""
        states = self._wanted.states
        state = states[tile] if states else None
        if isinstance(state, bytearray):
            state[start:end] = self.machines[tile].record.raw_state()[start:end]

    def _look_at_moves(self, cycle: int, wanted: list[Node]) -> None:
        """Go to each request that has moved something in a cycle, and learn what was there."""
        by_number: dict[int, list[Node]] = {}
        for node in wanted:
            by_number.setdefault(self._wanted.move_of(node), []).append(node)
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
            self._wanted.fill_moved(node, move)
