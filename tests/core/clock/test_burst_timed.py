# SPDX-License-Identifier: Apache-2.0
"""Many instructions of a hart that is alone, in one loop (core/clock/burst_timed.py): the record is
that of the same cycles one by one, to the byte, wherever a run ends.

The oracle runs the same cycles in pieces that are too short for the loop.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T2, B
from tensix_gdb.core.clock import burst_timed
from tensix_gdb.core.clock.timed import SHORT, tick_timed
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import ROWS
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image, li
from tests.machines import ENGINES, machine_on

START, DATA, LOCAL = 0x6000, 0x4000, 0xFFB00000
Pair = tuple[Machine, Machine]

NAMES = [
    row.name
    for row in ROWS
    if row.form in (Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.LUI, Form.AUIPC)
    and "frd" not in row.encoding.fields
    and "frs1" not in row.encoding.fields
    and not row.name.startswith(("div", "rem"))
]
FLOATS = ["fadd.s", "fmul.s", "fmadd.s", "fmv.x.w", "feq.s"]
LOADS = [(row.name, row.size) for row in ROWS if row.form is Form.LOAD]
STORES = [(row.name, row.size) for row in ROWS if row.form is Form.STORE]
BRANCHES = [row.name for row in ROWS if row.form is Form.BRANCH]


PLAIN = "aaaaaaaaallllssssbbm"  # what the loop executes


def instruction(draw: random.Random, kinds: str = PLAIN + "dfcgLSA") -> int:
    """One that keeps to local RAM as a rule; few registers, so that operands are waited for."""
    rd, rs1, rs2 = (draw.choice((0, 11, 12, 13, 14)) for _ in range(3))
    kind = draw.choice(kinds)
    if kind in "lLsS":
        name, size = draw.choice(LOADS if kind in "lL" else STORES)
        base = 9 if kind in "ls" else draw.choice((8, 10))
        offset = draw.choice((0, 0, 4, 8)) + draw.randrange(0, 4, size)
        if kind in "lL":
            return asm(name, rd=rd, frd=draw.choice((3, 4)), rs1=base, imm=offset)
        return asm(name, rs1=base, rs2=rs2, frs2=draw.choice((3, 4)), imm=offset)
    if kind == "b":
        return asm(draw.choice(BRANCHES), rs1=rs1, rs2=rs2, imm=draw.choice((4, 8, 8)))
    if kind == "c":
        return asm("csrrs", rd=rd, imm=draw.choice((0xB00, 0xB02)))
    if kind == "A":
        return asm("amoadd.w", rd=rd, rs1=8, rs2=rs2)
    if kind == "g":
        return draw.choice((asm("fence"), asm("jal", rd=1, imm=8)))
    name = {"d": "divu", "m": "mulh", "f": draw.choice(FLOATS)}.get(kind) or draw.choice(NAMES)
    fields = next(row.encoding.fields for row in ROWS if row.name == name)
    values = {"rd": rd, "rs1": rs1, "rs2": rs2, "imm": 0, "rm": 7}
    values |= {each: 3 for each in ("frd", "frs1", "frs2", "frs3")}
    if "imm" in fields and name not in ("lui", "auipc"):
        values["imm"] = draw.randrange(0, 32)
    return asm(name, **{each: values[each] for each in fields})


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def pair(engine: str) -> Iterator[Pair]:
    """The machine under test and the oracle."""
    machines = machine_on(engine, Schedule.LATENCY), machine_on("compiled", Schedule.LATENCY)
    yield machines
    for machine in machines:
        machine.close()


def load(machine: Machine, words: list[int], hart: int) -> None:
    machine.images.clear()
    machine.reset()
    machine.load(hart, image(words, START))
    for number, value in ((8, DATA), (9, LOCAL), (10, LOCAL + 0x18000)):
        machine.write_x(hart, number, value)


def in_pieces(machine: Machine, cycles: int) -> bool:
    """Run as `Machine.run`, without a burst; True if it has stopped."""
    end = machine.S.tile.cycle + cycles
    while machine.S.tile.cycle < end:
        if machine.run(min(SHORT - 1, end - machine.S.tile.cycle)) is not None:
            return True
    return False


def both(pair: Pair, cycles: int) -> bool:
    """Run both so far; the same record to the byte."""
    fast, oracle = pair
    stop = fast.run(cycles) is not None
    assert in_pieces(oracle, cycles) == stop
    assert fast.record.state() == oracle.record.state(), fast.record.diff(oracle.record)
    return stop


@pytest.fixture
def issued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the number of instructions that each burst of the reference has issued."""
    counts: list[int] = []
    real = burst_timed.burst

    def counting(S: object, hart: int, end: int) -> int:
        counts.append(real(S, hart, end))  # type: ignore[arg-type]
        return counts[-1]

    monkeypatch.setattr(burst_timed, "burst", counting)
    return counts


@pytest.mark.parametrize("hart", [B, T0, T2, NC])
def test_random_programs_end_anywhere(pair: Pair, engine: str, hart: int) -> None:
    draw = random.Random(hart)
    for _ in range(8 if engine == "reference" else 60):
        words = [instruction(draw) for _ in range(draw.randrange(8, 60))]
        for machine in pair:
            load(machine, [*words, asm("jal", imm=-4 * len(words)), EBREAK, EBREAK], hart)
        for _ in range(8):
            if both(pair, draw.choice((SHORT, 13, 14, 15, 17, 40, 200))):
                break


def test_each_end_after_each_pair_of_accesses(engine: str, pair: Pair) -> None:
    """Runs end with each pair in EX1 and under way, and with the register written again after
    it."""
    loads = [asm("lw", rd=11, rs1=9), asm("lb", rd=11, rs1=9, imm=1), asm("lw", rd=12, rs1=9)]
    stores = [asm("sw", rs1=9, rs2=12), asm("sb", rs1=9, rs2=11, imm=1)]
    others = [asm("addi", rd=11, rs1=12, imm=7), asm("add", rd=12, rs1=11, rs2=11)]
    filling = [asm("addi", rd=13, rs1=13, imm=1)] * SHORT
    every = [*loads, *stores, *others]
    draw = random.Random(1)
    triples = [(a, b, c) for a in every for b in every for c in every]
    for triple in draw.sample(triples, 6 if engine == "reference" else 40):
        words = [asm("addi", rd=12, rs1=12, imm=0x55), asm("sw", rs1=9, rs2=12), *filling, *triple]
        for length in range(SHORT + 2, SHORT + 10):
            for machine in pair:
                load(machine, [*words, *filling, EBREAK], B)
            both(pair, length)
            both(pair, 2 * SHORT)


def test_the_reference_bursts_and_ends_as_tick_by_tick(issued: list[int]) -> None:
    """Against the general case itself, and in one burst where nothing else is to be done."""
    machine, oracle = (machine_on("reference", Schedule.LATENCY) for _ in range(2))
    draw = random.Random(5)
    words = [instruction(draw, PLAIN.replace("a", "ls")) for _ in range(40)]
    for each in (machine, oracle):
        load(each, [*words, asm("jal", imm=-4 * len(words))], T0)
    for cycles in (300, 100, 33, 12, 57):
        if cycles == 100:  # by now all of it is decoded
            issued.clear()
            before = machine.S.hart.retired[T0]
        machine.run(cycles)
        oracle.S.stop.kind = 0
        for _ in range(cycles):
            tick_timed(oracle.S, 0)
        assert machine.record.state() == oracle.record.state(), machine.record.diff(oracle.record)
    assert sum(issued) > 0.8 * (machine.S.hart.retired[T0] - before) > 50


@pytest.mark.parametrize("armed", ["nothing", "a break", "a break elsewhere", "a watch"])
def test_what_is_armed_stops_as_always(pair: Pair, armed: str) -> None:
    loop = [asm("addi", rd=11, rs1=11, imm=1), asm("sw", rs1=9, rs2=11), asm("lw", rd=12, rs1=9)]
    body = [
        *li(13, 200),
        *loop,
        asm("bne", rs1=11, rs2=13, imm=-12),
        asm("sw", rs1=9, rs2=0, imm=8),
    ]
    for machine in pair:
        load(machine, [*body, EBREAK], B)
        if armed == "a break":
            machine.add_break(START + 4 * len(body) - 4, B)
        elif armed == "a watch":
            machine.add_watch(B, LOCAL + 8, 4, "write")
        elif armed == "a break elsewhere":
            machine.add_break(0x17FFF0)
    assert both(pair, 2000)
    ended = START + 4 * len(body)
    assert pair[0].S.hart.pc[B] == (ended - 4 if armed in ("a break", "a watch") else ended)


@pytest.mark.parametrize("cfg0", [1 << 9, 1 << 20, 1 << 12, 1 << 0])
def test_bits_of_cfg0_that_change_the_pipeline(pair: Pair, cfg0: int) -> None:
    loop = [asm("addi", rd=11, rs1=11, imm=1), asm("sw", rs1=9, rs2=11), asm("lw", rd=12, rs1=9)]
    head = [*li(5, cfg0), asm("csrrs", rs1=5, imm=0x7C0)]
    for machine in pair:
        load(machine, [*head, *loop, asm("jal", imm=-12)], B)
    for cycles in (31, 200, 17):
        assert not both(pair, cycles)


def test_a_breakpoint_stops_before_its_line_is_looked_for() -> None:
    """Whether a burst comes to it, or a cycle by itself."""
    add = asm("addi", rd=5, rs1=5, imm=1)
    program = image([*[add] * 9, asm("jal", imm=0x1C), *[add] * 7, EBREAK], START)
    hashes = set()
    for first in range(1, 60):
        machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
        machine.load(T0, program)
        machine.add_break(START + 0x40)
        machine.run(first)
        machine.run(1000)
        assert machine.read_pc(T0) == START + 0x40
        hashes.add(machine.hash())
        machine.close()
    assert len(hashes) == 1
