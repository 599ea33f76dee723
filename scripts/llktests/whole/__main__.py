# SPDX-License-Identifier: Apache-2.0
"""All variants of LLK's tests, once each, in pieces: `scripts/llk whole FILE`.

They take hours. Each outcome is written to FILE as it comes (ledger.py); the same command continues
after Ctrl-C, a signal or a crash, with what is not in FILE. The file of the suite of which the
fewest tests have run is next, with three times as many as have run of it, up to a limit: so all
files have run before one is complete, and the beginning of pytest, which collects 151,210 tests of
one file, counts little in the end. Each piece has a tile of its own. The suite is a copy, so that
other runs need not wait for this one.
`--kernels` runs one test for each kernel that the suite has, and observes it as `tensix-gdb llk
--ci` does (kernels.py, reported.py); `--sample` takes some of the kernels, drawn by the seed.
`--summary` says what FILE has. Exit status 0 if all have ended, and each has passed or is skipped
by the suite.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.table import Table

from scripts.llktests.scratch import scratch
from scripts.llktests.whole.cluster import run_on
from scripts.llktests.whole.kernels import MOST_KERNELS, KernelList, kernels_of
from scripts.llktests.whole.ledger import FileOfSuite, Ledger, read
from scripts.llktests.whole.piece import Piece, outcomes_of
from scripts.llktests.whole.reported import say_reports
from tensix_gdb.gdbstub.kernels.llk import REQUIREMENT
from tensix_gdb.gdbstub.kernels.sfpi.version import version_of
from tensix_gdb.gdbstub.llk.chips import COVERED, EXCLUDED
from tensix_gdb.gdbstub.llk.job.command import OBSERVED
from tensix_gdb.gdbstub.llk.job.inputs import Tree
from tensix_gdb.gdbstub.llk.running import Choice, Outcome
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite, cache, compiler, prepare
from tensix_gdb.gdbstub.llk.tree import add_llk_option, covered_by, find_tree, named_in, suite_of
from tensix_gdb.gdbstub.order.seeds.cluster import executor
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE, UsageError

# Of a file at a time.
FEWEST, MOST = 3, 1000
GROWS = 3
FIRST_KERNELS = 20
WIDTH = 130
ALL_PASSED, NOT_ALL, CANNOT = 0, 1, 2
INTERRUPTED = 128 + signal.SIGINT


def size_of(file: FileOfSuite) -> int:
    """Return how many tests the next piece of a file has."""
    return min(max(FEWEST, GROWS * file.run), MOST)


def next_of(names: Sequence[str], ledger: Ledger) -> str | None:
    """The file with the fewest tests that have run, of those that have some left."""
    open_ones = [name for name in names if ledger.of(name).left != 0]
    return min(open_ones, key=lambda name: ledger.of(name).run, default=None)


def run_all(
    names: Sequence[str],
    ledger: Ledger,
    run: Callable[[str, Piece], Iterable[Outcome]],
    say: Callable[[str], None],
    wanted: Callable[[str], Sequence[str]] | None = None,
) -> None:
    """Run what is left of these files, or of the tests that are wanted of each, piece by piece. A
    file is set aside when a piece of it has ended no test, or it cannot be said what is wanted."""
    waiting = list(names)
    while (name := next_of(waiting, ledger)) is not None:
        file = ledger.of(name)
        before = len(file.outcomes)
        piece = Piece(size_of(file), frozenset(file.outcomes))
        if wanted is not None:
            try:
                tests = wanted(name)
            except CannotPrepare as problem:
                say(f"{name}: set aside: {problem}")
                waiting.remove(name)
                continue
            ledger.collected(name, len(tests))
            left_of_it = [test for test in tests if test not in file.outcomes]
            piece.most = min(max(FIRST_KERNELS, GROWS * file.run), MOST_KERNELS)
            piece.only = left_of_it[: piece.most]
            if not left_of_it:
                continue
        for one in run(name, piece):
            ledger.add(name, one)
        if piece.collected is not None and wanted is None:
            ledger.collected(name, piece.collected)
        more = len(file.outcomes) - before
        cost = {"seconds": piece.seconds, "processor": piece.processor, "built": piece.built}
        ledger.spent(name, {"tests": more, **cost})
        left = "?" if file.left is None else f"{file.left:,}"
        say(f"{name}: {more} more, {len(file.wrong)} wrong, {left} left; {_total(ledger.files)}")
        if not more and file.left != 0:
            say(f"{name}: set aside: {piece.problem or 'nothing has run'}")
            waiting.remove(name)


def _total(files: Mapping[str, FileOfSuite]) -> str:
    known = files.values()
    passed, skipped = sum(one.passed for one in known), sum(one.skipped for one in known)
    wrong, left = sum(len(one.wrong) for one in known), sum(one.left or 0 for one in known)
    return f"{passed:,} passed, {skipped:,} skipped, {wrong:,} wrong, {left:,} left in all"


def summary(files: Mapping[str, FileOfSuite], console: Console) -> None:
    """A row for each file, and each test that is wrong."""
    table = Table("file")
    for title in ("tests", "passed", "skipped", "wrong", "left", "kernels", "cycles"):
        table.add_column(title, justify="right")
    for name, file in sorted(files.items()):
        cells = (file.collected, file.passed, file.skipped, len(file.wrong), file.left)
        cells = (*cells, file.kernels)
        cycles = sum(one.cycles for one in file.outcomes.values())
        table.add_row(
            name, *("?" if cell is None else f"{cell:,}" for cell in cells), f"{cycles:,}"
        )
    console.print(table)
    for file in files.values():
        for one in file.wrong:
            text = f"{one.result}: {one.test}\n    {one.why()}"
            console.print(text, highlight=False, markup=False, soft_wrap=True)
    console.print(f"files: {len(files)}; {_total(files)}", highlight=False)


def is_complete(names: Sequence[str], files: Mapping[str, FileOfSuite]) -> bool:
    """True if all tests of these files have ended, and none is wrong."""
    own = [files.get(name, FileOfSuite()) for name in names]
    return all(one.left == 0 and not one.wrong for one in own)


@contextmanager
def _own_suite(llk: Path | None, folder: Path) -> Iterator[Suite]:
    """The suite of a tree is a copy already. Of the kept one a copy is made; one that a run which
    was killed has left is replaced."""
    if llk is not None:
        with suite_of(llk) as suite:
            yield suite
        return
    copy = folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    try:
        yield scratch(prepare(), (), copy)
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def _identity(llk: Path) -> str:
    """A tree is another one when a file of it has changed: what has run is of the old one."""
    tree = find_tree(llk)
    return f"{tree}, files {Tree(tree).everything()[:12]}"


def _own_folder(ledger: Path, run: Mapping[str, str]) -> Path:
    """The folder in the cache of a run that may be continued, with what has been compiled: of a
    kernel there are many variants, in what they are given and not in what they are compiled of."""
    name = hashlib.sha256(f"{ledger.resolve()} {sorted(run.items())}".encode()).hexdigest()[:16]
    folder = cache() / f"whole-{name}"
    (folder / "build").mkdir(parents=True, exist_ok=True)
    return folder


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    arguments = _parser().parse_intermixed_args(argv)
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    names = arguments.tests or COVERED[arguments.arch]
    try:
        if arguments.summary:
            header, files = read(arguments.file)
            summary(files, console)
            say_reports(header, files, KernelList(arguments.file).counts, console)
            return ALL_PASSED if is_complete(_names(arguments, header), files) else NOT_ALL
        if arguments.on and (arguments.llk or arguments.sample or not arguments.kernels):
            raise CannotPrepare("--on goes with --kernels, and not with --llk or --sample")
        for name in arguments.tests:
            if name in EXCLUDED[arguments.arch]:
                raise CannotPrepare(f"{name} is excluded: {EXCLUDED[arguments.arch][name]}")
        of = {
            "chip": arguments.arch,
            "compiler": f"SFPI {version_of(compiler())}",
            "llk": _identity(arguments.llk) if arguments.llk else REQUIREMENT,
            "schedule": arguments.schedule,
            "seed": arguments.seed,
            **({"kernels": str(arguments.sample or "all")} if arguments.kernels else {}),
        }
        ledger = Ledger(arguments.file, of)
    except CannotPrepare as problem:
        print(f"llk whole: {problem}", file=sys.stderr)
        return CANNOT
    signal.signal(signal.SIGTERM, _stop)
    folder = _own_folder(arguments.file, of)
    try:
        with _own_suite(arguments.llk, folder) as suite:
            names = named_in(suite.tests, arguments.tests) or covered_by(suite.tests, names)
            if arguments.again:
                for name in names:
                    ledger.forget(name)
            observed = OBSERVED if arguments.kernels else ()
            of_all = (0, arguments.seed, arguments.schedule, "compiled", observed, arguments.arch)
            choice = Choice(*of_all)
            wanted = None
            if arguments.kernels:
                wanted = _wanted(arguments, suite, choice, names)
            run = partial(outcomes_of, suite, folder / "build", choice)
            if arguments.kernels:
                run = partial(outcomes_of, suite, None, choice, parts=folder / "build")
            if arguments.on:
                with executor(arguments.on) as workers:
                    run_on(workers, names, ledger, KernelList(arguments.file), choice, _say)
            else:
                run_all(names, ledger, run, _say, wanted)
    except UsageError as problem:
        print(f"llk whole: {problem}", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        print("llk whole: stopped; the same command continues", file=sys.stderr)
        return INTERRUPTED
    finally:
        empty = not any((folder / "build").iterdir())
        if empty or is_complete(COVERED[arguments.arch], ledger.files):
            shutil.rmtree(folder, ignore_errors=True)
        ledger.close()
    summary({name: ledger.of(name) for name in names}, console)
    say_reports(of, ledger.files, KernelList(arguments.file).counts, console)
    return ALL_PASSED if is_complete(names, ledger.files) else NOT_ALL


def _wanted(
    arguments: argparse.Namespace, suite: Suite, choice: Choice, names: Sequence[str]
) -> Callable[[str], Sequence[str]]:
    """Return what says the tests to run of a file, one for each kernel. The suite is asked for
    those of a new file; for a sample, which is drawn from all, for those of all files at once."""
    known = KernelList(arguments.file)

    def of(name: str) -> Sequence[str]:
        if name not in known.files:
            known.add(found := kernels_of(suite, choice, name))
            _say(f"{name}: {len(found.tests):,} kernels of {found.asked:,} tests that may differ")
        return known.files[name].tests

    if not arguments.sample:
        return of
    for name in names:
        of(name)
    drawn = known.wanted(names, arguments.sample, arguments.seed)
    return lambda name: drawn.get(name, ())


def _names(arguments: argparse.Namespace, run: Mapping[str, str]) -> Sequence[str]:
    return arguments.tests or COVERED.get(run.get("chip", ""), ())


def _say(text: str) -> None:
    print(text, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="llk whole", description=__doc__.split("\n\n")[0])
    parser.add_argument("file", type=Path, metavar="FILE", help="outcomes, a line of JSON each")
    parser.add_argument(
        "tests", nargs="*", metavar="TEST", help="test_NAME.py; default: all that are covered"
    )
    parser.add_argument("--summary", action="store_true", help="say what FILE has, and run nothing")
    parser.add_argument("--again", action="store_true", help="what is wrong in FILE is run again")
    parser.add_argument("--kernels", action="store_true", help="one test for each kernel, observed")
    parser.add_argument(
        "--sample", type=int, default=0, metavar="N", help="with --kernels: N of them, drawn"
    )
    parser.add_argument("--on", metavar="local|tcp://...", help="with --kernels: on a Dask cluster")
    parser.add_argument("--seed", default="1", help="the order of the variants (default 1)")
    parser.add_argument("--schedule", default=DEFAULT_SCHEDULE, help="as of `tensix-gdb serve`")
    parser.add_argument(
        "--arch",
        choices=tuple(COVERED),
        default="blackhole",
        help="the chip that the tests are built for, and the tile is of (default: blackhole)",
    )
    add_llk_option(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
