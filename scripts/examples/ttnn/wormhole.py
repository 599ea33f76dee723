# SPDX-License-Identifier: Apache-2.0
"""A GDB on two tiles of a Wormhole, and a race between them in DRAM.

`python -m scripts.examples.ttnn.wormhole` runs relay.py without its barrier and puts what GDB shows
between the marks in the manual. It needs what `scripts/ttnn` needs.
"""

from __future__ import annotations

from scripts.examples.ttnn.session import anywhere, session
from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated(
    "wormhole-tiles", "python -m scripts.examples.ttnn.wormhole", MANUAL / "wormhole-chip.md"
)
SCRIPT = ("relay.py", "--without-barrier")
OPTIONS = ("--arch", "wormhole", "--races")
TYPED = (
    "target extended-remote 127.0.0.1:{port}",
    *("attach 1", "add-inferior", "inferior 2", "attach 2", "inferior 1"),
    "info inferiors",
    "tbreak kernel_includes.hpp:19 thread 5",
    "continue",
    "monitor noc",
    "monitor chip",
    "thread 2.5",
    "backtrace 1",
    "monitor why nc",
    "tbreak kernel_includes.hpp:23 thread 2.5",
    "continue",
    "monitor races",
    "monitor why all",
    "detach inferior 1 2",
)


def shown(python: str) -> tuple[str, str]:
    """Return what GDB shows, and what the program said."""
    return session(python, SCRIPT, "2x1", TYPED, options=OPTIONS)


if __name__ == "__main__":
    BLOCK.write(f"```\n{anywhere(shown(str(prepare()))[0])}\n```\n")
