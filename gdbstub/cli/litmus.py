# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb litmus`: run litmus tests, print the outcomes, and show how one comes about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tensix_gdb.core.litmus.check import ALL, Verdict, describe, find, judge
from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import Litmus, LitmusError, Outcome, parse, read
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.litmus.timeline import Timeline
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.options.litmus import LitmusOptions
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

ORDER = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM, Schedule.EXHAUSTIVE)
SEEDS_TRIED = 100_000  # to find an outcome in `random`


def litmus(options: LitmusOptions) -> int:
    """Return 0 if every test behaves as its rows say, 1 otherwise."""
    schedules, seeds = _schedules(options)
    try:
        tests = [test for file in options.files for test in read(Path(file))]
        text = options.only or ""
        chosen = [test for test in tests if test.name == text] or [
            test for test in tests if text in test.name
        ]
        if not chosen:
            raise UsageError(f"--only {options.only}: no test has this in its name")
        if options.on is not None and options.outcome is None:
            return _on_cluster(options, options.on, chosen, schedules, seeds)
        tile = Tile(options.engine)
        try:
            if options.outcome is not None:
                return _show(tile, chosen, schedules, seeds, options.outcome)
            return _judge(tile, chosen, schedules, seeds)
        finally:
            tile.close()
    except LitmusError as problem:
        raise UsageError(str(problem)) from None


def _schedules(options: LitmusOptions) -> tuple[list[Schedule], Sequence[int] | None]:
    seeds = range(1, options.seeds + 1) if options.seeds else None
    if not options.schedule:
        return list(ALL), seeds
    schedules = []
    chosen: list[int] = []
    for text in options.schedule:
        if ":" in text:
            chosen.append(parse_schedule(text).seed)
        schedules.append(Schedule[text.partition(":")[0].upper()])
    return [s for s in ORDER if s in schedules], chosen or seeds


def _judge(
    tile: Tile, tests: list[Litmus], schedules: list[Schedule], seeds: Sequence[int] | None
) -> int:
    wrong = 0
    for test in tests:
        verdict = judge(tile, test, schedules, seeds)
        wrong += bool(verdict.problems)
        print("\n".join(_report(verdict)), end="\n\n")
    print(_judged(len(tests), wrong))
    return 1 if wrong else 0


def _on_cluster(
    options: LitmusOptions,
    address: str,
    tests: Sequence[Litmus],
    schedules: Sequence[Schedule],
    seeds: Sequence[int] | None,
) -> int:
    """Return the same by the workers of a cluster, a test each; what they say comes in the order of
    the files."""
    from tensix_gdb.gdbstub.order.seeds.cluster import gathered

    texts = {str(file): Path(file).read_text(encoding="utf-8") for file in options.files}
    calls = [
        (at, texts[test.file], test.file, test.name, list(schedules), seeds, options.engine)
        for at, test in enumerate(tests)
    ]
    said: dict[int, list[str]] = {}
    wrong = shown = 0
    for at, lines, is_wrong in gathered(address, judged_there, calls):
        said[at] = lines
        wrong += is_wrong
        while shown in said:
            print("\n".join(said.pop(shown)), end="\n\n", flush=True)
            shown += 1
    print(_judged(len(tests), wrong))
    return 1 if wrong else 0


def judged_there(
    at: int,
    text: str,
    file: str,
    name: str,
    schedules: list[Schedule],
    seeds: Sequence[int] | None,
    engine: str,
) -> tuple[int, list[str], bool]:
    """Run one test in a worker. Return its number, the lines of its report, and is it wrong."""
    (test,) = (each for each in parse(text, file) if each.name == name)
    tile = Tile(engine)
    try:
        verdict = judge(tile, test, schedules, seeds)
    finally:
        tile.close()
    return at, list(_report(verdict)), bool(verdict.problems)


def _judged(count: int, wrong: int) -> str:
    """`3 tests, each as its rows say`."""
    tests = "1 test" if count == 1 else f"{count} tests"
    if wrong:
        return f"{tests}, {wrong} not as the rows say"
    return f"{tests}, as its rows say" if count == 1 else f"{tests}, each as its rows say"


def _report(verdict: Verdict) -> Iterator[str]:
    test = verdict.test
    yield f"{test.name} ({test.where()})"
    if test.pages:
        yield f"  {', '.join(test.pages)}"
    names = [schedule.name.lower() for schedule in verdict.seen]
    strict = verdict.strict if verdict.strict is not verdict.exploration else None
    rows = [("", "", *names, *(["strict"] if strict else []))]
    for outcome in verdict.outcomes():
        counts = [_count(schedule, counts[outcome]) for schedule, counts in verdict.seen.items()]
        if strict:
            counts.append(_count(Schedule.EXHAUSTIVE, int(outcome in strict.outcomes)))
        rows.append((describe(test, outcome), _listed(test, outcome), *counts))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, second, *rest = (
            cell.rjust(width) if at > 1 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"  {'  '.join((first, second, *rest))}".rstrip()
    if verdict.exploration:
        exploration = verdict.exploration
        yield f"  exhaustive: {exploration.states} states, {exploration.transitions} cycles"
    yield from (f"  WRONG  {problem}" for problem in verdict.problems)


def _listed(test: Litmus, outcome: Outcome) -> str:
    if outcome in test.strict:
        return "strict"
    if outcome in test.allowed:
        return "allowed"
    if outcome in test.forbidden:
        return "forbidden"
    return "sc only" if outcome == test.given.get("sc") else "not listed"


def _count(schedule: Schedule, count: int) -> str:
    if count == 0:
        return "-"
    return str(count) if schedule is Schedule.RANDOM else "yes"


def _show(
    tile: Tile,
    tests: list[Litmus],
    schedules: list[Schedule],
    seeds: Sequence[int] | None,
    text: str,
) -> int:
    if len(tests) > 1:
        names = "; ".join(test.name for test in tests)
        raise UsageError(f"--outcome is about one test; choose it by --only from: {names}")
    (test,) = tests
    outcome = find(test, text)
    if Schedule.EXHAUSTIVE in schedules:
        prepared = tile.prepare(test, Schedule.EXHAUSTIVE, strict=outcome in test.strict)
        exploration = explore(prepared)
        if outcome not in exploration.outcomes:
            print(f"{test.name}: no execution ends with {describe(test, outcome)}")
            return 1
        timeline = Timeline(prepared)
        print(f"{test.name}: a shortest execution with {describe(test, outcome)}\n")
        print("\n".join(timeline.table(timeline.of_tapes(exploration.tapes(outcome)))))
        _why(timeline)
        return 0
    schedule = schedules[-1]
    strict = schedule is Schedule.RANDOM and outcome in test.strict
    prepared = tile.prepare(test, schedule, strict=strict)
    tried = (seeds or range(1, SEEDS_TRIED + 1)) if schedule is Schedule.RANDOM else (0,)
    seed = next((seed for seed in tried if prepared.run(seed) == outcome), None)
    name = schedule.name.lower()
    if seed is None:
        print(f"{test.name}: {name} did not end with {describe(test, outcome)}")
        return 1
    named = f"random:{seed}" if schedule is Schedule.RANDOM else name
    named += ",strict" if strict else ""
    print(f"{test.name}: {describe(test, outcome)} in {named}\n")
    timeline = Timeline(prepared)
    print("\n".join(timeline.table(timeline.of_seed(seed))))
    _why(timeline)
    return 0


def _why(timeline: Timeline) -> None:
    """Print the reasons if the execution went no further."""
    reasons = list(timeline.ending())
    if reasons:
        print("\n".join(["", *reasons]))
