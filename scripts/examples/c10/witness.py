# SPDX-License-Identifier: Apache-2.0
"""From a report to its witness and to the confirmed fix: kernel.c by `tensix-gdb`, in GDB and in
pytest.

`python -m scripts.examples.c10.witness` puts what they show between the marks in the manual.
"""

from __future__ import annotations

from pathlib import Path

from scripts.examples.c10.race import FORMS, KERNEL
from scripts.examples.typed import fenced, folder_of, in_gdb, in_pytest, typed
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated("witness", "python -m scripts.examples.c10.witness", MANUAL / "witness.md")
PAIR = ("--pair", "kernel.c:35", "kernel.c:41")
COMMANDS = (
    *("continue", "tensix races witness 1", "continue", "print seen"),
    *("shell cp wait.elf kernel.elf", "tensix-reload", "continue", "tensix races", "print seen"),
)
TEST = """\
import pytest


@pytest.mark.tile(t0="no_wait.elf", schedule="latency")
def test_the_other_order(tile):
    tile.observe_races()
    tile.run_to_end()
    witness = tile.witness(tile.races[0])
    assert witness.possible
    tile.run_to_end()
    assert tile.t0["seen"] == 0x2000


@pytest.mark.tile(t0="no_wait.elf", races=True)
def test_without_a_wait(tile):
    tile.run_to_end()


@pytest.mark.tile(t0="wait.elf", races=True)
def test_with_the_wait(tile):
    tile.run_to_end()
"""


def late() -> str:
    """`run --late`, from the witness on: the report is as in races.md."""
    said = typed("run", "--elf", "t0=no_wait.elf", "--late", "1")
    command, _, rest = said.partition("\n")
    return f"{command}\n...\n{rest[rest.index('RACE 1 goes') :]}"


def edited() -> str:
    """A session of GDB, in which the kernel is built again with the wait."""
    Path("kernel.elf").write_bytes(Path("no_wait.elf").read_bytes())
    Path("kernel.c").write_bytes(KERNEL.read_bytes())
    return in_gdb(["--races", "--elf", "t0=kernel.elf"], COMMANDS)


def shown() -> str:
    """All of it, as Markdown."""
    lines = ("E  ", "RACE", "FAILED", "1 race")
    with folder_of(KERNEL, "T0", FORMS):
        sessions = [
            late(),
            edited(),
            typed("check", *PAIR, "t0=no_wait.elf").replace("\n\n", "\n"),
            typed("check", *PAIR, "t0=wait.elf").replace("\n\n", "\n"),
        ]
        said = in_pytest("test_witness.py", TEST, lines)
    return "\n".join([fenced(sessions), fenced([TEST], "python"), fenced([said])])


def main() -> None:
    """Write the manual."""
    BLOCK.write(shown())


if __name__ == "__main__":
    main()
