# SPDX-License-Identifier: Apache-2.0
"""The message to a user that waits for the compiler: one sentence on standard error, once.

A process that a test has started says nothing: the test looks at its output, on a terminal of its
own too. The pytest plugin takes the place of `listener` and writes to pytest's own terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tensix_gdb.core.engine.plan import Plan

# Processor seconds for the code of a tile from nothing: lowering, and LLVM for all units. On an
# AMD EPYC (Zen 3) 45 to 56; what another build of the tile has compiled is not compiled again.
TILE_SECONDS = 50
TILE_BYTES = 1 << 20  # a record from here on is a tile's; others are compiled in a moment
QUIET_SECONDS = 2.0  # of the reference engine, which a short run does not notice
COMPILES = (
    "compiling {what} for this processor, which takes some {seconds} s once and is kept in {kept}"
)
IN_BACKGROUND = (
    "the tile runs on the reference engine, some hundred times slower, while it is compiled for "
    "this processor: some {seconds} s, once, and also when this command ends before; it is kept in "
    "{kept}"
)


def say_compiles(plan: Plan, what: str, kept: Path) -> None:
    """Say that this process waits for a build; nothing of a small one."""
    if plan.layout.size >= TILE_BYTES:
        _say(COMPILES.format(what=what, seconds=seconds(), kept=kept))


def say_in_background(plan: Plan, kept: Path) -> None:
    """Say why the tile is slow."""
    if plan.layout.size >= TILE_BYTES:
        _say(IN_BACKGROUND.format(seconds=seconds(), kept=kept))


def seconds() -> int:
    """Estimate how long a tile takes: shared with what the machine does already."""
    from tensix_gdb.core.engine.compile_workers import MAX_WORKERS, processors

    count = min(processors(), MAX_WORKERS)
    share = count / (count + os.getloadavg()[0])
    return max(5, round(TILE_SECONDS / count / share / 5) * 5)


@cache
def _say(text: str) -> None:
    listener(text)


def _to_standard_error(text: str) -> None:
    if sys.stderr is None:
        return
    if "PYTEST_CURRENT_TEST" in os.environ:
        return
    print(f"tensix-gdb: {text}", file=sys.stderr, flush=True)


listener: Callable[[str], None] = _to_standard_error
