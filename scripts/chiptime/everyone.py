# SPDX-License-Identifier: Apache-2.0
"""All tiles of a rectangle write to all of them, themselves too, at the same time; or one to all.

It is tt-metal's test of data movement of which noc_estimator has figures (noc_estimator_tests,
test_noc_estimator.cpp and kernels/writer.cpp). B of each tile goes through the tiles column by
column, starts `count` writes to one after the other, and waits for all acknowledgements; the
figure is the median of the tiles' (python/stats_collector.py). The loop is written anew after what
SFPI makes of it, with the store of NOC_RET_ADDR_MID that tt-metal's writes had before ttnn 0.81:
one tile that writes to a row and to a column has a card's cycles to 2 % by it, and nothing was
fitted. As in flows.py all have been through it once before, and start in one cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scripts.chiptime import flows
from scripts.chiptime.flows import (
    ACKS,
    CLOCK,
    CODE,
    COUNTERS,
    DATA,
    LOCAL,
    NIU,
    RESULT,
    START,
    TIMEOUT,
)
from scripts.published.probes import CFG0, _constant
from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import Place, coordinates
from tensix_gdb.core.noc.request import FLIT, MARKED, STATIC, on_link
from tensix_gdb.core.program.elf import Image, Segment

TABLE = 0x2000  # in L1: where the tiles are, a word each
LATE, TOGETHER = 12, 100  # cycles; a poll of the clock is 10
# A request up to what counts it, and before the first one for a tile where that is, of a word.
_REQUEST = """
w: lw t0, 0x40(s0)
bne t0, zero, w
sw s1, 0x1c(s0)
sw s2, 0x00(s0)
sw s3, 0x0c(s0)
sw zero, 0x10(s0)
sw s6, 0x14(s0)
sw s7, 0x20(s0)
sw s8, 0x40(s0)
lw t1, 0(s11)
lw t2, 4(s11)
addi t1, t1, 1
addi t2, t2, 1
"""
_COUNTED = "sw t1, 0(s11)\nsw t2, 4(s11)\n"
_TILE = """
tile: lw s6, 0(s4)
slli t1, s6, 16
srli s6, s6, 16
srli t1, t1, 6
slli s6, s6, 4
or s6, t1, s6
srli s6, s6, 4
"""


def program(here: Place, tiles: int, size: int, count: int, start: int) -> str:
    """The assembly of B of one tile."""
    x, y = coordinates(BLACKHOLE, 0, here)
    values = (
        *(("s0", NIU), ("s1", MARKED | 2 | STATIC | 1 << 13), ("s2", DATA), ("s3", DATA)),
        *(("s5", x | y << 6), ("s7", size), ("s8", 1), ("s11", LOCAL)),
        *(("a5", RESULT), ("a6", NIU + COUNTERS + 4 * ACKS), ("a7", CLOCK), ("tp", start)),
        *(("gp", TABLE + 4 * tiles), ("s10", tiles * count), ("a2", 0)),
    )
    text = _constant("t0", CFG0) + "csrrs zero, 0x7c0, t0\n"
    text += "".join(_constant(name, value) for name, value in values)
    for offset, name in ((4, "zero"), (0x10, "zero"), (8, "s5"), (0x18, "zero")):
        text += f"sw {name}, {offset}(s0)\n"
    text += "begin: lw s9, 0(a6)\nadd s9, s9, s10\n" + _constant("s4", TABLE)
    text += "beq a2, zero, go\nwait: lw t0, 0(a7)\nblt t0, tp, wait\ngo: lw t3, 0(a7)\n"
    if count == 1:  # the compiler makes no inner loop of it
        text += _TILE + _REQUEST + "addi s4, s4, 4\n" + _COUNTED
    else:
        text += _TILE + f"addi t5, zero, {count}\n" + _REQUEST + "addi t5, t5, -1\n" + _COUNTED
        text += "bne t5, zero, w\naddi s4, s4, 4\n"
    text += "bne s4, gp, tile\n"
    text += "barrier: lw t0, 0(a6)\nbne t0, s9, barrier\nlw t4, 0(a7)\n"
    text += "bne a2, zero, end\naddi a2, a2, 1\nj begin\n"
    return text + "end: sub t4, t4, t3\nsw t3, 4(a5)\nsw t4, 0(a5)\ndone: j done\n"


def measure(
    senders: Sequence[Place], to: Sequence[Place], size: int, count: int, engine: str = "compiled"
) -> list[int]:
    """Return the cycles of each tile that sends."""
    # Late enough for a round of all of them before, as is looked at afterwards.
    start = START + LATE * len(to) * count * on_link(size // FLIT[BLACKHOLE])
    places = list(dict.fromkeys((*senders, *to)))
    chip = Chip(places, engine=flows.engine_of(BLACKHOLE, engine), schedule=flows.LINKS)
    if engine == "compiled":
        flows.keep_engine(BLACKHOLE, chip)
    try:
        named = [coordinates(BLACKHOLE, 0, place) for place in to]
        table = b"".join((x << 16 | y).to_bytes(4, "little") for x, y in named)
        for place in senders:
            tile = chip.tiles[place]
            placed = assemble(program(place, len(to), size, count, start), CODE)
            data = b"".join(each.word.to_bytes(4, "little") for each in placed)
            segments = (Segment(CODE, data), Segment(TABLE, table))
            tile.load(B, Image(Path("everyone"), CODE, segments, b""))
        for _ in range(TIMEOUT // 20_000):
            stop = chip.run(20_000, lazy=True)
            if stop is not None:
                raise RuntimeError(f"a tile stopped: {stop}")
            if all(_word(chip, place, RESULT) for place in senders):
                break
        began = [_word(chip, place, RESULT + 4) for place in senders]
        if max(began) - min(began) > TOGETHER:
            raise RuntimeError(f"the tiles begin in cycles {min(began)} to {max(began)}")
        return [_word(chip, place, RESULT) for place in senders]
    finally:
        chip.close()


def _word(chip: Chip, place: Place, addr: int) -> int:
    return int.from_bytes(chip.tiles[place].peek(B, addr, 4), "little")
