# SPDX-License-Identifier: Apache-2.0
"""Which loops of a program poll: by its code alone (gdbstub/tensix/output/polled.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.gdbstub.tensix.output.polled import polling_loops

BASE = 0x4000
# Code, and the number of the load that decides.
POLLS = {
    "a word": ("loop: lw a0, 0(a1)\nbeq a0, zero, loop", 0),
    "what is made of it": ("loop: lw a0, 0(a1)\nandi a0, a0, 7\nbne a0, a2, loop", 0),
    "cb_wait_front": ("loop: fence\nlw a0, 0(a1)\nsub a0, a0, a2\nbltu a0, a3, loop", 1),
    "a pointer that is loaded": ("loop: lw a1, 0(a2)\nlw a0, 4(a1)\nbeq a0, zero, loop", 1),
    "an address made anew": ("loop: lui a1, 0x10\nlw a0, 4(a1)\nbeq a0, zero, loop", 1),
    "with a time-out": ("loop: addi a3, a3, -1\nbeq a3, zero, out\nlw a0, 0(a1)\n"
                        "beq a0, zero, loop\nout: addi a0, a0, 0", 2),
    "closed by a jump": ("loop: lw a0, 0(a1)\nbne a0, zero, out\nj loop\nout: addi a0, a0, 0", 0),
}  # fmt: skip
NONE = {
    "a sum of an array": "loop: lw a0, 0(a1)\nadd a4, a4, a0\naddi a1, a1, 4\nbne a1, a2, loop",
    "the end of a string": "loop: lbu a0, 0(a1)\naddi a1, a1, 1\nbne a0, zero, loop",
    "a copy": "loop: lw a0, 0(a1)\nsw a0, 0(a2)\nbne a0, zero, loop",
    "a push": "loop: lw a0, 0(a1)\n.ttinsn NOP\nbne a0, zero, loop",
    "a call": "loop: lw a0, 0(a1)\njal ra, loop\nbne a0, zero, loop",
    "a counter": "loop: addi a0, a0, -1\nbne a0, zero, loop",
    "a branch by something else": "loop: lw a0, 0(a1)\naddi a2, a2, -1\nbne a2, zero, loop",
    "forwards": "lw a0, 0(a1)\nbne a0, zero, out\naddi a0, a0, 0\nout: addi a0, a0, 0",
}


def program(text: str) -> Image:
    """A program of this code."""
    words = [placed.word.to_bytes(4, "little") for placed in assemble(text, BASE)]
    return Image(Path("code"), BASE, (Segment(BASE, b"".join(words)),), b"", hart=1)


@pytest.mark.parametrize("name", POLLS)
def test_a_loop_that_polls(name: str) -> None:
    text, load = POLLS[name]
    assert [loop.load for loop in polling_loops(program(text))] == [BASE + 4 * load]


@pytest.mark.parametrize("name", NONE)
def test_a_loop_that_does_not(name: str) -> None:
    assert polling_loops(program(NONE[name])) == []
