# SPDX-License-Identifier: Apache-2.0
"""Programs for harts that use the NoC, word by word."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.noc.coordinates import COLUMNS, ROWS
from tests.assembler import SPIN, asm, image, li

NIU, STRIDE, COUNTERS = 0xFFB20000, 0x10000, 0x200
READ, ATOMIC, WRITE = 0, 1, 2
INLINE, MARKED, BROADCAST = 8, 16, 32
INCREMENT = 1 << 12 | 31 << 2
DATA, COPY, SEMAPHORE, RESULT = 0x8000, 0x9000, 0x7000, 0xA000


def at(place: Place, niu: int = 0) -> int:
    """The coordinates of a place on a NoC."""
    x, y = place
    return (COLUMNS - 1 - x) | (ROWS - 1 - y) << 6 if niu else x | y << 6


def store(addr: int, value: int) -> list[int]:
    return [*li(10, addr), *li(11, value), asm("sw", rs1=10, rs2=11)]


def request(
    ctrl: int,
    targ: int,
    targ_at: int,
    ret: int = 0,
    ret_at: int = 0,
    length: int = 0,
    data: int = 0,
    niu: int = 0,
) -> list[int]:
    """Describe and start a request."""
    base = NIU + STRIDE * niu
    fields = (targ, 0, targ_at, ret, 0, ret_at, 0, ctrl, length, 0, data)
    words: list[int] = []
    for number, value in enumerate(fields):
        words += store(base + 4 * number, value)
    return words + store(base + 0x40, 1)


def barrier(niu: int) -> list[int]:
    """Wait until the last request was taken, and nothing of transaction id 0 is outstanding.

    A load of the counter alone may be processed before the store that starts the request."""
    return [
        *li(10, NIU + STRIDE * niu + 0x40),
        asm("lw", rd=11, rs1=10),
        asm("bne", rs1=11, rs2=0, imm=-4),
        *li(10, NIU + STRIDE * niu + COUNTERS + 4 * 16),
        asm("lw", rd=11, rs1=10),
        asm("bne", rs1=11, rs2=0, imm=-4),
    ]


def wait_for(addr: int, value: int) -> list[int]:
    """Poll a word of L1, past the L0 cache."""
    return [
        *li(10, addr),
        *li(12, value),
        asm("fence"),
        asm("lw", rd=11, rs1=10),
        asm("bne", rs1=11, rs2=12, imm=-8),
    ]


def copy_word(source: int, to: int) -> list[int]:
    return [
        *li(10, source),
        *li(12, to),
        asm("fence"),
        asm("lw", rd=11, rs1=10),
        asm("sw", rs1=12, rs2=11),
    ]


def load(chip: Chip, place: Place, words: Sequence[int]) -> None:
    """Give B of a tile a program that ends by standing still."""
    chip.tiles[place].load(B, image([*words, SPIN], 0))


def word(chip: Chip, place: Place, addr: int) -> int:
    return int.from_bytes(chip.tiles[place].peek(B, addr, 4), "little")
