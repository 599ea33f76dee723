# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb llk`: Tenstorrent's LLK tests, as they are shipped, on an emulated tile."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from tensix_gdb.gdbstub.llk.chips import COVERED, EXCLUDED
from tensix_gdb.gdbstub.llk.failing import keep_failed, why_of
from tensix_gdb.gdbstub.llk.job.command import job
from tensix_gdb.gdbstub.llk.options import LlkOptions
from tensix_gdb.gdbstub.llk.running import Choice, Outcome, run
from tensix_gdb.gdbstub.llk.shown import (
    is_good,
    show_list,
    show_outcomes,
    show_races,
    write_outcomes,
)
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite, compiler_name
from tensix_gdb.gdbstub.llk.tree import (
    covered_by,
    file_of,
    named_in,
    of_chip,
    say_unknown,
    suite_of,
)
from tensix_gdb.gdbstub.pages.share.page_of_run import share_run

ALL_PASSED, NOT_ALL = 0, 1


def llk(options: LlkOptions) -> int:
    """Run what the command line says."""
    console = Console()
    if options.once.list:
        for arch in options.suite.chips:
            show_list(console, arch)
        return ALL_PASSED
    check_excluded(options.named, options.suite.chips)
    if options.job.ci:
        return job(options)
    with suite_of(Path(options.suite.llk) if options.suite.llk else None) as suite:
        console.print(f"compiler: {compiler_name(suite)}", highlight=False, soft_wrap=True)
        found = [_on_chip(console, suite, arch, options) for arch in options.suite.chips]
    return max(found)


def check_excluded(tests: Sequence[str], chips: Sequence[str]) -> None:
    """CannotPrepare if one of the tests is of a file that runs on none of the chips' tiles."""
    for name in tests:
        reasons = [EXCLUDED[arch].get(file_of(name)) for arch in chips]
        if all(reasons):
            raise CannotPrepare(f"{file_of(name)} is excluded: {reasons[0]}")


def _on_chip(console: Console, suite: Suite, arch: str, options: LlkOptions) -> int:
    of, once = options.suite, options.once
    tests = of_chip(named_in(suite.tests, options.named), arch)
    if not options.named:
        tests = covered_by(suite.tests, COVERED[arch])
        say_unknown(suite.tests, arch)
    choice = Choice(of.variants, of.seed, of.schedule, of.engine, once.observed, arch)
    outcomes, commands = _run(console, suite, tests, choice, options)
    show_outcomes(console, outcomes, commands, every=once.every)
    racing = show_races(console, outcomes) if choice.races else False
    good = outcomes and all(is_good(one) for one in outcomes) and not racing
    return ALL_PASSED if good else NOT_ALL


def _run(
    console: Console,
    suite: Suite,
    tests: Sequence[str],
    choice: Choice,
    options: LlkOptions,
) -> tuple[list[Outcome], dict[str, str]]:
    """File after file: each has a tile of its own, so that none suffers from the one before. What
    is there is written after each: all of them take an hour. Of tests that fail, also the command
    that says why."""
    outcomes: list[Outcome] = []
    commands: dict[str, str] = {}
    once = options.once
    with Progress(console=console, transient=True, disable=once.show) as progress:
        task = progress.add_task("", total=len(tests))
        for test in tests:
            progress.update(task, description=file_of(test))
            with _folder(once.keep, test) as kept:
                words = [test, *options.of_pytest]
                outcomes += (some := run(suite, words, choice, str(kept), show=once.show))
                for one, core in keep_failed(some, kept):
                    commands[one.test] = why_of(core)
                    if once.share is not None:
                        line = share_run(one.test, core, Path(once.share))
                        console.print(line, highlight=False, markup=False, soft_wrap=True)
            if once.json is not None:
                write_outcomes(Path(once.json), outcomes)
            progress.advance(task)
    return outcomes, commands


@contextlib.contextmanager
def _folder(keep: str | None, test: str) -> Iterator[Path]:
    """Give the folder in which runs of a file are kept; without `--keep` for as long as they take,
    so that those of tests which fail can be diagnosed."""
    if keep is not None:
        yield Path(keep).resolve() / file_of(test)
        return
    with tempfile.TemporaryDirectory(prefix="llk-runs-") as name:
        yield Path(name)
