# SPDX-License-Identifier: Apache-2.0
"""Searches of kernel.c: by `tensix-gdb seeds` and in pytest.

`python -m scripts.examples.c10.searched` puts what they show between the marks in the manual.
"""

from __future__ import annotations

from scripts.examples.c10.race import FORMS, KERNEL
from scripts.examples.typed import fenced, folder_of, in_pytest, typed
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated("searched", "python -m scripts.examples.c10.searched", MANUAL / "seeds.md")
NO_WAIT = ("seeds", "--elf", "t0=no_wait.elf", "--until", "wrong")
TEST = """\
import pytest


@pytest.mark.tile(t0="no_wait.elf")
def test_without_a_wait(tile):
    tile.run_to_end()
    assert tile.t0["seen"] == 0x2000


@pytest.mark.tile(t0="wait.elf")
def test_with_the_wait(tile):
    tile.run_to_end()
    assert tile.t0["seen"] == 0x2000
"""


def shown() -> str:
    """All of it, as Markdown."""
    delays = "random:1,delays=T0.store.4=37,pauses=none"
    late = ("--schedule", "latency", "--vary", "late.T0@kernel.c:35:4-40/4")
    with folder_of(KERNEL, "T0", FORMS):
        searches = [
            typed(*NO_WAIT, "--seeds", "1000", "--to", "before.jsonl"),
            typed("run", *NO_WAIT[1:], "--schedule", delays),
            typed(*NO_WAIT, *late),
            typed(*NO_WAIT, "--seeds", "100", "--guided", "--no-smallest"),
        ]
        said = in_pytest("test_seeds.py", TEST, ("E  ", "FAILED"), "--tile-seeds", "200")
    return "\n".join([fenced(searches), fenced([TEST], "python"), fenced([said])])


def main() -> None:
    """Write the manual."""
    BLOCK.write(shown())


if __name__ == "__main__":
    main()
