# SPDX-License-Identifier: Apache-2.0
"""Every instruction of the Vector Unit one cycle after every instruction of its MAD sub-unit.

With time, the second one has the result that it has in `sc`, or it stops with the fault that
SFPMAD.md ("Instruction scheduling") lists. LISTED is that list, written from the page; what the
machine knows of it is not asked. What writes the LReg of the result in its first cycle, without
waiting, stays, as in `sc` (UNSPECIFIED(SFPMAD.md), writeback.py). SFPSWAP is a fault where it
compares otherwise without the result.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.instruction import Arch, Instruction, Unit
from tensix_gdb.core.tensix.table import ROWS
from tests.assembler import EBREAK, image
from tests.core.tensix.programs import push_all, word
from tests.core.tensix.vector.macros import in_one_block
from tests.core.tensix.vector.pages import bits
from tests.forms import rounds, some
from tests.machines import machine_on

ENOUGH = 2000  # cycles
RESULT = 5  # the LReg that a MAD writes
PRODUCERS = {
    "SFPMAD": "SFPMAD va=L1, vb=L2, vc=L3, vd=L5",
    "SFPADD": "SFPADD va=L10, vb=L2, vc=L3, vd=L5",
    "SFPMUL": "SFPMUL va=L1, vb=L2, vc=L9, vd=L5",
    "SFPMUL24": "SFPMUL24 va=L1, vb=L2, vc=L9, vd=L5",
    "SFPMULI": "SFPMULI imm16=0x4000, vd=L5",
    "SFPADDI": "SFPADDI imm16=0x4000, vd=L5",
    "SFPLUT": "SFPLUT vd=L5",
    "SFPLUTFP32": "SFPLUTFP32 vd=L5",
}
INDIRECT = "SFPMAD va=L1, vb=L2, vc=L3, vd=L0, mod1=INDIRECT_VD"  # LReg[7] names LReg[5]
TO_LREG_0 = "SFPMAD va=L1, vb=L2, vc=L3, vd=L0"  # which SFPCONFIG reads
REGISTERS = ("va", "vb", "vc", "vd")
OTHERS = {"va": 1, "vb": 2, "vc": 3, "vd": 4}  # LRegs of fields that do not name the result
MODES = ("mod0", "mod1")
CONSTANTS = {"imm16": 0x3F80, "imm12": 3, "imm10": 0, "imm8": 3, "imm9": 0}
FEW_MODES = (0, 1, 2, 5)
SHARED = ("vector", "dst", "rwc")


class Case(NamedTuple):
    """A second instruction; the result of the first is in the field `reads`, or in none."""

    row: Instruction
    fields: Mapping[str, int]
    reads: str

    @property
    def word(self) -> int:
        encoded = self.row.encoding.match
        for name, value in self.fields.items():
            (piece,) = self.row.encoding.fields[name].pieces
            encoded |= (value & (1 << piece.width) - 1) << piece.word_shift
        return encoded

    @property
    def mode(self) -> int:
        return self.fields.get("mod1", self.fields.get("mod0", 0))

    def __str__(self) -> str:
        fields = ", ".join(f"{name}={value}" for name, value in self.fields.items())
        return f"{self.row.mnemonic} {fields}"


def cases() -> Iterator[Case]:
    """Every instruction in every mode, with the result in each of its fields, and in none."""
    for row in ROWS:
        if row.unit is not Unit.SFPU or Arch.BLACKHOLE not in row.arch:
            continue
        names = row.encoding.fields
        mode = next((name for name in MODES if name in names), "")
        modes = range(1 << names[mode].pieces[0].width) if mode else (0,)
        for number in modes:
            for reads in (*(name for name in REGISTERS if name in names), ""):
                fields = {name: OTHERS[name] for name in REGISTERS if name in names}
                fields |= {name: CONSTANTS[name] for name in CONSTANTS if name in names}
                if mode:
                    fields[mode] = number
                if "mod1_mirror" in names:
                    fields["mod1_mirror"] = number
                if reads:
                    fields[reads] = RESULT
                yield Case(row, fields, reads)
        if (row.mnemonic, row.form) == ("SFPSHFT2", "Imm"):
            yield Case(row, {"imm12": RESULT, "vd": OTHERS["vd"]}, "imm12")


def is_listed(case: Case) -> bool:
    """True if SFPMAD.md names the case as one that the stalling logic does not detect."""
    name, mode, field = case.row.mnemonic, case.mode, case.reads
    match name:
        case "SFPAND" | "SFPOR":  # USE_VB
            return field == "vb" and bool(mode & 1)
        case "SFPIADD":  # the form with a constant has it in the place of VD's value
            return field == "vd" and not mode & 1
        case "SFPSHFT":  # so has this one, which shifts VC
            return field == "vd" and mode & 5 != 5
        case "SFPSWAP":  # all modes but SWAP
            return field in ("vc", "vd") and mode != 0
        case "SFPSHFT2" if case.row.form == "Reg":
            if mode in (2, 3, 4):  # SHFLROR1_AND_COPY4, SHFLROR1, SHFLSHR1
                return field == "vc"
            return field == "vb" and mode == 5  # SHFT_LREG
        case "SFPSHFT2":  # SHFT_IMM reads VB, which is in bits of the constant
            return case.fields["imm12"] & 15 == RESULT
    return False


class Bench:
    """A machine with two instructions to replay, one after the other; from one state each time."""

    def __init__(self, engine: str, schedule: Schedule) -> None:
        self.machine = machine_on(engine, schedule)
        S, record = self.machine.S, self.machine.record
        for number in range(8):
            for lane in range(32):
                S.vector.lreg[number, lane] = bits(1.0 + number + lane / 32)
        for lane in range(32):
            S.vector.lreg[7, lane] = RESULT
        self.machine.load(T0, image([*push_all(["REPLAY index=0, count=2"]), EBREAK], 0x1000))
        self.kept = self.machine.snapshot()
        self.shared = [
            (record.address + slot.offset, slot.field.size)
            for (part, _), slot in record.layout.slots.items()
            if part in SHARED and slot.field.tag.name != "DERIVED"
        ]

    def run(self, first: int, second: int) -> tuple[int, list[bytes]]:
        """Return the code of the fault, or 0, and what the Vector Unit has come to."""
        self.machine.restore(self.kept)
        S = self.machine.S
        S.replay.buffer[0, 0], S.replay.buffer[0, 1] = first, second
        while (stop := self.machine.run(ENOUGH)) is not None and stop.kind is StopKind.EBREAK:
            pass
        assert stop is not None, "an instruction waits for ever"
        assert stop.kind in (StopKind.ALL_PAUSED, StopKind.FAULT), stop.text
        code = int(stop.code) if stop.kind is StopKind.FAULT else 0
        return code, [ctypes.string_at(at, size) for at, size in self.shared]


@pytest.fixture(scope="module")
def in_order() -> Iterator[Bench]:
    """In `sc` a result is there at once."""
    bench = Bench("compiled", Schedule.SC)
    yield bench
    bench.machine.close()


TIMED = [("compiled", Schedule.LATENCY), ("compiled", Schedule.RANDOM)]


@pytest.fixture(scope="module", params=TIMED, ids=lambda run: f"{run[0]}-{run[1].name.lower()}")
def in_time(request: pytest.FixtureRequest) -> Iterator[Bench]:
    bench = Bench(*request.param)
    yield bench
    bench.machine.close()


def test_every_mode_of_every_instruction_after_a_mad(in_order: Bench, in_time: Bench) -> None:
    seen = {"equal": 0, "listed": 0, "refused": 0}
    for case in some(cases(), 11):
        seen[judged(case, word(PRODUCERS["SFPMAD"]), in_order, in_time)] += 1
    assert seen["listed"] > rounds(0, 30), seen
    assert seen["equal"] > rounds(90, 1000), seen


@pytest.mark.parametrize("producer", list(PRODUCERS.values())[1:])
def test_every_instruction_after_others_of_the_mad_sub_unit(
    producer: str, in_order: Bench, in_time: Bench
) -> None:
    seen = {"equal": 0, "listed": 0, "refused": 0}
    for case in some((case for case in cases() if case.mode in FEW_MODES), 7):
        seen[judged(case, word(producer), in_order, in_time)] += 1
    assert seen["listed"] > rounds(-1, 5), seen
    assert seen["equal"] > rounds(20, 200), seen


def test_a_result_in_a_named_lreg_is_taken_to_be_in_every_one(
    in_order: Bench, in_time: Bench
) -> None:
    """So some that SFPMAD.md lists wait nevertheless: for what they read besides."""
    first, faults = word(INDIRECT), 0
    for case in some(cases(), 11):
        code, became = in_time.run(first, case.word)
        expected, state = in_order.run(first, case.word)
        if expected or code:
            assert expected or is_listed(case), f"{case}: {code}"
            faults += 1
        else:
            assert became == state, f"{case}: another result than in sc"
    assert faults > rounds(5, 50)


@pytest.mark.parametrize("second", ["SFPCONFIG vd=L11", "SFPCONFIG vd=L12"])
def test_sfpconfig_reads_lreg_0_unseen(second: str, in_order: Bench, in_time: Bench) -> None:
    first, other = word(TO_LREG_0), word(PRODUCERS["SFPMAD"])
    assert in_time.run(first, word(second))[0] == Fault.VECTOR_HAZARD
    assert in_time.run(other, word(second)) == in_order.run(other, word(second))


# The stalling goes by Mod1Mirror of SFPLUTFP32, which computes by Mod1 (SFPLUTFP32.md).
ODD = "SFPLUTFP32 mod1_mirror=0, vd=L3, mod1=FP16_6ENTRY_TABLE2|INDIRECT_VD"  # it writes L5
MIRRORS = [
    (ODD, f"SFPLZ vc=L{RESULT}, vd=L2", True),
    (ODD, f"SFPSTORE vd=L{RESULT}, mod0=INT32", True),
    (ODD, "SFPLZ vc=L3, vd=L2", False),  # this waits
    (ODD, "SFPLZ vc=L4, vd=L2", False),
    (ODD.replace("mirror=0", "mirror=8"), f"SFPLZ vc=L{RESULT}, vd=L2", False),
    ("SFPMAD va=L1, vb=L2, vc=L9, vd=L7", ODD, True),
    ("SFPMAD va=L1, vb=L2, vc=L9, vd=L6", ODD, False),
    ("SFPMAD va=L1, vb=L2, vc=L9, vd=L7", ODD.replace("mirror=0", "mirror=8"), False),
]


@pytest.mark.parametrize(("first", "second", "stops"), MIRRORS)
def test_the_copy_of_a_mode_may_hide_what_is_written_or_read(
    first: str, second: str, stops: bool, in_order: Bench, in_time: Bench
) -> None:
    code, became = in_time.run(word(first), word(second))
    if stops:
        assert code == Fault.VECTOR_HAZARD
    else:
        assert (code, became) == in_order.run(word(first), word(second))


def judged(case: Case, first: int, in_order: Bench, in_time: Bench) -> str:
    """Compare, and return which of the three it was."""
    expected, state = in_order.run(first, case.word)
    code, became = in_time.run(first, case.word)
    if expected:
        assert code, f"{case}: in sc {Fault(expected).name}, with time no fault"
        return "refused"
    if case.row.mnemonic == "SFPSWAP" and code == 0:
        assert became == state, f"{case}: it has compared otherwise than in sc"
        return "equal"
    if is_listed(case):
        assert code == Fault.VECTOR_HAZARD, f"{case}: SFPMAD.md lists it, and it ends with {code}"
        return "listed"
    assert code == 0, f"{case}: {Fault(code).name}, and SFPMAD.md does not list it"
    assert became == state, f"{case}: another result than in sc"
    return "equal"


# What SFPMAD writes to L5, which was 6 or more before; what L4 holds; does SFPSWAP stop?
ALIKE = [
    (2.0, 1.0, False),
    (2.0, 3.0, True),
    (2.0, 2.0, False),  # equal then, so that nothing depends on it
    (8.0, 100.0, False),
    (8.0, 7.5, True),
]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(("result", "other", "stops"), ALIKE)
@pytest.mark.parametrize("operands", ["vc=L4, vd=L5", "vc=L5, vd=L4"])
@pytest.mark.parametrize("mode", ["VEC_MIN_MAX", "SUBVEC_MIN02_MAX13"])
def test_sfpswap_stops_only_where_the_result_changes_what_it_does(
    engine: str, result: float, other: float, stops: bool, operands: str, mode: str
) -> None:
    """The compare reads what was there before (SFPMAD.md), the swap what is there then."""
    program = ["SFPMAD va=L1, vb=L2, vc=L9, vd=L5", f"SFPSWAP {operands}, mod1={mode}", "SFPNOP"]
    became = []
    for schedule in (Schedule.SC, Schedule.LATENCY):
        machine = machine_on(engine, schedule)
        S = machine.record.S
        for lane in range(32):
            values = {1: result, 2: 1.0, 4: other, 5: 6.0 if result < 6 else 7.0}
            for number, value in values.items():
                S.vector.lreg[number, lane] = bits(value)
        stop = in_one_block(machine, *program)
        code = Fault.VECTOR_HAZARD if stops and schedule is not Schedule.SC else 0
        assert int(stop.code) * (stop.kind is StopKind.FAULT) == code, stop.text
        became.append([int(S.vector.lreg[n, lane]) for n in (4, 5) for lane in range(32)])
        machine.close()
    assert stops or became[0] == became[1]


def test_lanes_that_are_off_do_not_stop_sfpswap() -> None:
    machine = machine_on("reference", Schedule.LATENCY)
    S = machine.record.S
    for lane in range(32):
        for number, value in {1: 2.0, 2: 1.0, 4: 1.0 if lane & 1 else 3.0, 5: 6.0}.items():
            S.vector.lreg[number, lane] = bits(value)
    S.vector.use_flags, S.vector.flags = 0xFFFFFFFF, 0xAAAAAAAA
    stop = in_one_block(
        machine, "SFPMAD va=L1, vb=L2, vc=L9, vd=L5", "SFPSWAP vc=L4, vd=L5, mod1=VEC_MIN_MAX"
    )
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    machine.close()


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
@pytest.mark.parametrize(
    ("second", "value"),
    [
        ("SFPLOADI vd=L5, mod0=FLOATB, imm16=0x40c0", 6.0),
        ("SFPMOV vc=L4, vd=L5", 3.0),
        ("SFPABS vc=L4, vd=L5, mod1=FLOAT", 3.0),
    ],
)
def test_the_later_write_stays_in_its_lanes(
    engine: str, schedule: Schedule, second: str, value: float
) -> None:
    """No page calls it wrong. Lanes that are off keep what an earlier SFPMAD has written."""
    machine = machine_on(engine, schedule)
    S = machine.record.S
    for lane in range(32):
        S.vector.lreg[1, lane], S.vector.lreg[2, lane] = bits(2.0), bits(4.0)
        S.vector.lreg[4, lane] = bits(3.0)
    mad = "SFPMAD va=L1, vb=L2, vc=L9, vd=L5"
    in_one_block(machine, mad, "SFPNOP")
    for lane in range(32):
        S.vector.lreg[1, lane] = bits(5.0)
    S.vector.use_flags, S.vector.flags = 0xFFFFFFFF, 0x00FF00FF
    stop = in_one_block(machine, mad, second, "SFPNOP", "SFPNOP")
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    expected = [value if 0x00FF00FF >> lane & 1 else 8.0 for lane in range(32)]
    assert [int(S.vector.lreg[5, lane]) for lane in range(32)] == [bits(x) for x in expected]
    machine.close()
