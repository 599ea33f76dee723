# SPDX-License-Identifier: Apache-2.0
"""Run a chip for a client: the chip runs its tiles in step, and a stop of one tile stops all.

What each thread does is the affair of its tile (TileExecution): which are frozen, which step, which
stops are the client's. A tile in which nothing was ever armed or held is left alone. Tiles that a
client does not see continue; a tile that no action names is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from tensix_gdb.core.arch.blackhole import SOFT_RESET_HARTS
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Signal, Stopped
from tensix_gdb.gdbstub.tensix.capabilities.slice_size import SliceSize
from tensix_gdb.gdbstub.tensix.capabilities.threads import running
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.tiles import STRIDE, OneTile, Tiles

_GOES_ON = ResumeKind.CONTINUE
_REVERSE = (ResumeKind.REVERSE_CONTINUE, ResumeKind.REVERSE_STEP)


class ChipExecution:
    """The `Execution` capability."""

    def __init__(self, tiles: Tiles, history: RecordedChip, *, has_host: bool = False) -> None:
        self._tiles, self._chip, self._recorded = tiles, tiles.chip, history
        self._back: Iterator[Stopped | None] | None = None
        self._slice = SliceSize()
        self._going: frozenset[int] = frozenset()
        self._stepping: list[OneTile] = []
        self._passed: list[list[int]] = []  # by tile: instructions past each gate at the beginning
        self.stop_at_end = True
        self.awaits_host = False
        self._has_host = has_host
        # Clients that wait read the list of libraries of a thread's process again; True if any has
        # to.
        self.libraries_changed: Callable[[int], bool] = lambda thread: False
        # True if debuggers have been told of something, and the chip may not run yet.
        self.before_run: Callable[[], bool] = lambda: False

    def host_has_gone(self) -> None:
        """Note that from now on nothing but the tiles changes them: a deadlock is one."""
        self._has_host = False

    def resume(self, actions: Mapping[int, Action]) -> None:
        going: list[int] = []
        local: list[dict[int, Action]] = [{} for _ in self._tiles.all]
        plain = [0] * len(local)  # threads that simply continue
        for thread, action in actions.items():
            if action.kind in _REVERSE:
                self._stepping, self._going = [], frozenset({thread})
                step = action.kind is ResumeKind.REVERSE_STEP
                self._back = self._recorded.back(thread, step=step)
                return
            number, own = divmod(thread - 1, STRIDE)
            local[number][own + 1] = action
            plain[number] += action.kind is _GOES_ON
            if action.kind is not ResumeKind.STOP:
                going.append(thread)
        self._going = frozenset(going)
        self._stepping = []
        self._recorded.enter()
        for tile in self._tiles.all:
            if tile.has_execution or plain[tile.number] != STRIDE:
                self._chip.wake_tile(tile.number)
                tile.execution.resume(local[tile.number])
                if tile.execution.steps.threads:
                    self._stepping.append(tile)
        self._passed = [tile.machine.S.passed.count.raw.tolist() for tile in self._tiles.all]

    def advance(
        self, seconds: float, should_stop: Callable[[], object] | None = None
    ) -> Stopped | None:
        if self._back is not None:
            back = next(self._back)
            if back is not None:
                self._back = None
            return back
        if self._has_to_tell():
            return None
        cycles, before = self._slice.cycles, self.clock()
        start = perf_counter()
        stop = self._run(cycles)
        if stop is None and self.clock() - before == cycles:
            self._slice.adapt(seconds, perf_counter() - start)
        # In the past the host acts that was there.
        is_alone = not self._has_host and not self._recorded.past
        if stop is None and is_alone and self._chip.stands_still():
            steps = [
                tile.base + thread
                for tile in self._stepping
                for thread in tile.execution.steps.threads
            ]
            self._release()
            from tensix_gdb.gdbstub.tensix.chip.why import why_all  # most runs do without it

            text = f"nothing on the chip can move any more, after cycle {self.clock()}:\n"
            text += why_all(self._tiles).rstrip()
            if steps:  # after a SIGTRAP GDB takes the next of many steps
                return Stopped(steps[0], Signal.NONE, text=text, idle=True)
            return Stopped(min(self._going, default=1), text=text, idle=True)
        return stop

    def advance_to(
        self, clock: int, should_stop: Callable[[], object] | None = None
    ) -> Stopped | None:
        while (left := clock - self.clock()) > 0:
            stop = self._run(left)
            if stop is not None or (should_stop is not None and should_stop()):
                return stop
            if self._has_to_tell():
                return None
        return None

    def _has_to_tell(self) -> bool:
        """True if clients have to read which programs there are before anything is executed."""
        while (number := self._recorded.take_other()) is not None:
            if self.libraries_changed(STRIDE * number + 1):
                return True
        return self.before_run()

    def clock(self) -> int:
        return self._chip.cycle

    def running(self) -> Sequence[int]:
        executing: list[int] = []
        for tile, passed in zip(self._tiles.all, self._passed, strict=False):
            going = {thread - tile.base for thread in tile.threads if thread in self._going}
            steps = tile.execution.steps.threads if tile.has_execution else ()
            own = running(tile.machine, going, steps, passed)
            executing += [tile.base + thread for thread in own]
        return executing

    def interrupt(self, thread: int) -> Stopped:
        self._back = None
        self._release()
        return Stopped(thread or self._tiles.thread_ids[0], Signal.INT)

    def _release(self) -> None:
        """Forget armed steps, and let all threads go."""
        self._stepping = []
        self._recorded.comes_to_rest()
        for tile in self._tiles.all:
            if tile.has_execution:
                self._chip.wake_tile(tile.number)
                tile.execution.release()

    def _run(self, cycles: int) -> Stopped | None:
        for tile in self._stepping:
            cycles = tile.execution.steps.cycles_left(cycles)
        start = self.clock()
        try:
            stopped = self._recorded.run(cycles, lazy=True)
        except EngineDefect as defect:
            self._release()
            text = f"A defect of the emulator, please report it: {defect}."
            return Stopped(self._tiles.thread_ids[0], Signal.ABRT, text=text)
        self.awaits_host = self._has_host and not self._stepping and self._all_in_reset()
        if stopped is None:
            return self._steps_over(self.clock() - start)
        tile = self._tiles.by_place[stopped.place]
        return self._as_stop_of(tile, tile.execution.judge(stopped.stop))

    def _steps_over(self, cycles: int) -> Stopped | None:
        """Return the stop of a step that hangs."""
        for tile in self._stepping:
            stop = tile.execution.steps.after(cycles, alone=len(self._going) == 1)
            if stop is not None:
                return self._as_stop_of(tile, stop)
        return None

    def _as_stop_of(self, tile: OneTile, stop: Stopped | None) -> Stopped | None:
        """Return a stop of a tile as one of the chip, which ends the run."""
        if stop is None:
            return None
        self._release()
        text = f"{tile.name}: {stop.text}" if stop.text else ""
        return replace(stop, thread=tile.base + stop.thread, text=text, exited=None)

    def _all_in_reset(self) -> bool:
        """True if a host has all harts of all tiles in reset: only it can act."""
        for tile in self._tiles.all:
            reset = int(tile.machine.S.tile_control.soft_reset)
            if reset & SOFT_RESET_HARTS != SOFT_RESET_HARTS:
                return False
        return True
