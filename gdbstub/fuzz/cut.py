# SPDX-License-Identifier: Apache-2.0
"""Cutting down: a sequence that fails, made smaller for as long as it fails in the same way.

Each trial is a kernel that has to be compiled, so few are made: first operations are left out, and
then all that can be made simpler (reductions.py) is, at once; where that ends otherwise, the
reductions are halved until those are found that cannot be made. It ends when nothing smaller fails,
so of what is left each part is needed, or when a sequence has taken its seconds. Several are cut
down together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import field
from time import monotonic

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.fuzz.draw import Definition
from tensix_gdb.gdbstub.fuzz.reductions import (
    Reduction,
    fewer_operations,
    key_of,
    reduced,
    reductions_of,
    size,
)
from tensix_gdb.gdbstub.fuzz.trial import Trial

SECONDS = 600.0  # for a sequence

Run = Callable[[dict[str, Definition]], dict[str, Trial]]
Tries = Generator[list[Definition], list[Trial], None]


@dataclass
class Cut:
    """A sequence that is being cut down: the smallest that fails in the same way so far, how many
    were tried, and whether there was time for all of them."""

    least: Trial
    tried: int = 0
    complete: bool = True
    seconds: float = 0.0
    _ends: dict[str, Trial] = field(default_factory=dict)

    def steps(self) -> Tries:
        """Yield what is to be tried, and take how each of it ended."""
        before = ""
        while before != key_of(self.least.definition):
            before = key_of(self.least.definition)
            yield from self._operations()
            yield from self._reductions()

    def _operations(self) -> Tries:
        """Leave out operations: all but one, or else one."""
        for alone in (True, False):
            while True:
                found = yield from self._ended(fewer_operations(self.least.definition, alone))
                failing = [one for one in found if self._fails(one)]
                if not failing:
                    break
                self.least = min(failing, key=lambda one: size(one.definition))

    def _reductions(self) -> Tries:
        """Make all reductions that can be made."""
        base = self.least.definition
        made: frozenset[Reduction] = frozenset()
        waiting = [tuple(reductions_of(base))]
        while waiting:
            some = waiting.pop(0)
            if not some:
                continue
            (one,) = yield from self._ended([reduced(base, made | set(some))])
            if self._fails(one):
                made |= set(some)
                self.least = one
            elif len(some) > 1:
                waiting[:0] = [some[: len(some) // 2], some[len(some) // 2 :]]

    def _ended(
        self, definitions: Sequence[Definition]
    ) -> Generator[list[Definition], list[Trial], list[Trial]]:
        """Have those tried that were not, and return how each ended."""
        keys = [key_of(one) for one in definitions]
        self._ends.setdefault(key_of(self.least.definition), self.least)
        new = {
            key: one for key, one in zip(keys, definitions, strict=True) if key not in self._ends
        }
        if new:
            self.tried += len(new)
            found = yield list(new.values())
            self._ends.update(zip(new, found, strict=True))
        return [self._ends[key] for key in keys]

    def _fails(self, one: Trial) -> bool:
        return one.end is self.least.end


def cut_down(trials: Mapping[str, Trial], run: Run, seconds: float = SECONDS) -> dict[str, Cut]:
    """Return for each sequence the smallest that was found to fail in the same way. What is tried
    of all sequences in a round is one run of the suite, which takes longer to begin than a kernel
    to run; its time is shared by them."""
    cuts = {name: Cut(trial) for name, trial in trials.items()}
    steps = {name: cut.steps() for name, cut in cuts.items()}
    asked = _asked(steps, {name: None for name in steps})
    while asked:
        named = {f"{name}-{at}": one for name in asked for at, one in enumerate(asked[name])}
        begun = monotonic()
        found = run(named)
        each = (monotonic() - begun) / len(named)
        answers: dict[str, list[Trial] | None] = {}
        for name, some in asked.items():
            answers[name] = [found[f"{name}-{at}"] for at in range(len(some))]
            cuts[name].seconds += each * len(some)
        asked = _asked(steps, answers)
        for name in _spent(cuts, asked, seconds):
            cuts[name].complete = False
            del asked[name]
    return cuts


def _spent(cuts: Mapping[str, Cut], asked: Collection[str], seconds: float) -> list[str]:
    return [name for name in asked if cuts[name].seconds >= seconds]


def _asked(
    steps: Mapping[str, Tries], answers: Mapping[str, list[Trial] | None]
) -> dict[str, list[Definition]]:
    """Return what is tried next of each sequence that has not ended."""
    asked = {}
    for name, answer in answers.items():
        try:
            asked[name] = next(steps[name]) if answer is None else steps[name].send(answer)
        except StopIteration:
            continue
    return asked
