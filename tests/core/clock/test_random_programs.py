# SPDX-License-Identifier: Apache-2.0
"""Random programs: the fast loop, the general loop and both engines pass through the same states.

The oracle is `clock.tick` of the reference engine, one cycle at a time. Against it stand `run` on
the reference and `run` on the compiled engine, whole and with breakpoints armed that nobody hits.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.clock import sc as clock
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import ROWS
from tests.assembler import asm, image
from tests.forms import rounds
from tests.machines import ENGINES, machine_on

CYCLES = 120
START = 0x1000
DATA = 0x4000  # x8 points here, x9 into local RAM, x10 to where the slow window shows it

_NAMES = [
    row.name
    for row in ROWS
    if row.form in (Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.LUI, Form.AUIPC, Form.AMO)
    or row.form in (Form.ALU_RRR, Form.HALF_R1, Form.HALF_RR, Form.HALF_RRR)
]
_LOADS = [(row.name, row.size) for row in ROWS if row.form is Form.LOAD]
_STORES = [(row.name, row.size) for row in ROWS if row.form is Form.STORE]
_BRANCHES = [row.name for row in ROWS if row.form is Form.BRANCH]
_COUNTERS = [0xB00, 0xB02, 0xC80, 0x7C3]

register = st.integers(11, 20)
source = st.integers(0, 20)


@st.composite
def instruction(draw: st.DrawFn) -> int:
    """An instruction that keeps to its data and to the program."""
    kind = draw(st.sampled_from("aaaalsbcpjm"))
    if kind == "a":
        name = draw(st.sampled_from(_NAMES))
        if name.startswith("amo"):
            return asm(name, rd=draw(register), rs1=8, rs2=draw(source))
        fields = next(row.encoding.fields for row in ROWS if row.name == name)
        values = {"rd": draw(register), "rs1": draw(source), "rs2": draw(source), "rm": 7}
        values |= {name: draw(source) for name in ("frd", "frs1", "frs2")}
        if "imm" in fields:
            imm = fields["imm"]
            low = -(1 << imm.width - 1) if imm.signed else 0
            value = draw(st.integers(low, low + (1 << imm.width) - 1))
            values["imm"] = value & imm.coverage | (value if value < 0 else 0) & ~imm.coverage
            if value < 0:
                values["imm"] = -(-value & imm.coverage)
        return asm(name, **{name: values[name] for name in fields})
    if kind in "ls":
        name, size = draw(st.sampled_from(_LOADS if kind == "l" else _STORES))
        offset = draw(st.integers(0, 15)) * size
        base = draw(st.sampled_from([8, 8, 9, 10]))
        if kind == "l":
            return asm(name, rd=draw(register), frd=draw(source), rs1=base, imm=offset)
        return asm(name, rs1=base, rs2=draw(source), frs2=draw(source), imm=offset)
    if kind == "b":
        name = draw(st.sampled_from(_BRANCHES))
        return asm(name, rs1=draw(source), rs2=draw(source), imm=8)
    if kind == "c":
        return asm(
            "csrrw", rd=draw(register), rs1=draw(source), imm=draw(st.sampled_from(_COUNTERS))
        )
    if kind == "p":
        return asm(".ttinsn", imm=draw(st.integers(0, 0xBFFFFFFF)))
    if kind == "m":
        return asm("sw", rs1=7, rs2=draw(source), imm=4 * draw(st.integers(0, 3)))  # own code
    return asm("jal", rd=draw(st.sampled_from([0, 1])), imm=8)


programs = st.lists(st.lists(instruction(), min_size=4, max_size=24), min_size=1, max_size=3)


@pytest.fixture(scope="module")
def machines() -> Iterator[dict[str, Machine]]:
    made = {kind: machine_on(kind) for kind in ENGINES}
    yield made
    for machine in made.values():
        machine.close()


def prepare(machine: Machine, listing: list[list[int]]) -> None:
    machine.images.clear()
    machine.reset()
    for hart, words in enumerate(listing):
        start = START + 0x400 * hart
        loop = asm("jal", imm=-4 * len(words))
        machine.load(hart, image([*words, loop, loop, loop], start))
        for number, value in ((7, start), (8, DATA), (9, 0xFFB00000), (10, 0xFFB18000)):
            machine.write_x(hart, number, value)


def run(machine: Machine) -> str:
    while machine.S.tile.cycle < CYCLES:
        if machine.run(CYCLES - machine.S.tile.cycle) is not None:
            break
    return machine.hash()


@settings(max_examples=rounds(20, 80), deadline=None)
@given(programs)
def test_every_way_through_the_cycles_is_the_same(
    machines: dict[str, Machine], listing: list[list[int]]
) -> None:
    reference = machines["reference"]
    prepare(reference, listing)
    reference.S.stop.kind = 0
    while reference.S.tile.cycle < CYCLES and not reference.S.stop.kind:
        clock.tick(reference.S, 0)
    expected = reference.hash()
    stopped = reference.S.stop.kind, reference.S.stop.code, reference.S.stop.hart

    for kind, machine in machines.items():
        for armed in (False, True):
            prepare(machine, listing)
            if armed:
                machine.add_break(0x17FFF0)
                machine.add_watch(0, 0x17FFF0, 4, "access")
            assert run(machine) == expected, (kind, armed)
            assert (
                machine.S.stop.kind,
                machine.S.stop.code,
                machine.S.stop.hart,
            ) == stopped
            if armed:
                machine.remove_break(0x17FFF0)
                machine.remove_watch(0, 0x17FFF0, 4, "access")
