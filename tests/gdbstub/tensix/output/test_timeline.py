# SPDX-License-Identifier: Apache-2.0
"""Timelines: the changes themselves, the two forms of files, `run --trace` and `monitor trace`."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.timeline import record as trace
from tensix_gdb.core.timeline.tracer import Change
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.output.timeline import TextTimeline
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import ChromeTimeline
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import asm, image
from tests.gdbstub.tensix import stuck
from tests.machines import machine_on
from tests.programs.build import DEMO

SCHEDULES = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_traced_runs_are_the_same_runs_on_both_engines(schedule: Schedule) -> None:
    found: list[list[Change]] = []
    for engine in ("reference", "compiled"):
        plain = stuck.run(stuck.load(machine_on(engine, schedule)))
        traced = stuck.load(machine_on(engine, schedule))
        found.append([])
        traced.trace(found[-1].extend)
        stuck.run(traced)
        assert traced.hash() == plain.hash()
        assert traced.S.tile.cycle == plain.S.tile.cycle
        assert plain.S.trace.count == 0
        for machine in (plain, traced):
            machine.close()
    assert found[0] == found[1]
    assert len(found[0]) > 40


def test_every_change_is_one_and_in_order() -> None:
    machine = stuck.load(machine_on("compiled", Schedule.LATENCY))
    last: dict[int, tuple[int, int, int]] = {}
    cycles: list[int] = []

    def take(changes: Sequence[Change]) -> None:
        for change in changes:
            state = change.a, change.b, change.c
            assert last.get(change.track) != state
            last[change.track] = state
            cycles.append(change.cycle)

    machine.trace(take)
    stuck.run(machine)
    assert cycles == sorted(cycles)
    machine.close()


def test_it_comes_a_buffer_at_a_time() -> None:
    """A run of any length needs the memory of one buffer."""
    machine = machine_on("compiled", Schedule.LATENCY)
    # Every cycle of this loop something is pushed, moves and passes.
    machine.load(T1, image([*[0x08000000] * 30, asm("jal", imm=-120)], 0x3000))
    sizes: list[int] = []
    machine.trace(lambda changes: sizes.append(len(changes)))
    machine.run(200_000)
    assert machine.S.tile.cycle == 200_000
    assert sum(sizes) > 20 * trace.EVENTS
    assert max(sizes) <= trace.EVENTS
    machine.close()


def rules_of_chrome(text: str) -> list[dict[str, Any]]:
    """The rules of the Trace Event Format (JSON object form), for the events that we use."""
    document = json.loads(text)
    assert set(document) <= {"traceEvents", "displayTimeUnit", "otherData", "metadata"}
    assert document["displayTimeUnit"] in ("ms", "ns")
    events: list[dict[str, Any]] = document["traceEvents"]
    ends: dict[tuple[int, int], float] = {}
    slices = [event for event in events if event["ph"] == "X"]
    for event in sorted(slices, key=lambda event: (event["ts"], -event["dur"])):
        assert {"name", "cat", "ph", "ts", "dur", "pid", "tid"} <= set(event)
        assert event["dur"] > 0
        assert event["ts"] >= 0
        # Slices of one row nest or follow each other; these here never overlap.
        row = event["pid"], event["tid"]
        assert event["ts"] >= ends.get(row, 0)
        ends[row] = event["ts"] + event["dur"]
    for event in events:
        assert event["ph"] in ("X", "C", "M")
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        assert isinstance(event["name"], str)
        if event["ph"] == "C":
            assert all(isinstance(value, int) for value in event["args"].values())
            assert event["args"]
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name", "thread_sort_index")
            key = "sort_index" if event["name"].endswith("index") else "name"
            assert list(event["args"]) == [key]
    named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    assert set(ends) <= named, "every row has a name"
    return events


@pytest.fixture
def written() -> str:
    machine = stuck.load(machine_on("compiled", Schedule.LATENCY))
    out = io.StringIO()
    timeline = ChromeTimeline(machine, out)
    machine.trace(timeline.changes)
    stuck.run(machine)
    timeline.close()
    machine.close()
    return out.getvalue()


def test_the_file_keeps_the_rules_of_chrome(written: str) -> None:
    events = rules_of_chrome(written)
    gates = [event for event in events if event["ph"] == "X" and event["pid"] == 2]
    held = [event for event in gates if event["cat"] == "held"]
    reasons = {(event["tid"], event["name"], event["args"]["what"]) for event in held}
    assert any(
        tid == 1
        and name == "ATGETM held"
        and "ATGETM index=0 from 0x00003004; by SEMWAIT block=ALL, sem=S1, wait=C0" in what
        for tid, name, what in reasons
    )
    assert any(tid == 0 and what.endswith("by its mutex") for tid, _, what in reasons)
    # It lasts until the end, which is where everything that is open ends.
    last = max(event["ts"] + event["dur"] for event in held)
    assert any(e["ts"] + e["dur"] == last for e in held if e["tid"] == 1)
    counters = {event["name"] for event in events if event["ph"] == "C"}
    assert {"FIFOs of T1 math", "semaphore 1", "queue to push window 0"} <= counters
    rows = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert {"B", "T0 unpack", "Matrix Unit, T1 math", "unpacker 1, T0 unpack", "mover"} <= rows


def test_the_rules_find_what_breaks_them(written: str) -> None:
    for wrong, right in (('"dur": 1,', '"dur": 100000,'), ('"ph": "C"', '"ph": "Z"'),
                         ("\n]}", "\n]")):  # fmt: skip
        assert wrong in written
        with pytest.raises((AssertionError, ValueError)):
            rules_of_chrome(written.replace(wrong, right))


def test_as_lines_of_text() -> None:
    machine = stuck.load(machine_on("reference", Schedule.LATENCY))
    out = io.StringIO()
    timeline = TextTimeline(machine, out)
    machine.trace(timeline.changes)
    stuck.run(machine)
    lines = out.getvalue().splitlines()
    passes = [row for row in lines if "T0 unpack" in row and "passes: SEMINIT" in row]
    assert len(passes) == 1
    assert any(
        re.match(r" +\d+  T1 math +held: ATGETM index=0 from 0x00003004; by SEMWAIT", row)
        for row in lines
    )
    assert any(re.match(r" +\d+  FIFOs of T1 math +\d+$", row) for row in lines)
    assert any(re.match(r" +\d+  T2 +paused$", row) for row in lines)
    machine.close()


MVMUL = 0x26


def test_a_unit_names_the_instruction_that_it_has() -> None:
    """Changes of how many a unit has do not cut its slice up; those of its instruction do."""
    machine = machine_on("reference", Schedule.LATENCY)
    out = io.StringIO()
    timeline = ChromeTimeline(machine, out)
    track = trace.UNIT_TRACK + 3  # the Matrix Unit
    elwadd, mvmul = 0x28 << 8, MVMUL << 8  # of T1
    states = ((10, 1 << 8, mvmul), (11, 2 << 8, mvmul), (14, 1 << 8, elwadd), (15, 0, 0))
    changes = [Change(cycle, track, a, b, 0) for cycle, a, b in states]
    timeline.changes(changes)
    timeline.close()
    slices = [event for event in rules_of_chrome(out.getvalue()) if event["ph"] == "X"]
    found = [(event["name"], event["ts"], event["dur"]) for event in slices]
    assert found == [("MVMUL", 10, 4), ("ELWADD", 14, 1)]
    lines = io.StringIO()
    TextTimeline(machine, lines).changes(changes)
    told = [line.split("Matrix Unit")[1].strip() for line in lines.getvalue().splitlines()]
    several = "MVMUL of T1 math, 2 in it"
    assert told == ["MVMUL of T1 math", several, "ELWADD of T1 math", "idle"]
    machine.close()


def test_an_instruction_that_comes_and_passes_is_one_slice(written: str) -> None:
    """Only two that pass one after the other are two, even if they are alike."""
    gates = [e for e in rules_of_chrome(written) if e["ph"] == "X" and e["pid"] == 2]
    rows: dict[int, list[dict[str, Any]]] = {}
    for event in gates:
        rows.setdefault(event["tid"], []).append(event)
    for row in rows.values():
        for one, other in pairwise(row):
            alike = (one["name"], one["args"]) == (other["name"], other["args"])
            touch = one["ts"] + one["dur"] == other["ts"]
            assert not (alike and touch) or one["cat"] == other["cat"] == "passes"
    assert any(event["cat"] == "passes" and event["dur"] > 1 for event in gates)


def test_run_writes_both_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    programs = [f"--elf={hart}={DEMO / hart}.elf" for hart in ("t0", "t1", "nc")]
    for name in ("run.json", "run.txt"):
        assert main(["run", *programs, "--trace", str(tmp_path / name)]) == 0
    events = rules_of_chrome((tmp_path / "run.json").read_text())
    names = {e["name"] for e in events if e["ph"] == "X" and e["pid"] == 1}
    assert {"main", "weigh", "filter", "waits"} & names >= {"main", "weigh"}
    assert "  T0                        weigh" in (tmp_path / "run.txt").read_text()
    capsys.readouterr()
    assert main(["run", *programs, "--trace", str(tmp_path / "no" / "folder.json")]) == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_monitor_trace() -> None:
    machine: Machine = stuck.load(machine_on("compiled", Schedule.LATENCY))
    monitor = tensix_target(machine).monitor
    assert monitor is not None

    def ask(line: str) -> str:
        return monitor.command(1, line, running=False)

    assert ask("trace") == "Tracing is off; 0 changes are kept, 16384 at most.\n"
    assert ask("trace last 3") == "Nothing has changed since `monitor trace on`.\n"
    assert ask("trace on").startswith("Tracing is on")
    stuck.run(machine)
    assert len(ask("trace last 7").splitlines()) == 7
    assert len(ask("trace last").splitlines()) == 20
    everything = ask("trace last 1000")
    assert "T1 math" in everything
    assert "held: ATGETM index=0" in everything
    passed = ask("trace last 2 passes: NOP").splitlines()
    assert len(passed) == 2
    assert all("T0 unpack" in row and "passes: NOP from 0x0000" in row for row in passed)
    assert ask("trace last 2 T0 unpack*passes: NOP|no such line").splitlines() == passed
    assert ask("trace last 2 passes: NOP*T0 unpack") == ask("trace last 2 no such line")
    # A regular expression would go back and forth in each line for minutes.
    with pytest.raises(TargetError, match="is no pattern: type parts of a line, with"):
        ask("trace last 20 (.*)*T1$")
    with pytest.raises(TargetError, match="no more than 100 characters"):
        ask("trace last 20 " + "a|" * 51)
    assert ask("trace off").startswith("Tracing is off; ")
    assert ask("trace last 1000") == everything
    assert machine.runner.tracer is None
    ask("trace on")
    machine.reset()
    stuck.run(machine)
    assert ask("trace last 1000") == everything, "the same from the start"
    with pytest.raises(TargetError, match="type `monitor trace on`"):
        ask("trace up")
    machine.close()


def test_performance_counters_are_tracks_while_they_count() -> None:
    """A track has what a counter has counted in each PERIOD cycles; none when software counts
    nothing."""
    found: list[list[Change]] = [[], []]
    out = io.StringIO()
    for changes, counts in zip(found, (0, 1), strict=True):
        machine = machine_on("compiled", Schedule.LATENCY)
        machine.load(T1, image([*[0x08000000] * 30, asm("jal", imm=-120)], 0x3000))
        machine.poke(0, 0xFFB12008, counts.to_bytes(4, "little"))
        chrome = ChromeTimeline(machine, out if counts else io.StringIO())

        def take(
            new: Sequence[Change],
            changes: list[Change] = changes,
            chrome: ChromeTimeline = chrome,
        ) -> None:
            changes += [change for change in new if change.track >= trace.PERF_TRACK]
            chrome.changes(new)

        machine.trace(take)
        machine.run(1000)
        chrome.close()
        machine.close()
    none, some = found
    assert none == []
    passed = trace.PERF_TRACK + trace.PERF_NAMES.index("THREAD_INSTRUCTIONS_1")
    assert {change.track for change in some} == {passed}
    assert all(change.cycle % trace.PERIOD == trace.PERIOD - 1 for change in some)
    assert max(change.a for change in some) in range(trace.PERIOD - 4, trace.PERIOD + 1)
    events = [event for event in rules_of_chrome(out.getvalue()) if event["pid"] == 5]
    assert {event["name"] for event in events if event["ph"] == "C"} == {"THREAD_INSTRUCTIONS_1"}
