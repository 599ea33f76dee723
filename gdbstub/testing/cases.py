# SPDX-License-Identifier: Apache-2.0
"""The programs and runs of a test, as the marker and the options of the pytest plugin say.

    schedule="latency"                   one run
    schedule=("sc", "latency")           two
    seeds=20                             20 runs, in random:0 to random:19
    schedule=("sc", "random,strict"), seeds=(3, 7)      sc, random:3,strict and random:7,strict

`--tile-schedule` and `--tile-seed` mean the same and replace what the marker says. The seeds of a
marker are one test, which says which of them fail; those of `--tile-seed` are a test each.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from tensix_gdb.core.execution import MAX_SEED
from tensix_gdb.gdbstub.usage import HARTS, UsageError, parse_schedule

RANDOM = "random"
DEFAULT = "sc"
RUNS = ("schedule", "seeds")
LOADED = ("arch", "dir", "sources", *HARTS)
ARGUMENTS = (*LOADED, *RUNS)
MARKED = (*ARGUMENTS, "races", "races_suppressions", "checks")  # of the marker alone
MOST = 100_000  # runs of one test


def check_arguments(caller: str, names: Iterable[str], known: Iterable[str] = ARGUMENTS) -> None:
    """UsageError that names an argument that there is not."""
    known = tuple(known)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            meant = f" ({near[0]}?)" if near else ""
            raise UsageError(
                f"{caller}: there is no argument {name!r}{meant}; there are {', '.join(known)}"
            )


def executions(caller: str, schedule: Any, seeds: Any) -> list[str]:
    """Return the executions that `schedule` and `seeds` mean, one for each run. UsageError with a
    sentence for what means nothing."""
    texts = list(schedule or ()) if isinstance(schedule, list | tuple | None) else [schedule]
    if not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{caller}: schedule={schedule!r} is neither a text nor several")
    drawn = [text for text in texts if text.split(",")[0] == RANDOM]
    found = [text for text in texts if text not in drawn]
    numbers = None if seeds is None else seeds_of(caller, seeds)
    if drawn and numbers is None:
        raise UsageError(
            f"{caller}: {drawn[0]} needs a seed: type random:7, or name seeds, as in seeds=20"
        )
    for text in drawn or ([RANDOM] if numbers is not None else []):
        found += [text.replace(RANDOM, f"{RANDOM}:{number}", 1) for number in numbers or ()]
    for text in found:
        try:
            parse_schedule(text)
        except UsageError as problem:
            raise UsageError(f"{caller}: {problem}") from None
    return found or [DEFAULT]


class Many(str):
    """The runs of one test: the execution of the first, `random:0,strict`, and all `seeds`."""

    __slots__ = ("name", "seeds")
    name: str  # without the seed: `random,strict`
    seeds: list[int]

    @classmethod
    def of(cls, name: str, seeds: list[int]) -> Many:
        """Return those of a schedule."""
        many = cls(name.replace(RANDOM, f"{RANDOM}:{seeds[0]}", 1))
        many.name, many.seeds = name, seeds
        return many


def marked_tests(caller: str, given: Mapping[str, Any]) -> list[str]:
    """Return the tests that a marker makes of one: an execution each, or Many."""
    several, seeds = marked_executions(caller, given), given.get("seeds")
    if seeds is None:
        return several
    schedule = given.get("schedule")
    texts = list(schedule) if isinstance(schedule, list | tuple) else [schedule or RANDOM]
    drawn = [text for text in texts if text.split(",")[0] == RANDOM] or [RANDOM]
    plain = [text for text in texts if text not in drawn]
    numbers = seeds_of(caller, seeds)
    return [*plain, *(Many.of(text, numbers) for text in drawn)]


def marked_executions(caller: str, given: Mapping[str, Any]) -> list[str]:
    """Return the executions of a marker: with `races` or `checks` in `latency`, if it names no
    other."""
    schedule, seeds = given.get("schedule"), given.get("seeds")
    if (given.get("races") or given.get("checks")) and schedule is None and seeds is None:
        schedule = "latency"
    return executions(caller, schedule, seeds)


def seeds_of(caller: str, seeds: Any) -> list[int]:
    """Return the seeds of a number of them, of several, or of a text such as 0-99 or 3,7."""
    wrong = UsageError(
        f"{caller}: {seeds!r} are no seeds: type how many, as in seeds=20, or which, as in "
        "seeds=(3, 7); after --tile-seed 7, 3,7 or 0-99"
    )
    if isinstance(seeds, bool):
        raise wrong
    if isinstance(seeds, int):
        numbers: list[Any] = list(range(min(seeds, MOST + 1)))
    elif isinstance(seeds, str):
        numbers = _typed(seeds, wrong)
    else:
        try:
            numbers = list(seeds)
        except TypeError:
            raise wrong from None
    if not numbers or not all(type(n) is int and 0 <= n <= MAX_SEED for n in numbers):
        raise wrong
    if len(numbers) > MOST:
        raise UsageError(f"{caller}: {len(numbers)} seeds are too many: at most {MOST}")
    return numbers


def _typed(text: str, wrong: UsageError) -> list[int]:
    """`3,7,10-19`."""
    numbers: list[int] = []
    for piece in text.split(","):
        first, dash, last = piece.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise wrong
        begin, end = int(first), int(last or first)
        if end - begin > MOST:
            raise wrong
        numbers += range(begin, end + 1)
    return numbers


def loaded(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return those arguments that say what a tile loads."""
    return {name: value for name, value in arguments.items() if name in LOADED}
