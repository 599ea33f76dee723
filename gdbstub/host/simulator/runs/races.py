# SPDX-License-Identifier: Apache-2.0
"""The races in each run of a kernel (`simulator --races`), and the finds of `--check` there.

A run begins and ends as for `--runs`; each launch of tt-metal's kernels is one. It is observed from
the end of the one before, because T cores have run some cycles when their release is noticed. What
B and the host do until then is observed with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.gdbstub.host.simulator.runs.failing import FailingRun, Why
from tensix_gdb.gdbstub.host.simulator.runs.found import Finds, RunFound
from tensix_gdb.gdbstub.host.simulator.runs.log import T_CORES

# A tile that is not observed does without reports.
if TYPE_CHECKING:
    from tensix_gdb.core.race.findings import Access
    from tensix_gdb.gdbstub.order.report.kinds import Kinds
    from tensix_gdb.gdbstub.order.report.known import Judgement
    from tensix_gdb.gdbstub.tensix.races.output import RaceOptions

RUNS = 16  # of which the programs are known


class RunRaces:
    """Reports the races of each run; without options it does nothing. Of several tiles each has a
    `name`, and a run in which nothing was found is none of its reports. A chip is observed as one
    from its start, or what tiles know of each other would be forgotten at the end of each run."""

    def __init__(
        self,
        machine: Machine,
        options: RaceOptions | None,
        name: str = "",
        begins: Callable[[], None] = lambda: None,
        finds: Finds | None = None,
        failing: FailingRun | None = None,
    ) -> None:
        self._machine, self._options, self._name = machine, options, name
        self._begins, self._finds = begins, finds or Finds()
        self._failing = failing
        self._number = 0
        self.runs, self.reported = 0, 0
        self._running = False
        self._kernels: list[str] = []
        self._since = 0
        self._programs: deque[tuple[int, list[Image]]] = deque(maxlen=RUNS)  # with their last cycle
        self.others: Mapping[str, RunRaces] = {}  # by what accesses say of their tiles
        self.kinds: Kinds | None = None  # of reports, on several tiles
        self._begin_run()

    @property
    def is_wanted(self) -> bool:
        """True if runs are observed."""
        return self._options is not None

    def on_reset_change(self, before: int, now: int) -> None:
        """Begin or end a run; call when SOFT_RESET_0 has changed."""
        self._note_firmware()
        if not self._running and now & T_CORES != T_CORES:
            if self._options is not None and not self._machine.loader.has_hosted("firmware"):
                self._begins()  # else a launch says which tiles have kernels
            self._running = True
        elif self._running and now & T_CORES == T_CORES:
            self.end()

    def on_launch(self, kernels: Sequence[str]) -> None:
        """End the run before, and begin that of these kernels."""
        self.end()
        if self._options is not None and self._name:
            self._programs.append((int(self._machine.S.tile.cycle), list(self._machine.images)))
        if self._options is not None and self._name and kernels:
            self._begins()
        self._running, self._kernels = True, list(dict.fromkeys(kernels))
        self._note_firmware()

    def reads(self) -> Iterator[Image]:
        """Read the files that a report of this run names the lines of, one after the other. The
        report itself is made at once, and a client of the tile has to wait for it."""
        if self._options is not None and self._running and self._machine.runner.races is not None:
            for image in self._machine.images:
                self._machine.places.inlining.learn(image)
                yield image

    def end(self) -> None:
        """End the current run, if there is one: say what was found, and begin anew."""
        if self._options is None or not self._running:
            return
        self._running = False
        if self._machine.runner.races is None:
            return  # of a chip's tiles, one that has had no kernel yet
        self._number += 1
        if not self._kernels:
            self._forget_boot()
        found = self._report(self._options, self._number)
        self.runs, self.reported = self._number, self.reported + found
        self._begin_run()

    def has_not_ended(self, waited: int) -> None:
        """Say what was found so far in a run for which the host has waited so many cycles. The
        report at its end has that again."""
        if self._options is not None and self._running and self._machine.runner.races is not None:
            more = f", which has not ended: the host has waited for it for {waited:,} cycles"
            self._report(self._options, self._number + 1, more)

    def _report(self, options: RaceOptions, run: int, more: str = "") -> int:
        """Say what was found in a run, and write the files; return how much of it is new."""
        number = f"{self._name}-{run}".removeprefix("-")
        machine, only = self._machine, self._new_kinds(run)
        lines, judgement = options.report(machine, number, self._since, self._elsewhere, only)
        if self._finds.wanted:
            new = [one.located for one in judgement.new]
            found = RunFound(self._name, run, list(self._kernels), new, is_over=not more)
            self._finds.note(found)
            if new and not more and self._failing is not None:
                self._failing.keep(Why.REPORT)
        elif judgement.new or not self._name:
            names = f" ({', '.join(self._kernels)})" if self._kernels else ""
            of = f" of tile {self._name}" if self._name else ""
            what = "races" if options.races else "findings"
            title = f"tensix-gdb: {what} of run {run}{of}{names}{more}"
            print("\n".join([title, *lines]), flush=True)
        return len(judgement.new)

    def _new_kinds(self, run: int) -> Callable[[Judgement], Judgement]:
        """Return the choice of what to say: on several tiles, what none has said yet."""
        kinds, name = self.kinds, self._name
        if kinds is None:
            return lambda judgement: judgement
        return lambda judgement: kinds.new_of(judgement, name, f"{name}-{run}")

    def _elsewhere(self, access: Access) -> Image | None:
        """Return the program of an access of another tile, or of this one, where other kernels may
        be by now."""
        if not access.outside:
            return self.program(access.hart, access.pc, access.last) if self._programs else None
        other = self.others.get(access.outside)
        return None if other is None else other.program(access.hart, access.pc, access.last)

    def program(self, hart: int, pc: int, cycle: int) -> Image | None:
        """Return the program that a hart has executed there in a cycle, of the last runs. A request
        to the NoC is answered when the kernel that has made it may be gone: then it is the one
        before."""
        later = [images for end, images in self._programs if cycle <= end]
        before = [images for end, images in self._programs if cycle > end]
        now = later[0] if later else self._machine.images
        for images in (now, *reversed(before)):
            for image in images:
                if image.hart == hart and image.covers(pc):
                    return image
        return None

    def _begin_run(self) -> None:
        self._since = int(self._machine.S.tile.cycle)
        if self._options is not None and not self._name:
            self._options.observe(self._machine)
        elif self._options is not None:
            self._machine.kernel_begins()
        self._note_firmware()

    def _forget_boot(self) -> None:
        """Take what was executed before the first launch of tt-metal's kernels for firmware."""
        observer = self._machine.runner.races
        if observer is not None and observer.state is not None and observer.state.firmware:
            observer.state.boot_ended()

    def _note_firmware(self) -> None:
        """Tell checks of state what is firmware, and tt-metal's circular buffers. Without
        tt-metal's firmware, B is the one that boots."""
        observer = self._machine.runner.races
        if observer is None or observer.state is None:
            return
        state, loader = observer.state, self._machine.loader
        state.firmware = loader.hosted("firmware")
        state.firmware_harts = frozenset() if state.firmware else frozenset({B})
        if state.firmware and self._options is not None:
            from tensix_gdb.gdbstub.tensix.races.launched import note_launch

            note_launch(self._machine, self._options.buffers)
        else:
            state.note_programs()
