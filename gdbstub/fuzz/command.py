# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb fuzz`: draw sequences, run them, cut down what fails, and say it in a few lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.terminal.width import say
from tensix_gdb.gdbstub.fuzz.cut import Cut, cut_down
from tensix_gdb.gdbstub.fuzz.draw import Definition, drawn
from tensix_gdb.gdbstub.fuzz.known import Known
from tensix_gdb.gdbstub.fuzz.options import FuzzOptions
from tensix_gdb.gdbstub.fuzz.trial import End, Runner, Trial
from tensix_gdb.gdbstub.fuzz.words import lines_of
from tensix_gdb.gdbstub.llk.running import Choice
from tensix_gdb.gdbstub.llk.tree import own_suite
from tensix_gdb.gdbstub.tensix.output.progress import working
from tensix_gdb.gdbstub.usage import UsageError

ALL_RIGHT, FAILING = 0, 1
BATCH = 20  # in one run of the suite, and cut down together
DRAWS = 4  # for each sequence that is wanted: of the others the fuser does not take


@dataclass
class Found:
    """The sequences that were run, by name."""

    trials: dict[str, Trial] = field(default_factory=dict)
    cuts: dict[str, Cut] = field(default_factory=dict)

    @property
    def counted(self) -> int:
        """Return how many ran: right, or failing."""
        return sum(one.end is End.RIGHT or one.end.fails for one in self.trials.values())


def fuzz(options: FuzzOptions) -> int:
    """Print what fails; return 1 if something does."""
    cases = dict(_cases(options))
    tree = options.tree
    with own_suite(Path(tree.llk) if tree.llk else None) as suite:
        choice = Choice(0, options.seed, tree.schedule, tree.engine, arch=options.arch)
        runner = Runner(suite, choice, Known.of(suite, choice, options.tree.llk))
        found = Found()
        for batch in _batches(cases, options, found):
            with working(f"running {len(batch)} sequences of operations"):
                trials = runner.run(batch)
            found.trials |= trials
            for name, trial in trials.items():
                if trial.end in (End.BROKEN, End.COMPILER):
                    say([f"{name}: {trial.end.value}: {trial.why}"], flush=True)
            found.cuts |= _reported(trials, runner, options)
            _write(options, found)
    say(_counted(found))
    return FAILING if found.cuts else ALL_RIGHT


def _batches(
    cases: dict[str, Definition], options: FuzzOptions, found: Found
) -> Iterator[dict[str, Definition]]:
    """Yield what is run at once: the cases that are named, or new ones until enough have run."""
    if cases:
        yield cases
        return
    drawn_now = 0
    while found.counted < options.count and drawn_now < DRAWS * options.count:
        wanted = min(BATCH, options.count - found.counted)
        numbers = range(drawn_now, drawn_now + wanted)
        yield {
            f"seed-{options.seed}-{number}": drawn(f"{options.seed} {number}", options.operations)
            for number in numbers
        }
        drawn_now += wanted


def _reported(trials: dict[str, Trial], runner: Runner, options: FuzzOptions) -> dict[str, Cut]:
    """Cut down the sequences that fail, and say what is left of each."""
    failing = {name: trial for name, trial in trials.items() if trial.end.fails}
    cuts = {name: Cut(trial) for name, trial in failing.items()}
    if failing and not options.whole:
        with working(f"cutting {len(failing)} of {len(trials)} sequences down"):
            cuts = cut_down(failing, runner.run, options.seconds)
    for name, cut in cuts.items():
        say(lines_of(name, failing[name], cut), flush=True)
    return cuts


def _cases(options: FuzzOptions) -> Iterator[tuple[str, Definition]]:
    """The sequences that are named, by the names of their files."""
    for path in options.cases:
        try:
            read = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as problem:
            raise UsageError(f"{path}: cannot be read: {problem.strerror}") from None
        except ValueError:
            raise UsageError(f"{path}: is no sequence as --cases writes it (JSON)") from None
        if not isinstance(read, dict) or not {"operands", "operations"} <= set(read):
            raise UsageError(f"{path}: has no operands and operations: it is no sequence")
        yield Path(path).stem, read


def _counted(found: Found) -> list[str]:
    ends = Counter(one.end for one in found.trials.values())
    words = [f"{ends[end]:,} {end.value}" for end in End if ends[end]]
    return [f"{len(found.trials):,} sequences: {', '.join(words)}"]


def _write(options: FuzzOptions, found: Found) -> None:
    if options.folder is not None:
        for name, cut in found.cuts.items():
            _write_json(Path(options.folder) / f"{name}.yaml", cut.least.definition)
    if options.json is not None:
        _write_json(Path(options.json), _document(found))


def _write_json(path: Path, content: object) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    except OSError as problem:  # of a full disk it does not have the name
        raise UsageError(f"{path}: cannot be written: {problem.strerror}") from None


def _document(found: Found) -> dict[str, object]:
    def row(trial: Trial) -> dict[str, object]:
        return {**vars(trial), "end": trial.end.value}

    return {
        name: {**row(trial), "least": row(found.cuts[name].least) if name in found.cuts else None}
        for name, trial in found.trials.items()
    }
