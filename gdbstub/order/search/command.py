# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb seeds`: search programs in many orders, and say what was found."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from tensix_gdb.core.debug.named_pauses import NamedPause
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.execution import MAX_SEED
from tensix_gdb.core.explain.orders import order_lines
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.terminal.keyboard import Keyboard, listening
from tensix_gdb.gdbstub.cli.terminal.width import say
from tensix_gdb.gdbstub.order.search.options import HowOptions, SeedsOptions, WhichOptions
from tensix_gdb.gdbstub.order.search.programs import programs_of
from tensix_gdb.gdbstub.order.search.progress import progress
from tensix_gdb.gdbstub.order.seeds.bench import Bench, Interrupted
from tensix_gdb.gdbstub.order.seeds.case import PLAIN, Case, Outcome, Setting
from tensix_gdb.gdbstub.order.seeds.finding import Plan, carried_out
from tensix_gdb.gdbstub.order.seeds.guided import Guide
from tensix_gdb.gdbstub.order.seeds.litmus import check_plain
from tensix_gdb.gdbstub.order.seeds.nops import campaign, failure_rows
from tensix_gdb.gdbstub.order.seeds.orders import Coverage
from tensix_gdb.gdbstub.order.seeds.program import Program
from tensix_gdb.gdbstub.order.seeds.settings import varied
from tensix_gdb.gdbstub.order.seeds.smallest import NotWrong, smallest
from tensix_gdb.gdbstub.order.seeds.store import Header, compared, open_store, read
from tensix_gdb.gdbstub.order.seeds.tally import Tally
from tensix_gdb.gdbstub.order.seeds.words import sentences
from tensix_gdb.gdbstub.order.seeds.worker import judge_of, own_version
from tensix_gdb.gdbstub.signals import end_signal
from tensix_gdb.gdbstub.tensix.pauses import parse_pause
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

RIGHT, WRONG = 0, 1
MOST = 100_000_000  # seeds
RANDOM = "random"
QUIET = 500  # observed runs without a new order, after which the search says so


def seeds(options: SeedsOptions) -> int:
    """Return 0 if all runs were as wanted, 1 otherwise."""
    try:
        return _search(options)
    except EngineDefect as defect:
        raise UsageError(f"a defect of the emulator, please report it: {defect}") from None


def _search(options: SeedsOptions) -> int:
    which, how = options.which, options.how
    numbers = seeds_of(which.seeds)
    executions = [_checked(name) for name in which.schedule or (RANDOM,)]
    programs = programs_of(options)
    settings = [_settings(program, which) for program in programs]
    if any(program.litmus for program in programs):
        check_plain([text for _, text in _executions(executions, [1])])
    header = Header(tuple((one.name, one.digest) for one in programs), own_version())
    earlier = read(how.compare, "--compare") if how.compare else None
    store, known = open_store(how.to, header, resume=how.resume)
    tallies = [Tally(program.name) for program in programs]
    coverage = [Coverage() for _ in programs]
    is_observed = which.orders or which.guided
    done: list[Outcome] = []
    unwritten: list[str] = []  # why `--to` cannot be written any more

    def note(outcomes: Sequence[Outcome]) -> None:
        for one in outcomes:
            tallies[one.program].add(one)
            if is_observed:
                coverage[one.program].add(one.orders, str(one))
        done.extend(outcomes)

    note(known)
    per_program = [len(each) * (_count(executions, numbers)) for each in settings]
    finished = {one.key for one in known}
    with contextlib.closing(store), listening(second_ends=True) as keyboard:
        with progress(sum(per_program) - len(known), len(known)) as show:

            def tell(outcomes: Sequence[Outcome]) -> None:
                if not unwritten:
                    try:
                        store.add(outcomes)
                    except (OSError, sqlite3.Error) as problem:
                        unwritten.append(str(getattr(problem, "strerror", None) or problem))
                note(outcomes)
                show(len(outcomes), sum(one.wrong for one in tallies))

            def is_over() -> bool:
                return bool(unwritten) or keyboard.is_interrupted()

            plan = Plan(programs, how.jobs, how.on, is_over, tell)
            plan.stop_after = how.stop_after
            if which.guided:
                _guided(plan, numbers, executions, coverage)
            else:
                cases = (
                    case
                    for case in _cases(executions, numbers, settings, observed=is_observed)
                    if case.key not in finished
                )
                carried_out(plan, cases, sum(per_program) - len(known))
        said = _said(plan, tallies, coverage, programs, settings, how, keyboard)
        say(said, flush=True)
        if earlier is not None:
            say(compared(header, done, *earlier))
        if which.nop_to:
            _write_failures(which.nop_to, done, programs)
    if unwritten:
        raise UsageError(
            f"--to {how.to}: cannot be written: {unwritten[0]}; the search has ended there, "
            "and `--resume` continues with what the file has"
        )
    if keyboard.interrupted:
        return end_signal.status
    return WRONG if any(one.wrong for one in tallies) else RIGHT


def seeds_of(text: str) -> range:
    """Return the seeds that `20`, from 1 on, or `7-40` means. UsageError with a sentence."""
    first, dash, last = text.partition("-")
    if not all(number.isdecimal() for number in ((first, last) if dash else (first,))):
        raise UsageError(f"--seeds {text}: type how many, as in 200, or which, as in 7-40")
    numbers = range(int(first), int(last) + 1) if dash else range(1, int(first) + 1)
    if not numbers or len(numbers) > MOST or numbers[-1] > MAX_SEED:
        raise UsageError(f"--seeds {text}: name 1 to {MOST:,} seeds of at most 32 bits")
    return numbers


def _checked(text: str) -> tuple[str, bool]:
    """Return a schedule, and True if it is for each seed. UsageError if it is none."""
    name, comma, options = text.partition(",")
    if name == RANDOM:
        parse_schedule(f"{RANDOM}:1{comma}{options}")
        return text, True
    if parse_schedule(text).schedule.name == "SC":
        raise UsageError("--schedule sc: nothing takes time there, so there is one order alone")
    return text, False


def _executions(
    schedules: Sequence[tuple[str, bool]], numbers: Sequence[int]
) -> Iterator[tuple[int, str]]:
    for number in numbers:
        for text, is_drawn in schedules:
            if is_drawn:
                yield number, text.replace(RANDOM, f"{RANDOM}:{number}", 1)
    for text, is_drawn in schedules:
        if not is_drawn:
            yield 0, text


def _count(schedules: Sequence[tuple[str, bool]], numbers: Sequence[int]) -> int:
    return sum(len(numbers) if is_drawn else 1 for _, is_drawn in schedules)


def _cases(
    schedules: Sequence[tuple[str, bool]],
    numbers: Sequence[int],
    settings: Sequence[Sequence[Setting]],
    *,
    observed: bool,
) -> Iterator[Case]:
    """Yield all of them, program by program."""
    for program, chosen in enumerate(settings):
        for _, execution in _executions(schedules, numbers):
            for setting in chosen:
                yield Case(program, execution, setting, observed)


def _settings(program: Program, which: WhichOptions) -> list[Setting]:
    """Return the changes to the runs of a program; empty without any."""
    if program.litmus is not None:
        return [PLAIN]
    found: list[Setting] = []
    if which.vary:
        found += varied(program, which.vary)
    if which.nop or which.nop_from:
        found += campaign(program, which.nop, which.nop_from, which.nop_cave)
    return found or [PLAIN]


def _guided(
    plan: Plan,
    numbers: Sequence[int],
    schedules: Sequence[tuple[str, bool]],
    coverage: Sequence[Coverage],
) -> None:
    """Every other run is chosen by what was seen."""
    tell = plan.tell
    for at, program in enumerate(plan.programs):
        if program.litmus is not None:
            raise UsageError("--guided: a litmus test is explored wholly by `tensix-gdb litmus`")
        guide = Guide(at, numbers, [text for text, drawn in schedules if drawn] or [RANDOM])

        def note(outcomes: Sequence[Outcome], guide: Guide = guide) -> None:
            guide.tell(outcomes)
            tell(outcomes)

        plan.tell = note
        carried_out(plan, guide.cases(), len(numbers))
    plan.tell = tell


def _said(
    plan: Plan,
    tallies: Sequence[Tally],
    coverage: Sequence[Coverage],
    programs: Sequence[Program],
    settings: Sequence[Sequence[Setting]],
    how: HowOptions,
    keyboard: Keyboard,
) -> Iterator[str]:
    """Yield the summary at the end."""
    if plan.done:
        rate = plan.done / max(plan.seconds, 1e-9)
        yield f"{plan.done:,} runs in {plan.seconds:.1f} s, {rate:,.0f} a second"
    if keyboard.interrupted:
        rest = "; `--resume` continues" if how.to else ""
        yield f"interrupted: what was done is kept{rest}"
    for at, tally in enumerate(tallies):
        yield from tally.lines()
        program = programs[at]
        if program.litmus is not None:
            continue
        wants_bench = coverage[at].runs or (tally.first is not None and not how.no_smallest)
        if not wants_bench or keyboard.interrupted:
            continue
        with contextlib.closing(
            Bench(program, judge=judge_of(program), is_interrupted=keyboard.is_interrupted)
        ) as bench:
            yield from coverage[at].lines(bench.machine.places)
            if coverage[at].since >= QUIET:
                yield "    more of these runs will hardly show another order"
            if tally.first is not None and not how.no_smallest:
                yield from _smallest(bench, tally.first, settings[at])


def _smallest(bench: Bench, first: Outcome, settings: Sequence[Setting]) -> Iterator[str]:
    """Yield the smallest wrong order, in words."""
    by_name = {setting.name: setting for setting in settings}
    setting = by_name.get(first.setting) or Setting(first.setting, _named(bench, first.setting))
    case = Case(first.program, first.execution, setting)
    try:
        found = smallest(bench, case)
        lines = sentences(bench, found) if found.is_minimal else []
    except Interrupted:
        yield "    interrupted while the first wrong run was reduced"
        return
    except NotWrong:
        yield f"    {first} is as wanted when it is run again here: please report that"
        return
    left = f"{found.delays:,} delays and choices, {found.pauses:,} pauses"
    if found.is_minimal:
        yield (
            f"    smallest: {found.case} (of {left}; {found.runs:,} runs; each that is left is "
            "needed)"
        )
        yield f"    {'; '.join(lines)}"
    else:
        yield f"    smallest: not found in {found.runs:,} runs (of {left})"
    bench.run(found.case)
    yield from (f"    {line}" for line in broken_lines(bench.machine))


def broken_lines(machine: Machine) -> list[str]:
    """Return the promises that a run has broken, each with its first place."""
    lines = list(order_lines(machine.S, machine.places))
    starts = [i for i, line in enumerate(lines) if line.startswith("has broken")]
    return lines[starts[0] :] if starts else []


def _named(bench: Bench, name: str) -> tuple[NamedPause, ...]:
    return tuple(parse_pause(bench.machine, text) for text in name.split())


def _write_failures(path: str, done: Sequence[Outcome], programs: Sequence[Program]) -> None:
    rows = failure_rows(programs, done)
    try:
        Path(path).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"--nop-to {path}: cannot be written: {problem.strerror}") from None
    print(f"{path} has {len(rows)} failures")
