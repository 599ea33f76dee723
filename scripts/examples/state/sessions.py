# SPDX-License-Identifier: Apache-2.0
"""The mistakes of kernel.c as `--check` reports them: by `tensix-gdb run`, in GDB and in pytest.

`python -m scripts.examples.state.sessions` puts what they show between the marks in the manual.
"""

from __future__ import annotations

from pathlib import Path

from scripts.examples.typed import fenced, folder_of, in_gdb, in_pytest, typed
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

KERNEL = Path(__file__).with_name("kernel.c")
BLOCK = Generated("state", "python -m scripts.examples.state.sessions", MANUAL / "state.md")
FORMS = {"kernel": ["MENDED=0"], "mended": ["MENDED=1"]}
COMMANDS = ("monitor check on leaks,memory", "continue", "tensix check", "tensix check 1")
TEST = """\
import pytest


@pytest.mark.tile(t0="kernel.elf", schedule="latency")
def test_nothing_is_left(tile):
    tile.check("leaks")
    tile.run(1000)
    assert tile.checks == []
"""


def shown() -> str:
    """All of it, as Markdown."""
    with folder_of(KERNEL, "T0", FORMS):
        return fenced(
            [
                typed(
                    *("run", "--elf", "t0=kernel.elf", "--check", "all", "--error-exitcode", "9")
                ),
                typed("run", "--elf", "t0=mended.elf", "--check", "leaks,memory"),
                in_gdb(["--elf", "t0=kernel.elf"], COMMANDS),
                in_pytest("test_state.py", TEST, ("E ",), ends=False),
            ]
        )


def main() -> None:
    """Write the manual."""
    BLOCK.write(shown())


if __name__ == "__main__":
    main()
