# SPDX-License-Identifier: Apache-2.0
"""Flows on a chip, as cards have been measured with: B of each sender starts `count` requests one
after the other, waits for the last answer, and reads the wall clock before and after that.

The loops are written anew after what tt-metal's calls store for each request (noc_async_read and
_write of any length, the same with state, multicast): which registers, one poll of NOC_CMD_CTRL,
the software's counters. `pad` instructions more are what a compiler makes of the rest. All senders
have been through the loop once before, and start in the same cycle: code that runs for the first
time, and how exactly senders meet, are no matter of the NoC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.published.probes import CFG0, _constant
from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.arch.chips import BLACKHOLE, WORMHOLE
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import NOT_TENSIX, NOT_TENSIX_ROWS, Place, coordinates
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.noc.coordinates import DRAM, WORMHOLE_DRAM
from tensix_gdb.core.noc.request import BROADCAST, LINKED, MARKED, PATH_RESERVE, SRC_INCLUDE, STATIC
from tensix_gdb.core.program.elf import Image, Segment

NIU, COUNTERS, CLOCK = 0xFFB20000, 0x200, 0xFFB121F0
CODE, DATA, RESULT = 0x40000, 0x80000, 0x1000
LOCAL = 0xFFB00400
# The cycle in which all begin, later the more they are: their rounds before are over.
START, EACH = 6_000, 300
TIMEOUT = 6_000_000
HARVESTED = (7, 10)  # columns that the card does not have
DRAM_TILES = tuple(
    frozenset(place for tiles in chip for place in tiles) for chip in (DRAM, WORMHOLE_DRAM)
)
# By chip: where a request's registers have the coordinates, and how far above; what starts it.
COORDINATES, ABOVE, COMMAND = ((0x08, 0x14), (0x04, 0x10)), (0, 4), (0x40, 0x28)
LINKS = Execution.parse("latency,links")
ACKS, RESPONSES = 1, 2  # counters of the NIU


_code: dict[int, Engine] = {}  # compiled once for all of a kind of chip


@dataclass(frozen=True, slots=True)
class Flow:
    """Requests of one tile: to a tile, a DRAM tile, or a rectangle (`last` is its other corner)."""

    sender: Place
    to: Place
    size: int
    count: int
    reads: bool = False
    niu: int = 0
    stateful: bool = False
    pad: int = 0
    last: Place | None = None
    linked: bool = False
    loopback: bool = False
    receivers: int = 1
    chip: int = BLACKHOLE


def _at(flow: Flow, place: Place) -> int:
    x, y = coordinates(flow.chip, flow.niu, place)
    return x | y << 6


def _rectangle(flow: Flow, last: Place) -> list[Place]:
    columns, rows = range(flow.to[0], last[0] + 1), range(flow.to[1], last[1] + 1)
    without = NOT_TENSIX[flow.chip] + (() if flow.chip else HARVESTED)
    lines = [y for y in rows if not flow.chip or y not in NOT_TENSIX_ROWS[flow.chip]]
    return [(x, y) for y in lines for x in columns if x not in without]


def _registers(flow: Flow, count: str) -> str:
    """Return code that sets the loop's registers: the end is `count` more answers."""
    niu = flow.niu
    here, there = _at(flow, flow.sender), _at(flow, flow.to)
    ctrl = MARKED | (0 if flow.reads else 2) | STATIC | 1 << 13
    if flow.last is not None:
        ctrl = MARKED | 2 | STATIC | 4 << 13 | BROADCAST | PATH_RESERVE
        ctrl |= (LINKED if flow.linked else 0) | (SRC_INCLUDE if flow.loopback else 0)
        first, last = (flow.last, flow.to) if niu else (flow.to, flow.last)
        there = _at(flow, last) | _at(flow, first) << 12
    base = NIU + 0x10000 * niu
    targ_at, ret_at = (there, here) if flow.reads else (here, there)
    number = RESPONSES if flow.reads else ACKS
    above = ABOVE[flow.chip]
    values = (("s0", base), ("s1", ctrl), ("s2", DATA), ("s3", DATA), ("s5", targ_at << above),
              ("s6", ret_at << above), ("s7", flow.size), ("s8", 1), ("s11", LOCAL),
              ("a6", base + COUNTERS + 4 * number), ("a7", CLOCK))  # fmt: skip
    text = "".join(_constant(name, value) for name, value in values)
    targ, ret = COORDINATES[flow.chip]
    for offset, name in ((4, "zero"), (0x10, "zero"), (targ, "s5"), (ret, "s6"), (0x20, "s7"),
                         (0x1C, "s1"), (0, "s2"), (0x0C, "s3"), (0x18, "zero")):  # fmt: skip
        text += f"sw {name}, {offset}(s0)\n"
    text += _constant("s4", 0) + f"add s4, {count}, zero\nlw s9, 0(a6)\n"
    return text


def _request(flow: Flow, ctrl: str) -> str:
    """One request: five registers with state, eight without, of Wormhole one fewer."""
    command = f"{COMMAND[flow.chip]}(s0)"
    text = f"w{{n}}: lw t0, {command}\nbne t0, zero, w{{n}}\n"
    if not flow.stateful:
        targ, ret = COORDINATES[flow.chip]
        coordinate = [f"s5, {targ}" if flow.reads else f"s6, {ret}"]
        if not flow.chip:
            coordinate.append("zero, 0x04" if flow.reads else "zero, 0x10")
        text += f"sw {ctrl}, 0x1c(s0)\n" + "".join(f"sw {each}(s0)\n" for each in coordinate)
    # SFPI counts a read before the store that starts it, a write after it: in loops of reads the
    # poll of the next request comes at once.
    start, counted = f"sw s8, {command}\n", "lw t1, 0(s11)\naddi t1, t1, 1\nsw t1, 0(s11)\n"
    text += "sw s2, 0x00(s0)\nsw s3, 0x0c(s0)\nsw s7, 0x20(s0)\n"
    text += counted + start if flow.reads else start + counted
    return text + "addi a0, a0, 0\n" * flow.pad


def program(flow: Flow, start: int = START) -> str:
    """The assembly of B."""
    text = "" if flow.chip else _constant("t0", CFG0) + "csrrs zero, 0x7c0, t0\n"
    text += _constant("a3", 2) + _constant("a4", flow.count) + _constant("a5", RESULT)
    text += _constant("gp", flow.receivers) + _constant("tp", start)
    # With links, the last request of a round has none.
    text += "add a2, a3, zero\nbegin:\n" + _registers(flow, "a2")
    text += "mul s10, a2, gp\nadd s9, s9, s10\n"
    unlinked = "s1"
    if flow.linked:
        text += _constant("t5", LINKED) + "sub t5, s1, t5\n"
        unlinked = "t5"
    text += "beq a2, a3, start\nwait: lw t0, 0(a7)\nblt t0, tp, wait\nstart: lw t3, 0(a7)\n"
    if flow.linked:
        text += "addi s4, s4, -1\nbeq s4, zero, last\n"
    text += "round:\n" + _request(flow, "s1").replace("{n}", "1")
    text += "addi s4, s4, -1\nbne s4, zero, round\n"
    if flow.linked:
        text += f"last: sw {unlinked}, 0x1c(s0)\n" + _request(flow, unlinked).replace("{n}", "2")
    text += f"l1: lw t0, {COMMAND[flow.chip]}(s0)\nbne t0, zero, l1\n"
    text += "barrier: lw t0, 0(a6)\nbne t0, s9, barrier\nlw t4, 0(a7)\n"
    text += "beq a2, a4, end\nadd a2, a4, zero\nj begin\n"
    return text + "end: sub t4, t4, t3\nsw t4, 0(a5)\ndone: j done\n"


def measure(flows: Sequence[Flow], engine: str = "compiled") -> list[int]:
    """Return the cycles of each flow, all of them at the same time."""
    places: dict[Place, None] = {}
    kind = flows[0].chip
    for flow in flows:
        places[flow.sender] = None
        if flow.last is not None:
            places.update((place, None) for place in _rectangle(flow, flow.last))
        elif flow.to not in DRAM_TILES[kind]:
            places[flow.to] = None
    start = max(START, EACH * len(flows))
    arch = Arch.WORMHOLE if kind == WORMHOLE else Arch.BLACKHOLE
    chip = Chip(list(places), engine=engine_of(kind, engine), schedule=LINKS, arch=arch)
    if engine == "compiled":
        keep_engine(kind, chip)
    try:
        for flow in flows:
            placed = assemble(program(flow, start), CODE)
            data = b"".join(each.word.to_bytes(4, "little") for each in placed)
            image = Image(Path("flow"), CODE, (Segment(CODE, data),), b"")
            chip.tiles[flow.sender].load(B, image)
        for _ in range(TIMEOUT // 20_000):
            stop = chip.run(20_000, lazy=True)
            if stop is not None:
                raise RuntimeError(f"a flow stopped: {stop}")
            if all(_result(chip, flow) for flow in flows):
                break
        return [_result(chip, flow) for flow in flows]
    finally:
        chip.close()


def engine_of(kind: int, engine: str) -> Engine | str:
    """Return what has been compiled for a kind of chip, or the engine's name."""
    return _code.get(kind, engine) if engine == "compiled" else engine


def keep_engine(kind: int, chip: Chip) -> None:
    """Keep what is compiled for the next chip."""
    _code[kind] = next(iter(chip.tiles.values())).engine


def _result(chip: Chip, flow: Flow) -> int:
    return int.from_bytes(chip.tiles[flow.sender].peek(B, RESULT, 4), "little")
