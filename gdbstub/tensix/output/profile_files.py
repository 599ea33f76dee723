# SPDX-License-Identifier: Apache-2.0
"""`--profile FILE`: tables of text, or for https://www.speedscope.app if FILE ends in .json, or for
pprof if it ends in .pb.gz.

For speedscope each hart and each Tensix thread is a profile in cycles: stacks of functions, and of
a wait gate what it was held by or let pass, instruction and line. A gate's empty cycles are left
out. pprof has the same stacks in one profile.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.core.counting.tree import Call
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.output.output_file import binary_output
from tensix_gdb.gdbstub.tensix.output.pprof import Frame, Pprof
from tensix_gdb.gdbstub.tensix.output.profile import Profile, flits

MAX_ROWS = 20
SCHEMA = "https://www.speedscope.app/file-format-schema.json"


@contextmanager
def profiled(machine: Machine, path: str | None) -> Iterator[Callable[[], list[str]]]:
    """Count from now on. Gives what writes the file and says so; a file that cannot be written is
    refused now, not after the run."""
    if path is None:
        yield list
        return
    out = binary_output("--profile", path)
    counts, before = machine.runner.counts or machine.count(), flits(machine)

    def write() -> list[str]:
        profile = Profile(machine, counts, before)
        if path.endswith(".json"):
            out.write(json.dumps(speedscope(profile, path)).encode("ascii"))
        elif path.endswith(".pb.gz"):
            out.write(pprof(profile))
        else:
            text = io.StringIO()
            write_tables(profile, text)
            out.write(text.getvalue().encode("utf-8"))
        lost = f"; {counts.lost} counts had no room" if counts.lost else ""
        return [f"profile {path}: {profile.cycles} cycles{lost}"]

    with out:
        yield write


def title_of(profile: Profile) -> str:
    """Return the length in cycles and the schedule."""
    return f"{profile.cycles} cycles, schedule {profile.machine.execution}"


# Text


def write_tables(profile: Profile, out: TextIO) -> None:
    """Write all of it, the longest tables cut after MAX_ROWS rows."""
    out.write(f"{title_of(profile)}\n")
    counts, harts = profile.counts, profile.harts()
    rows: list[tuple[str, int, int, str]] = []
    for hart in harts:
        time, executed = counts.time(hart), sum(counts.executions(hart).values())
        rows.append((HART_NAMES[hart], time, executed, f"{executed / time:.2f}"))
    _table(out, "Harts", ("", "cycles", "instructions", "per cycle"), rows)
    for hart in harts:
        name, time = HART_NAMES[hart], counts.time(hart)
        _table(
            out,
            f"{name}, functions",
            ("", "own cycles", "%", "with calls", "calls"),
            [
                (
                    function.name,
                    function.own,
                    _percent(function.own, time),
                    function.total,
                    function.calls,
                )
                for function in profile.functions(hart)
            ],
        )
        _table(
            out,
            f"{name}, lines",
            ("", "cycles", "%", "executed"),
            [(at, n, _percent(n, time), most) for at, n, most in profile.lines(hart)],
        )
        _table(
            out,
            f"{name}, polls",
            ("in", "cycles", "%", "rounds", "at"),
            [
                (function, n, _percent(n, time), rounds, at)
                for function, at, n, rounds in profile.polls(hart)
            ],
        )
    for thread in profile.threads():
        issued, held = profile.gate_cycles(thread)
        name = THREAD_NAMES[thread]
        title = f"{name}: {issued} instructions issued, something held in {held} cycles"
        _table(
            out,
            title,
            ("held by", "cycles", "instruction"),
            [(by, n, f"{what} from {at}") for by, what, at, n in profile.held(thread)],
        )
        _table(
            out,
            f"{name}, issued",
            ("", "times", "from"),
            [(what, n, at) for what, at, n in profile.issued(thread)],
        )
    if profile.threads():
        shares = [(name, n, _percent(n, profile.cycles)) for name, n in profile.units()]
        _table(out, "Units", ("", "busy cycles", "%"), shares)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "0.0"


def _table(
    out: TextIO, title: str, head: tuple[str, ...], rows: Sequence[tuple[object, ...]]
) -> None:
    if not rows:
        return
    shown = [tuple(map(str, row)) for row in rows[:MAX_ROWS]]
    widths = [max(len(row[i]) for row in (head, *shown)) for i in range(len(head))]
    text = [all(not _number(row[i]) for row in shown) for i in range(len(head))]
    out.write(f"\n{title}\n")
    for row in (head, *shown):
        cells = [
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, text, strict=True)
        ]
        out.write(f"  {'  '.join(cells)}".rstrip() + "\n")
    if len(rows) > MAX_ROWS:
        out.write(f"  and {len(rows) - MAX_ROWS} more\n")


def _number(cell: str) -> bool:
    return cell.replace(".", "").isdecimal()


# speedscope


class _Frames:
    """The frames that all profiles share."""

    def __init__(self) -> None:
        self.list: list[dict[str, Any]] = []
        self._numbers: dict[tuple[str, str, int], int] = {}

    def number(self, name: str, place: tuple[str, int] | None = None) -> int:
        key = (name, *(place or ("", 0)))
        if key not in self._numbers:
            self._numbers[key] = len(self.list)
            where = {} if place is None else {"file": place[0], "line": place[1]}
            self.list.append({"name": name, **where})
        return self._numbers[key]


def speedscope(profile: Profile, name: str) -> dict[str, Any]:
    """Return the file's content."""
    frames = _Frames()
    profiles = [
        _sampled(HART_NAMES[hart], list(_stacks(profile, frames, hart))) for hart in profile.harts()
    ]
    profiles += [
        _sampled(THREAD_NAMES[thread], list(_gate(profile, frames, thread)))
        for thread in profile.threads()
    ]
    return {
        "$schema": SCHEMA,
        "name": Path(name).name,
        "exporter": "tensix-gdb",
        "activeProfileIndex": 0,
        "shared": {"frames": frames.list},
        "profiles": profiles,
        # What `tensix-gdb report` reads besides; speedscope leaves it alone.
        "tensix-gdb": {
            "title": title_of(profile),
            "cycles": profile.cycles,
            "threads": [THREAD_NAMES[thread] for thread in profile.threads()],
            "units": dict(profile.units()),
            "polls": {HART_NAMES[hart]: profile.polls(hart) for hart in profile.harts()},
        },
    }


def pprof(profile: Profile) -> bytes:
    """Return the file's content for pprof."""
    frames, made = _Frames(), Pprof()

    def add(tower: str, stacks: Iterator[tuple[list[int], int]]) -> None:
        for stack, cycles in stacks:
            shown = [frames.list[number] for number in stack]
            below = [
                Frame(frame["name"], frame.get("file", ""), frame.get("line", 0)) for frame in shown
            ]
            made.add([Frame(tower), *below], cycles)

    for hart in profile.harts():
        add(HART_NAMES[hart], _stacks(profile, frames, hart))
    for thread in profile.threads():
        add(THREAD_NAMES[thread], _gate(profile, frames, thread))
    return made.content()


def _sampled(name: str, stacks: list[tuple[list[int], int]]) -> dict[str, Any]:
    return {
        "type": "sampled",
        "name": f"{name} (cycles)",
        "unit": "none",
        "startValue": 0,
        "endValue": sum(weight for _, weight in stacks),
        "samples": [stack for stack, _ in stacks],
        "weights": [weight for _, weight in stacks],
    }


def _stacks(profile: Profile, frames: _Frames, hart: int) -> Iterator[tuple[list[int], int]]:
    def visit(call: Call, above: list[int]) -> Iterator[tuple[list[int], int]]:
        owner = call.owner
        name = profile.function(hart, call.pc, owner)
        number = frames.number(name, profile.line(hart, call.pc, owner))
        stack = [*above, number]
        if call.spent:
            yield stack, call.spent
        for below in call.below:
            yield from visit(below, stack)

    for call in profile.counts.calls_by_program(hart).below:
        yield from visit(call, [])


def _gate(profile: Profile, frames: _Frames, thread: int) -> Iterator[tuple[list[int], int]]:
    passes, held = frames.number("passes"), frames.number("held")
    for what, at, count in profile.issued(thread):
        yield [passes, frames.number(f"{what} from {at}")], count
    for by, what, at, count in profile.held(thread):
        yield [held, frames.number(by), frames.number(f"{what} from {at}")], count
