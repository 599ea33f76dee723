# SPDX-License-Identifier: Apache-2.0
"""Whether a simulator lives: it holds the lock of a file as long as it does.

The driver starts the simulator and does not notice when it ends: it waits for ever for an answer.
So `tensix-gdb ttnn`, which cannot see this process of another one, names a file. The system gives
up the lock in any case, and a simulator that ends as it should notes that in the file before.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

ENDED = "ended"


@contextlib.contextmanager
def living(path: Path | None) -> Iterator[None]:
    """Hold the lock of the file meanwhile, if there is to be one; note the end if nothing is
    raised."""
    if path is None:
        yield
        return
    with path.open("w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        file.write(ENDED)


def has_died(path: Path) -> bool:
    """True if there was a simulator with this file and it has gone without a note."""
    try:
        with path.open(encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return file.read() != ENDED
    except OSError:  # not there yet, or locked
        return False
