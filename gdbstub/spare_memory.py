# SPDX-License-Identifier: Apache-2.0
"""Memory that is kept free, so that a process that has no more can still end in order.

Where a process may have only so much (`ulimit -v`), the exception that says so finds no memory
either: not for the sentence, not for the output files, and not for the event loop to end its tasks,
which then sleep for ever. So what meets MemoryError first gives this memory back before the
exception continues.
"""

from __future__ import annotations

import mmap
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

SPARE_BYTES = 16 << 20


def _piece(size: int = SPARE_BYTES) -> mmap.mmap:
    # Private memory, which is what every limit is about.
    return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


class Spare:
    """One piece of memory that nothing writes to: it costs addresses, and no memory until then."""

    def __init__(self) -> None:
        self._memory: mmap.mmap | None = None

    def reserve(self) -> None:
        """Reserve it, if there is so much."""
        try:
            self._memory = self._memory or _piece()
        except (OSError, MemoryError):
            self._memory = None

    def give_back(self) -> None:
        """Let others have it."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None


spare = Spare()


def is_short(size: int = SPARE_BYTES) -> bool:
    """True if this process cannot have `size` bytes more."""
    try:
        _piece(size).close()
    except (OSError, MemoryError):
        return True
    return False


@contextmanager
def given_back_when_short() -> Iterator[None]:
    """Give the spare memory back where what is done in here has no more."""
    try:
        yield
    except MemoryError:
        spare.give_back()
        raise


def quiet_when_short(unraisable: sys.UnraisableHookArgs) -> None:
    """Python's hook for exceptions that nothing can catch: in a generator that ends, for one.

    It says nothing about MemoryError. The same lack of memory ends the command, with its sentence.
    """
    if issubclass(unraisable.exc_type, MemoryError):
        spare.give_back()
    else:
        sys.__unraisablehook__(unraisable)


async def with_spare_memory(task: Callable[..., Awaitable[None]], *arguments: object) -> None:
    """Run a task of the event loop, and give the spare memory back if it has no more: before the
    loop gets to know, which then has to tell the other tasks."""
    with given_back_when_short():
        await task(*arguments)
