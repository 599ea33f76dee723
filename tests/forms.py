# SPDX-License-Identifier: Apache-2.0
"""The size of a run of the tests: the short form, or with `--all` the long one.

The short form has a sample of everything: of each test function as many cases as take BUDGET
seconds of processor by tests/durations.txt, and one at least. It leaves out functions a case of
which takes more than LONG, but of each file it has the shortest. The long form has all, but of a
function with more than LONG_BUDGET as many cases as fit. What is long by nature gets a short form
in one of four ways:

- `rounds(20, 400)`: so many rounds in the short form and in the long one.
- `seed(8)`: the seed of random tests. Both forms draw the same each time; `--seeds fresh` draws
  others and prints a number, and `--seeds NUMBER` repeats that run.
- `@pytest.mark.sample(5, "why")`: the short form has one in five of the parameters' sets.
- `@pytest.mark.long("what else shows it")`: not in the short form, whatever it takes.

Nothing is to be said where a test only runs on several engines and in several schedules: the short
form has each set of its other parameters once, on engines and in schedules in turn (`chosen`).
What is named on the command line, by `::` or `-k`, runs whole.
"""

from __future__ import annotations

import os
import zlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import ceil
from random import SystemRandom
from typing import Any, TypeVar

import pytest

from tensix_gdb.core.schedule import Schedule
from tests import durations

T = TypeVar("T")

# Worker processes have them from their parent.
FORM = "TENSIX_TEST_FORM"
NUMBER = "TENSIX_TEST_SEEDS"
# Seconds of processor, by tests/durations.txt.
BUDGET, LONG_BUDGET = 0.2, 0.5  # for the cases of a test function
LONG = 0.5  # for one case in the short form
# A parameter with nothing but these says how a test runs, not what it tests.
ENGINES = ("reference", "compiled", "checked")
HOW = {*ENGINES, *Schedule, *(each.name for each in Schedule), *(s.name.lower() for s in Schedule)}


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("tensix-gdb's own tests")
    group.addoption("--all", action="store_true", help="the long form of the tests")
    group.addoption(
        "--fast",
        action="store_true",
        help="two minutes: the short form of what is nearest to the changes (tests/nearest.py)",
    )
    group.addoption(
        "--seeds",
        default=None,
        metavar="NUMBER|fresh",
        help="other random tests than the usual ones; `fresh` draws a number and prints it",
    )


def set_up(config: pytest.Config) -> None:
    """Take the options of a run, before anything is collected."""
    if hasattr(config, "workerinput"):
        return  # in a worker the environment says it
    os.environ[FORM] = "long" if config.getoption("all") else "short"
    wanted = config.getoption("seeds")
    if wanted == "fresh":
        wanted = str(SystemRandom().randrange(1, 1 << 31))
    if wanted is not None and not wanted.isdecimal():
        raise pytest.UsageError(f"--seeds: {wanted!r} is neither a number nor fresh")
    os.environ[NUMBER] = wanted or "0"


def is_long() -> bool:
    """True in the long form."""
    return os.environ.get(FORM) == "long"


def number() -> int:
    """Return the number of `--seeds`: 0 for the usual random tests."""
    return int(os.environ.get(NUMBER, "0"))


def rounds(short: int, long: int) -> int:
    """Return how many rounds a test has in this form."""
    return long if is_long() else short


def seed(usual: int) -> int:
    """The seed of a random test: `usual`, or one that follows from the number of `--seeds`."""
    return usual if not number() else zlib.crc32(f"{number()} {usual}".encode())


def some(of: Iterable[T], one_in: int) -> list[T]:
    """All of a test's cases in the long form, one in so many in the short one."""
    return list(of)[:: rounds(one_in, 1)]


def head() -> str:
    """Return what the run is, for the head of pytest's output."""
    form = "the long form" if is_long() else "the short form (--all: the long one)"
    return f"{form}, random tests by --seeds {number()}" if number() else form


def named(config: pytest.Config) -> Callable[[str], bool]:
    """Which tests the command line names one by one: those run whole."""
    if config.getoption("keyword"):
        return lambda nodeid: True
    ids = tuple(arg for arg in config.args if "::" in arg)
    return lambda nodeid: any(nodeid.startswith(one) for one in ids)


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave in `items` what this form has."""
    whole = named(config)
    functions: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        functions[item.nodeid.partition("[")[0]].append(item)
    kept: set[pytest.Item] = set()
    left_to_long = set() if is_long() else _too_long(functions)
    for name, cases in functions.items():
        kept.update(case for case in cases if whole(case.nodeid))
        if name in left_to_long:
            continue
        first = zlib.crc32(name.encode())
        if is_long():
            sets = [[case] for case in cases]
            one_in = _within_budget(name, len(sets), LONG_BUDGET)
        else:
            there = [case for case in cases if case.get_closest_marker("long") is None]
            sets = _sets(there)
            one_in = max(_within_budget(name, len(sets), BUDGET), *map(_one_in, there), 1)
        for place in _places(len(sets), one_in, first):
            kept.add(sets[place][(first + place) % len(sets[place])])
    left_out = [item for item in items if item not in kept]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item in kept]


def _one_in(item: pytest.Item) -> int:
    marker = item.get_closest_marker("sample")
    return 1 if marker is None else int(marker.args[0])


def _too_long(functions: Iterable[str]) -> set[str]:
    """Return those with a case above LONG, without the shortest of a file that has no others."""
    files: dict[str, list[str]] = defaultdict(list)
    for name in functions:
        files[name.partition("::")[0]].append(name)
    case = durations.of_a_case()
    found = set()
    for names in files.values():
        long = {name for name in names if case.get(name, 0.0) > LONG}
        if len(long) == len(names):
            long.discard(min(names, key=lambda name: case[name]))
        found |= long
    return found


def _within_budget(name: str, count: int, budget: float) -> int:
    """Return in how many of a function's sets one is chosen, so that they stay within `budget`."""
    each = durations.of_a_case().get(name, 0.0)
    return ceil(count / max(1, int(budget / each))) if each else 1


def _places(count: int, one_in: int, first: int) -> Sequence[int]:
    """One place in each `one_in` places after another, at least one: each time the next of them."""
    if one_in == 1:
        return range(count)
    return [
        min(begin + (first + turn) % one_in, count - 1)
        for turn, begin in enumerate(range(0, count, one_in))
    ]


def _sets(cases: list[pytest.Item]) -> list[list[pytest.Item]]:
    """Cases that differ only in how they run, together. (pytest's own numbers of parameters do not
    say it: for a value that is no fixture's they continue from one engine to the next.)"""
    by_how: dict[Hashable, list[pytest.Item]] = defaultdict(list)
    for case in cases:
        by_how[_how(case)].append(case)
    if len({len(ways) for ways in by_how.values()}) > 1:
        return [[case] for case in cases]
    return [list(one) for one in zip(*by_how.values(), strict=True)]


def _how(item: pytest.Item) -> Hashable:
    """The parameters of a case that say how it runs."""
    callspec = getattr(item, "callspec", None)
    if callspec is None:
        return ()
    return tuple((name, value) for name, value in callspec.params.items() if _is_how(value))


def _is_how(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(_is_how(one) for one in value)
    return isinstance(value, (str, Schedule)) and value in HOW
