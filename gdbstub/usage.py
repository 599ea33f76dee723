# SPDX-License-Identifier: Apache-2.0
"""The errors of a command line, and the harts by the names that are typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.core.execution import Execution

DEFAULT_SCHEDULE = "latency"
SCHEDULES = (
    "sc, latency, or random:SEED with a number of at most 32 bits for SEED, and after it "
    "`,strict`, `,no-pauses`, and `,delays=` or `,pauses=` with what is decided instead; "
    "latency,links has the links and DRAM that tiles of a chip share"
)
HARTS = ("b", "t0", "t1", "t2", "nc")
CONSOLE, GDB = "console", "gdb"  # what answers semihosting calls


OUT_OF_MEMORY = "out of memory; allow more (`ulimit -v`), or leave out what is recorded or counted"


class UsageError(Exception):
    """The command cannot be carried out; the message is one sentence."""


def leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    """Yield the exceptions in a group of groups: tasks fail as one."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from leaves(error)
        else:
            yield error


def parse_schedule(text: str) -> Execution:
    """Return the execution that `sc`, `latency` or `random:SEED` with its options names.

    UsageError for anything else.
    """
    try:
        return Execution.parse(text)
    except ValueError as problem:
        raise UsageError(f"{problem}: type {SCHEDULES}") from None


def check_once(programs: Sequence[tuple[int, str]]) -> None:
    """UsageError when two files are meant for one hart."""
    seen: dict[int, str] = {}
    for hart, path in programs:
        if hart in seen:
            raise UsageError(f"two files for {HARTS[hart]}: {seen[hart]} and {path}; choose one")
        seen[hart] = path
