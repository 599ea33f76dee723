# SPDX-License-Identifier: Apache-2.0
"""What a command line can get wrong, and the harts by the names that are typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

DEFAULT_SCHEDULE = "latency"
SCHEDULES = "sc, latency, or random:SEED with a number of at most 32 bits for SEED"
HARTS = ("b", "t0", "t1", "t2", "nc")
CONSOLE, GDB = "console", "gdb"  # what answers semihosting calls


OUT_OF_MEMORY = "out of memory; allow more (`ulimit -v`), or leave out what is recorded or counted"


class UsageError(Exception):
    """The command cannot be carried out; the message is one sentence."""


def leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    """The exceptions in a group of groups: tasks fail as one."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from leaves(error)
        else:
            yield error


def parse_schedule(text: str) -> tuple[str, int]:
    """The name and the seed (0 where there is none) of `sc`, `latency` or `random:SEED`.

    UsageError for anything else.
    """
    name, _, seed = text.partition(":")
    if text in ("sc", "latency"):
        return text, 0
    if name == "random" and seed.isdecimal() and int(seed) < 1 << 32:
        return name, int(seed)
    raise UsageError(f"{text!r} is not a schedule: type {SCHEDULES}")


def check_once(programs: Sequence[tuple[int, str]]) -> None:
    """UsageError when two files are meant for one hart."""
    seen: dict[int, str] = {}
    for hart, path in programs:
        if hart in seen:
            raise UsageError(f"two files for {HARTS[hart]}: {seen[hart]} and {path}; choose one")
        seen[hart] = path
