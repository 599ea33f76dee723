# SPDX-License-Identifier: Apache-2.0
"""The patience of tests with what happens elsewhere: until it happens.

Nothing that a test is about depends on seconds: a busy machine is slow, and one in a cloud stands
still for minutes now and then. What polls does so in `turns`, which are counted: a pause of the
machine is one long turn. What can only wait by the clock (a socket, a process, a browser) waits for
HANG, which is there so that a test that hangs ends at all, and is longer than such pauses.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

HANG = 900.0  # seconds
HANG_MS = 1000 * int(HANG)
TURNS = 20_000


def turns(rest: float = 0.01, count: int = TURNS) -> Iterator[int]:
    """Turns of a loop that polls, each after a rest; AssertionError after the last."""
    for number in range(count):
        yield number
        time.sleep(rest)
    raise AssertionError(f"it has not happened in {count} looks")
