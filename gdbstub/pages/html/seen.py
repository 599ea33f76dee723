# SPDX-License-Identifier: Apache-2.0
"""Go through a recording once more, and keep what the file of a run shows.

    seen = see(recording, "auto", at=(100, 2000))
    seen.states[0].svg, seen.timeline, seen.sources

A second run of its own, so that the first is as fast as `--record-to` alone, and so that the end is
known when cycles are chosen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from itertools import chain

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.recording.file import Recording
from tensix_gdb.core.recording.replay import Replay
from tensix_gdb.gdbstub.pages.html.slices import Slices, Timeline
from tensix_gdb.gdbstub.pages.picture.state import take_picture
from tensix_gdb.gdbstub.pages.picture.svg import svg
from tensix_gdb.gdbstub.pages.web.sources import Sources
from tensix_gdb.gdbstub.tensix.output.coverage import Tests, of_harts, of_tensix

STATES = 5  # pictures if no cycle is named, with the first and the last
MOST_CYCLES = 1 << 18  # of the timeline: the last ones of a longer run


@dataclass(frozen=True, slots=True)
class State:
    """The picture of a cycle."""

    cycle: int
    svg: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file with code: its lines as HTML, and how often harts and Tensix threads have executed
    each line that has code."""

    path: str
    lines: tuple[str, ...]
    executed: dict[int, int]
    issued: dict[int, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """All that the file shows of a run."""

    first: int
    last: int
    hash: str
    ending: str
    states: tuple[State, ...]
    timeline: Timeline
    sources: tuple[SourceFile, ...]


def see(recording: Recording, engine: str, at: Sequence[int] = ()) -> Seen:
    """Play the recording. `at` are the cycles of the pictures; those that it does not have are left
    out."""
    with contextlib.closing(recording.machine(engine)) as machine:
        first, last = int(machine.S.tile.cycle), recording.steps[-1].progress.cycle
        cycles = {*at} or _spread(first, last)
        counts = machine.count()
        begin = max(first, last - MOST_CYCLES)
        slices = Slices(machine)
        states = []
        replay = Replay(recording, machine, at={*cycles, begin})
        for cycle in chain([first], replay.play()):
            machine.engine.poll()
            if cycle >= begin and machine.runner.tracer is None:
                machine.trace(slices.changes)
            if cycle in cycles and cycle < last:
                cycles.discard(cycle)
                states.append(State(cycle, svg(take_picture(machine, ""), "auto")))
        machine.trace(None)
        if last in cycles:  # a part of its last cycle may be left when it comes to it
            states.append(State(last, svg(take_picture(machine, recording.ending), "auto")))
        said = f"{replay.difference}" if replay.difference else recording.ending
        tests = of_harts(machine, counts), of_tensix(machine, counts)
        return Seen(
            first,
            last,
            machine.hash(),
            said,
            tuple(states),
            slices.timeline(begin, int(machine.S.tile.cycle)),
            tuple(_sources(machine, *tests)),
        )


def _spread(first: int, last: int) -> set[int]:
    """Return cycles at equal distances, the first and the last among them."""
    return {first + (last - first) * i // (STATES - 1) for i in range(STATES)}


def _sources(machine: Machine, executed: Tests, issued: Tests) -> list[SourceFile]:
    """Return the files that can be read, those of the kernels first: what was executed most
    often."""
    sources = Sources(machine)
    counted: dict[str, tuple[dict[int, int], dict[int, int]]] = {}
    for which, tests in enumerate((executed, issued)):
        for files in tests.values():
            for path, file in files.items():
                lines = counted.setdefault(path, ({}, {}))[which]
                for line, count in file.lines.items():
                    lines[line] = lines.get(line, 0) + count
    found = []
    for path, (by_harts, by_threads) in counted.items():
        text = sources.text(path)
        if text is not None and (any(by_harts.values()) or any(by_threads.values())):
            found.append(SourceFile(path, tuple(text), by_harts, by_threads))
    return sorted(found, key=lambda file: (-len(file.executed), file.path))
