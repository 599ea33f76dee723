# SPDX-License-Identifier: Apache-2.0
"""Cutting down: a sequence that fails, made smaller for as long as it fails in the same way.

Each trial is a kernel that has to be compiled, so few are made: first operations are left out, all
but the first with a wrong output or what comes after it. Then all that can be made simpler
(reductions.py) is, at once; where that ends otherwise, the reductions are halved until those are
found that cannot be made. It ends when nothing smaller fails, so of what is left each part is
needed, or when a sequence has taken its seconds. Several are cut down together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import field
from time import monotonic

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.fuzz.draw import Definition
from tensix_gdb.gdbstub.fuzz.options import SECONDS
from tensix_gdb.gdbstub.fuzz.reductions import (
    Reduction,
    count_of,
    first_wrong,
    key_of,
    reduced,
    reductions_of,
    with_operations,
)
from tensix_gdb.gdbstub.fuzz.trial import Trial

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
        """Leave out operations: all but the first that is wrong, or those after it; then one by
        one."""
        wrong = first_wrong(self.least)
        if wrong is not None:
            for kept in ((wrong,), tuple(range(wrong + 1))):
                definition = with_operations(self.least.definition, kept)
                if len(kept) < count_of(self.least.definition) and (
                    yield from self._try(definition)
                ):
                    break
        place = count_of(self.least.definition) - 1
        while place >= 0 and count_of(self.least.definition) > 1:
            kept = tuple(at for at in range(count_of(self.least.definition)) if at != place)
            yield from self._try(with_operations(self.least.definition, kept))
            place -= 1

    def _reductions(self) -> Tries:
        """Make all reductions that can be made: together, by halves, and those that are left by
        themselves once more, as others have been made since they were tried."""
        base = self.least.definition
        made: frozenset[Reduction] = frozenset()
        waiting = [tuple(reductions_of(base))]
        left: list[Reduction] = []
        while waiting:
            some = waiting.pop(0)
            if some and (yield from self._try(reduced(base, made | set(some)))):
                made |= set(some)
            elif len(some) > 1:
                waiting[:0] = [some[: len(some) // 2], some[len(some) // 2 :]]
            else:
                left += some
        for one in left:
            if (yield from self._try(reduced(base, made | {one}))):
                made |= {one}

    def _try(self, definition: Definition) -> Generator[list[Definition], list[Trial], bool]:
        """Try a sequence; take it and return True if it fails in the same way."""
        (one,) = yield from self._ended([definition])
        if one.end is not self.least.end:
            return False
        self.least = one
        return True

    def _ended(
        self, definitions: Sequence[Definition]
    ) -> Generator[list[Definition], list[Trial], list[Trial]]:
        """Try those that were not tried, and return how each ended."""
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
