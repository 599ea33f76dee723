# SPDX-License-Identifier: Apache-2.0
"""Check a batch of kernels: compile, run on engines and on ttsim, compare, make failures small."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from scripts.random_kernels.build import Batch, BuildError, Placed, build
from scripts.random_kernels.draw import pool
from scripts.random_kernels.legal import legal
from scripts.random_kernels.model import results, run
from scripts.random_kernels.running import Stopped, on_tile, on_ttsim
from scripts.random_kernels.shrink import shrunk
from scripts.random_kernels.tree import Kernel
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.kernels.compilers import Compiler
from tests.core.tensix.vector.pages import Words

TILE, TTSIM = "the tile", "ttsim"
TTSIM_SAYS = (
    *("UnimplementedFunctionality", "UnsupportedFunctionality", "MissingSpecification"),
    *("UndefinedBehavior", "UntestedFunctionality", "NonContractualBehavior"),
)


@dataclass(frozen=True)
class Failure:
    """A kernel that failed: what was wrong, and its lines when it was made small."""

    number: int
    what: str
    source: tuple[str, ...]


class Engines:
    """The machines that programs run on: engines of the tile, and ttsim if its library is given."""

    def __init__(self, engines: str, ttsim: Path | None = None) -> None:
        names = ("compiled", "reference") if engines == "both" else (engines,)
        self.machines = {
            f"{TILE} ({name})": Machine(engine=name, schedule=Schedule.LATENCY) for name in names
        }
        self.ttsim = ttsim

    def run(self, elf: Path, inputs: Words) -> Iterator[tuple[str, Words | Stopped]]:
        """Yield dst_reg after a program, or why it stopped."""
        for name, machine in self.machines.items():
            yield name, _or_stopped(partial(on_tile, machine, elf, inputs))
        if self.ttsim is not None:
            yield TTSIM, _or_stopped(partial(on_ttsim, self.ttsim, elf, inputs))


def _or_stopped(call: Callable[[], Words]) -> Words | Stopped:
    try:
        return call()
    except Stopped as stopped:
        return stopped


@dataclass
class Checker:
    """Checks batches, and counts what it has `seen`."""

    compiler: Compiler
    optimize: int
    engines: Engines
    seen: Counter[str] = field(default_factory=Counter)
    failures: int = 0

    def check(
        self, kernels: Sequence[tuple[int, Kernel]], seed: str, folder: Path
    ) -> Iterator[Failure]:
        """Yield the failures of a batch of numbered kernels."""
        inputs = pool(random.Random(seed))
        batch = build(self.compiler, kernels, folder, self.optimize)
        self.seen["kernels drawn"] += len(kernels)
        for _, reason, _ in batch.refused:
            self.seen[f"kernels refused by SFPI: {reason}"] += 1
        for name, found in self.engines.run(batch.elf, inputs):
            if isinstance(found, Stopped):
                self.seen[f"programs stopped, {name}"] += 1
                yield from self._stopped(batch, name, found, inputs, folder)
                continue
            for placed in batch.kernels:
                self.seen[f"kernels run, {name}"] += 1
                if self._fits(placed, found, inputs, count=True):
                    continue
                self.failures += 1
                yield self._failure(placed, name, inputs, folder)

    def _fits(self, placed: Placed, found: Words, inputs: Words, *, count: bool = False) -> bool:
        got = found[placed.output : placed.output + len(placed.kernel.variables)]
        done = legal(placed.kernel, inputs, lambda expected: bool(np.array_equal(expected, got)))
        if done is not None and count:
            self.seen["kernels with other decisions than the usual ones"] += bool(done.decisions)
            for defect in done.defects:
                self.seen[f"kernels with a defect of SFPI: {defect}"] += 1
        return done is not None

    def _alone(self, kernel: Kernel, folder: Path) -> Batch | None:
        try:
            batch = build(self.compiler, [(0, kernel)], folder, self.optimize)
        except BuildError:
            return None
        return batch if batch.kernels else None

    def _found(self, batch: Batch, name: str, inputs: Words) -> Words | Stopped:
        return next(found for one, found in self.engines.run(batch.elf, inputs) if one == name)

    def _failure(self, placed: Placed, name: str, inputs: Words, folder: Path) -> Failure:
        """Make a kernel small that computes something else, and say what."""
        scratch = folder / "small"
        scratch.mkdir(exist_ok=True)

        def fails(kernel: Kernel) -> bool:
            batch = self._alone(kernel, scratch)
            if batch is None:
                return False
            found = self._found(batch, name, inputs)
            return not isinstance(found, Stopped) and not self._fits(
                batch.kernels[0], found, inputs
            )

        small = shrunk(placed.kernel, fails) if fails(placed.kernel) else placed.kernel
        batch = self._alone(small, scratch)
        assert batch is not None, "it was compiled before"
        found = self._found(batch, name, inputs)
        assert not isinstance(found, Stopped), "it was run before"
        return self._said(int(placed.name[1:]), batch.kernels[0], found, name, inputs)

    def _said(self, number: int, placed: Placed, found: Words, name: str, inputs: Words) -> Failure:
        done = run(placed.kernel, inputs)
        expected = results(done)
        got = found[placed.output : placed.output + len(placed.kernel.variables)]
        wrong = np.argwhere(expected != got)
        lines = tuple(line for _, line, _ in placed.lines)
        if not len(wrong):
            return Failure(number, f"{name}: right alone, wrong among the others", lines)
        place, lane = wrong[0]
        variable = placed.kernel.variables[place]
        line, text = placed.line_of(done.state.writers[variable.name][lane])
        operands = ", ".join(
            f"{one.name} {int(inputs[row][lane]):#010x}" for one, row in placed.kernel.inputs
        )
        what = (
            f"{variable.name} in lane {lane} is {int(got[place, lane]):#010x} on {name}, by the "
            f"pages {int(expected[place, lane]):#010x}; {operands} before; {len(wrong)} lanes; "
            f"line {line}: {text}"
        )
        return Failure(number, what, lines)

    def _stopped(
        self, batch: Batch, name: str, why: Stopped, inputs: Words, folder: Path
    ) -> Iterator[Failure]:
        """Halve a program until what stops it is alone, and compare the others."""
        if len(batch.kernels) == 1:
            text = " ".join(str(why).split())
            self.seen[f"kernels stopped, {name}: {_kind(text)}"] += 1
            if name != TTSIM:
                self.failures += 1
                (placed,) = batch.kernels
                lines = tuple(line for _, line, _ in placed.lines)
                yield Failure(int(placed.name[1:]), f"{name} stopped: {text}", lines)
            return
        scratch = folder / "halves"
        scratch.mkdir(exist_ok=True)
        numbered = [(int(placed.name[1:]), placed.kernel) for placed in batch.kernels]
        middle = len(numbered) // 2
        for half in (numbered[:middle], numbered[middle:]):
            part = build(self.compiler, half, scratch, self.optimize)
            found = self._found(part, name, inputs)
            if isinstance(found, Stopped):
                yield from self._stopped(part, name, found, inputs, folder)
                continue
            for placed in part.kernels:
                self.seen[f"kernels run, {name}"] += 1
                if not self._fits(placed, found, inputs, count=True):
                    self.failures += 1
                    yield self._failure(placed, name, inputs, folder)


def _kind(text: str) -> str:
    """Return the words of ttsim without what is before them, for counting."""
    for word in TTSIM_SAYS:
        if word in text:
            return text[text.index(word) :][:110]
    return text[:110]
