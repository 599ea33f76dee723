# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb llk`."""

from __future__ import annotations

import argparse
import re
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.races import MODES
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE, UsageError, parse_schedule

VARIANTS, SEEDS = 5, 20
SEVERAL = re.compile(r"-n\d*$|--numprocesses(=|$)")  # workers of pytest-xdist
CHIPS, BOTH = ("blackhole", "wormhole"), "both"


def count(text: str) -> int:
    """Return a number from 0 on."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 on")
    return int(text)


@dataclass(frozen=True)
class TreeOptions:
    """LLK, and the tile on which its kernels run."""

    llk: str | None = option(
        "--llk",
        metavar="DIR",
        help="a checkout of tt-metal or tt-llk, to which nothing is written, instead of the LLK "
        "that is kept",
    )
    schedule: str = option(
        "--schedule", default=DEFAULT_SCHEDULE, help="as of `serve` (default latency)"
    )
    engine: str = option(
        "--engine",
        choices=("auto", "compiled", "reference"),
        default="compiled",
        help="as of `serve` (default compiled)",
    )


@dataclass(frozen=True)
class SuiteOptions(TreeOptions):
    """The tests, and the chip that they are built for."""

    arch: str = option(
        "--arch",
        choices=(*CHIPS, BOTH),
        default="blackhole",
        help="the chip that the tests are built for, and the tile is of (default: blackhole)",
    )
    variants: int = option(
        "--variants",
        type=count,
        default=VARIANTS,
        metavar="N",
        help=f"run so many variants of each file, 0 for all (default {VARIANTS})",
    )
    seed: str = option("--seed", default="1", help="which variants (default 1)")

    @property
    def chips(self) -> tuple[str, ...]:
        """The chips that are wanted."""
        return CHIPS if self.arch == BOTH else (self.arch,)


@dataclass(frozen=True)
class OnceOptions:
    """A run that is looked at."""

    list: bool = option("--list", action="store_true", help="what is covered, what is not, and why")
    every: bool = option("--every", action="store_true", help="a row for each test, not each file")
    show: bool = option("--show", action="store_true", help="show what the suite prints")
    json: str | None = option("--json", metavar="FILE", help="write every outcome to FILE")
    races: str | None = option(
        "--races",
        nargs="?",
        choices=MODES,
        const="default",
        help="report accesses that nothing orders, as `run --races` does",
    )
    check: str | None = option(
        "--check", metavar="NAMES", help="init, leaks, memory, stages or all, as there"
    )
    races_checks: str | None = option("--races-checks", metavar="NAMES", help="as there")
    races_suppressions: tuple[str, ...] = option(
        "--races-suppressions", action="append", metavar="FILE", help="as there"
    )
    share: str | None = option(
        "--share",
        metavar="DIR",
        help="write a page to DIR for each test that fails, which anyone opens, as `share` does",
    )
    keep: str | None = option(
        "--keep",
        metavar="DIR",
        help="keep what each kernel begins with in DIR/FILE/run-N.core, to run it again",
    )

    @property
    def observed(self) -> tuple[str, ...]:
        """The options of `simulator` that say what is reported."""
        words = []
        for name, value in (
            ("--races", self.races),
            ("--check", self.check),
            ("--races-checks", self.races_checks),
        ):
            words += [name, value] if value is not None else []
        for path in self.races_suppressions:
            words += ["--races-suppressions", path]
        return tuple(words)


@dataclass(frozen=True)
class JobOptions:
    """The job of a CI."""

    ci: bool = option(
        "--ci",
        action="store_true",
        help="one job: tests, races, all checks, seeds of what is suspicious; run what has changed "
        "since the results that are kept, and write junit.xml, results.sarif and index.html",
    )
    reports: str = option(
        "--reports",
        default="llk-reports",
        metavar="DIR",
        help="for --ci: where the three files go (default llk-reports)",
    )
    baseline: str | None = option(
        "--baseline",
        metavar="FILE",
        help="for --ci: what is in FILE is no news (default: .tensix-gdb/llk-baseline.json of the "
        "tree, if it is there)",
    )
    write_baseline: bool = option(
        "--write-baseline",
        action="store_true",
        help="for --ci: write all that was found to that file",
    )
    suppressions: str | None = option(
        "--suppressions",
        metavar="FILE",
        help="for --ci: rows `symbol`, `line`, `file`, `page`, `check` or `test`, a pattern, and "
        "the reason (default: .tensix-gdb/llk-suppressions of the tree, if it is there)",
    )
    results: str | None = option(
        "--results",
        metavar="DIR",
        help="for --ci: where results are kept (default: in the user's cache)",
    )
    fresh: bool = option(
        "--fresh", action="store_true", help="for --ci: run everything, whatever is kept"
    )
    seeds: int = option(
        "--seeds",
        type=count,
        default=SEEDS,
        metavar="N",
        help="for --ci: run the kernels of new reports and failures in so many seeds of random "
        f"(default {SEEDS})",
    )


@dataclass(frozen=True)
class LlkOptions:
    """Run Tenstorrent's LLK tests, as they are shipped, on an emulated tile: each TEST is a file of
    them or a test's id; without any, every file that is covered. What is after `--` goes to their
    pytest. They are compiled by the SFPI that `sfpi` finds. Exit status 0 when all passed, 1 when
    one did not or something is reported, 2 when the suite cannot be set up."""

    suite: SuiteOptions = field(default_factory=SuiteOptions, metadata={"title": "which tests"})
    once: OnceOptions = field(default_factory=OnceOptions, metadata={"title": "a run to look at"})
    job: JobOptions = field(default_factory=JobOptions, metadata={"title": "a job of a CI"})
    tests: tuple[str, ...] = option(nargs="*", metavar="TEST")

    def __post_init__(self) -> None:
        parse_schedule(self.suite.schedule)
        if any(SEVERAL.match(word) for word in self.of_pytest):
            raise UsageError(
                "-n of pytest runs tests at once, and here each test has the only tile: leave it "
                "out, or run pytest by itself on as many tiles as workers (`tensix-gdb manual llk`)"
            )
        once, job = self.once, self.job
        if job.ci and (once.observed or once.keep or once.json or once.share):
            raise UsageError("--ci reports everything, and says where: leave the other options out")
        if not job.ci and (job.baseline or job.write_baseline or job.suppressions or job.results):
            raise UsageError("a baseline, suppressions and results that are kept are for --ci")

    @property
    def named(self) -> tuple[str, ...]:
        """The tests that are named."""
        return tuple(word for word in self.tests[: self._options_at] if word != "--")

    @property
    def of_pytest(self) -> tuple[str, ...]:
        """The words for their pytest."""
        return tuple(word for word in self.tests[self._options_at :] if word != "--")

    @property
    def _options_at(self) -> int:
        """Where the words for pytest begin: at the first that is an option."""
        places = (at for at, word in enumerate(self.tests) if word.startswith("-"))
        return next(places, len(self.tests))
