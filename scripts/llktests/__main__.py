# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's LLK tests, as they are shipped, on our tile: `scripts/llk [FILE ...]`.

Without names, every file that is covered. Exit status 0 when all passed, 1 when one did not, 2 when
the suite cannot be set up.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from scripts.llktests.chips import COVERED, EXCLUDED
from scripts.llktests.failing import keep_failed
from scripts.llktests.running import Choice, Outcome, run
from scripts.llktests.suite import CannotPrepare, Suite, compiler_name
from scripts.llktests.tree import add_llk_option, covered_by, file_of, named_in, suite_of
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE

VARIANTS = 5
ALL_PASSED, NOT_ALL, CANNOT = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    arguments = _parser().parse_args(argv)
    console = Console()
    if arguments.list:
        _list(console, arguments.arch)
        return ALL_PASSED
    excluded = EXCLUDED[arguments.arch]
    unknown = [name for name in arguments.tests if file_of(name) in excluded]
    if unknown:
        console.print(f"{unknown[0]} is excluded: {excluded[file_of(unknown[0])]}")
        return CANNOT
    choice = _choice(arguments)
    try:
        with suite_of(arguments.llk) as suite:
            console.print(f"compiler: {compiler_name(suite)}", highlight=False, soft_wrap=True)
            tests = named_in(suite, arguments.tests) or covered_by(suite, COVERED[arguments.arch])
            outcomes, commands = _run(console, suite, tests, choice, arguments)
    except CannotPrepare as problem:
        print(f"llk: {problem}", file=sys.stderr)
        return CANNOT
    _report(console, outcomes, commands, every=arguments.every)
    racing = _report_races(console, outcomes) if choice.races else False
    good = outcomes and all(_good(one) for one in outcomes) and not racing
    return ALL_PASSED if good else NOT_ALL


def _choice(arguments: argparse.Namespace) -> Choice:
    races: list[str] = []
    if arguments.races is not None:
        races += ["--races", arguments.races]
    if arguments.check is not None:
        races += ["--check", arguments.check]
    if arguments.races_checks is not None:
        races += ["--races-checks", arguments.races_checks]
    for path in arguments.races_suppressions:
        races += ["--races-suppressions", path]
    return Choice(
        arguments.variants,
        arguments.seed,
        arguments.schedule,
        arguments.engine,
        tuple(races),
        arguments.arch,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="llk", description=__doc__.split("\n\n")[0])
    parser.add_argument("tests", nargs="*", metavar="FILE", help="test_NAME.py, or one test's id")
    parser.add_argument("--list", action="store_true", help="what is covered, what is not, and why")
    parser.add_argument(
        "--variants",
        type=int,
        default=VARIANTS,
        metavar="N",
        help=f"run so many variants of each file, 0 for all (default {VARIANTS})",
    )
    parser.add_argument("--seed", default="1", help="which variants (default 1)")
    parser.add_argument("--schedule", default=DEFAULT_SCHEDULE, help="as of `tensix-gdb serve`")
    parser.add_argument("--engine", default="compiled", help="as of `tensix-gdb serve`")
    parser.add_argument(
        "--arch",
        choices=("blackhole", "wormhole"),
        default="blackhole",
        help="the chip that the tests are built for, and the tile is of (default: blackhole)",
    )
    parser.add_argument("--every", action="store_true", help="a row for each test, not each file")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every outcome to FILE")
    parser.add_argument(
        "--races",
        nargs="?",
        choices=("default", "strict"),
        const="default",
        help="report accesses that nothing orders, as `tensix-gdb run --races` does",
    )
    parser.add_argument("--check", metavar="NAMES", help="init,leaks,memory,stages, as there")
    parser.add_argument("--races-checks", metavar="NAMES", help="as there")
    parser.add_argument(
        "--races-suppressions", action="append", default=[], metavar="FILE", help="as there"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="keep what each kernel begins with in DIR/FILE/run-N.core, to run it again",
    )
    add_llk_option(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="show what the suite prints")
    return parser


def _list(console: Console, arch: str) -> None:
    console.print(f"covered, {len(COVERED[arch])} files:")
    for name in COVERED[arch]:
        console.print(f"    {name}")
    console.print(f"excluded, {len(EXCLUDED[arch])} files:")
    for name, reason in EXCLUDED[arch].items():
        console.print(f"    {name}: {reason}", highlight=False)


def _run(
    console: Console,
    suite: Suite,
    tests: Sequence[str],
    choice: Choice,
    arguments: argparse.Namespace,
) -> tuple[list[Outcome], dict[str, str]]:
    """File after file: each has a tile of its own, so that none suffers from the one before. What
    is there is written after each: all of them take an hour. Of tests that fail, also the command
    that says why."""
    outcomes: list[Outcome] = []
    commands: dict[str, str] = {}
    show = arguments.verbose
    with Progress(console=console, transient=True, disable=show or None) as progress:
        task = progress.add_task("", total=len(tests))
        for test in tests:
            progress.update(task, description=file_of(test))
            with _folder(arguments.keep, test) as kept:
                outcomes += (some := run(suite, [test], choice, str(kept), show=show))
                commands.update((one.test, line) for one, line in keep_failed(some, kept))
            if arguments.json is not None:
                _write(arguments.json, outcomes)
            progress.advance(task)
    return outcomes, commands


@contextlib.contextmanager
def _folder(keep: Path | None, test: str) -> Iterator[Path]:
    """Give the folder in which runs of a file are kept; without `--keep` for as long as they take,
    so that those of tests which fail can be diagnosed."""
    if keep is not None:
        yield keep.resolve() / file_of(test)
        return
    with tempfile.TemporaryDirectory(prefix="llk-runs-") as name:
        yield Path(name)


def _good(outcome: Outcome) -> bool:
    return outcome.passed or outcome.outcome == "skipped"


def _report(
    console: Console, outcomes: list[Outcome], commands: dict[str, str], *, every: bool
) -> None:
    table = Table("test", "result")
    for title in ("cycles", "RISC-V", "Tensix", "ms of simulation", "s"):
        table.add_column(title, justify="right")
    for name, group in _groups(outcomes, every=every).items():
        runs = [one for one in group if one.cycles]
        mean = max(len(runs), 1)
        table.add_row(
            name,
            _result(group),
            *(
                f"{sum(getattr(one, what) for one in runs) // mean:,}"
                for what in ("cycles", "instructions", "tensix")
            ),
            f"{1000 * sum(one.simulated for one in runs) / mean:.1f}",
            f"{sum(one.seconds for one in group) / len(group):.1f}",
        )
    console.print(table)
    for one in outcomes:
        if not _good(one):
            console.print(
                f"{one.result}: {one.test}\n    {one.why()}", highlight=False, markup=False
            )
            if one.test in commands:
                line = f"    why: `{commands[one.test]}`"
                console.print(line, highlight=False, markup=False, soft_wrap=True)
    passed = sum(one.passed for one in outcomes)
    skipped = sum(one.outcome == "skipped" for one in outcomes)
    console.print(f"{passed} passed, {skipped} skipped by the suite, of {len(outcomes)}")


def _report_races(console: Console, outcomes: list[Outcome]) -> bool:
    """Show each race once, with the tests in which it is. True if one of them counts."""
    tests: dict[str, list[str]] = {}
    races = {}
    for outcome in outcomes:
        for race in outcome.races:
            if race["suppressed"] is None:
                races.setdefault(race["identity"], race)
                tests.setdefault(race["identity"], []).append(outcome.test)
    for identity, race in races.items():
        names = list(dict.fromkeys(tests[identity]))
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        text = f"\n{race['text']}\n    In {names[0]}{more}"
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    console.print(f"{len(races)} kinds of reports of accesses that nothing orders")
    return bool(races)


def _groups(outcomes: list[Outcome], *, every: bool) -> dict[str, list[Outcome]]:
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.test if every else file_of(one.test), []).append(one)
    return groups


def _result(group: list[Outcome]) -> str:
    if len(group) == 1:
        return group[0].result
    skipped = sum(one.outcome == "skipped" for one in group)
    run = f"{sum(one.passed for one in group)} of {len(group) - skipped}"
    return f"{run}, {skipped} skipped" if skipped else run


def _write(path: Path, outcomes: list[Outcome]) -> None:
    rows = [{**vars(one), "result": one.result, "why": one.why()} for one in outcomes]
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
