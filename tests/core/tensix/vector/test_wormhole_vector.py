# SPDX-License-Identifier: Apache-2.0
"""The Vector Unit of Wormhole: its modes, formats, bugs, and where it does not wait.

What an instruction does to any lanes is the model's of Blackhole (unit.py), of a word in which
modes that Wormhole has not are 0; what it does otherwise is written here, from its pages.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.wormhole import config_words
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.instruction import Unit as Units
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.by_chip import SHUFFLED
from tensix_gdb.core.tensix.vector.operations_by_opcode import operate
from tensix_gdb.core.tensix.vector.state import STACK, power_up
from tests.core.tensix.drive import run as run_machine
from tests.core.tensix.programs import ttinsn
from tests.core.tensix.vector.dst import loaded, stored
from tests.core.tensix.vector.operands import requests
from tests.core.tensix.vector.pages import Words, bits, u32
from tests.core.tensix.vector.running import FULL, Request, fresh, index_of, run, run_one
from tests.core.tensix.vector.test_operations import expected, fault_of, lanes_of
from tests.core.tensix.vector.unit import Unit
from tests.vectors import both_engines

WORMHOLE, DIALECT = Arch.WORMHOLE, DIALECTS["wormhole"]
MAD, SHORT, AND, OR, CAST, ROUND = (0x84, 0x85, 0x86), (0x74, 0x75), 0x7E, 0x7F, 0x90, 0x8E
PUSHC, POPC, SHIFT, SHUFFLE, LUT32, LOAD, STORE = 0x87, 0x88, 0x7A, 0x94, 0x95, 0x70, 0x72
MACRO, CONFIG = 0x93, 0x91
# By opcode: bits of the mode that the page reads. The rest of the field is nothing.
MODES = {**dict.fromkeys(MAD, 12), **dict.fromkeys(SHORT, 8), AND: 0, OR: 0, CAST: 1, PUSHC: 0,
         SHIFT: 1}  # fmt: skip
SUMS = (*MAD, *SHORT, 0x73, LUT32)
OPCODES = sorted(
    {row.opcode for row in rows_of(WORMHOLE) if row.unit is Units.SFPU}
    - {LOAD, STORE, MACRO, CONFIG}
)


CASES = [
    (opcode, mode)
    for opcode in OPCODES
    for mode in range(1 if opcode in (0x8B, 0x8C, 0x8F) else 7 if opcode == SHUFFLE else 16)
]


def as_model(word: int) -> int:
    """The word of Blackhole that means the same."""
    opcode = word >> 24
    if opcode == ROUND:  # StochasticRounding is the lower bit of two
        return word & ~(1 << 22)
    if opcode in MODES:
        word &= ~15 | MODES[opcode]
    return word & ~(15 << 12) if opcode in (AND, OR) else word


@pytest.fixture(scope="module")
def record() -> Record:
    return fresh(WORMHOLE)


def model_of(one: Request, before: Words) -> Unit:
    """The model after the request, with Wormhole's bugs; `before` is LReg[SHUFFLED]."""
    opcode, mode = one.word >> 24, one.word & 15
    word = as_model(one.word)
    known = Request(
        word, one.lregs, one.flags, one.use, list(one.stack), one.config, one.prng, one.fault
    )
    if opcode == POPC and mode and len(one.stack) == STACK:
        known.stack[0] = known.stack[-1]
    unit = expected(known)
    vd = word >> 4 & 15
    if opcode == SHUFFLE and mode == 4 and vd < 8:
        live = expected(Request(0x8F << 24, *request_rest(one))).enabled
        first = live & (unit.lane & 7 == 0)
        unit.write(vd, first, np.roll(before, -7))
    return unit


def request_rest(one: Request) -> tuple:  # type: ignore[type-arg]
    return one.lregs, one.flags, one.use, list(one.stack), one.config, one.prng


def summed(got: Words, wanted: Words, before: Words, *, retains: bool) -> Words:
    """Return what the MAD sub-unit may give where Blackhole's gives `wanted`: a zero is +0 (but for
    the sign that a table's mode retains), a NaN has its lowest bit set and any others, and nothing
    is rounded up to the smallest normal number."""
    size, found = wanted & np.uint32(0x7FFFFFFF), got & np.uint32(0x7FFFFFFF)
    zero = (size == 0) & (wanted != before)
    sign = got & np.uint32(0x80000000) if retains else np.zeros_like(wanted)
    either = (size >= 0x7F800000) & (found > 0x7F800000) & (got & 1 == 1)
    either |= (size == 0x00800000) & (found == 0)
    either |= (wanted == 0x80000000) & (got == 0)  # it was there before
    wanted = np.where(zero, sign, wanted)
    return u32(np.where(either, got, wanted))


@pytest.mark.sample(4, "the vectors of Blackhole once more")
@pytest.mark.parametrize(("opcode", "mode"), CASES)
def test_lanes(opcode: int, mode: int, record: Record) -> None:
    """Some words with any LRegs, flags, stack and LaneConfig, on both engines."""
    power_up(record.S)
    before = u32([0x9E3779B1 * lane & FULL for lane in range(32)])
    for lane in range(32):
        record.S.vector.lreg[SHUFFLED, lane] = int(before[lane])
    asked = requests(opcode, mode)
    for one, got in zip(asked, run(record, asked, WORMHOLE), strict=True):
        name = f"{one.word:#010x} with {len(one.stack)} on the stack"
        fault = fault_of(Request(as_model(one.word), *request_rest(one)))
        assert got.fault == fault, name
        if fault:
            assert (got.lregs == one.lregs).all(), name
            continue
        unit = model_of(one, before)
        wanted = unit.L[:8]
        if opcode in SUMS:
            wanted = summed(got.lregs, wanted, one.lregs, retains=opcode in (0x73, LUT32))
        wrong = np.argwhere(got.lregs != wanted)
        assert wrong.size == 0, f"{name}: {wrong[:3]}"
        assert (lanes_of(got.flags) == unit.flags).all(), name
        assert (lanes_of(got.use) == unit.use).all(), name
        assert (got.prng == unit.prng).all(), name
        for (flags, use), level in zip(got.stack, unit.stack, strict=True):
            assert (lanes_of(flags) == level[0]).all(), name
            assert (lanes_of(use) == level[1]).all(), name


# -- formats
PLACES = [(lane >> 3, 2 * (lane & 7)) for lane in range(32)]


def twos(x: Words) -> Words:
    """Sign and magnitude as two's complement."""
    size = x & np.uint32(0x7FFFFFFF)
    return u32(np.where(x >> 31, -size.astype(np.int64) & FULL, size))


def magnitude(x: Words) -> Words:
    """Two's complement as sign and magnitude."""
    size = -x.astype(np.int64) & 0x7FFFFFFF
    return u32(np.where(x >> 31, size | 0x80000000, x))


@pytest.mark.parametrize("mode", range(16))
def test_formats(mode: int, record: Record) -> None:
    rng, S = random.Random(mode), record.S
    power_up(S)
    special = (0, 1, 0x80000000, 0x80000001, 0x3F800000, 0x007FFFFF, 0xFFFFFFFF, 0x7F800000)
    values = u32([*special, *(rng.getrandbits(rng.randrange(1, 33)) for _ in range(24))])
    for lane, (row, column) in enumerate(PLACES):
        S.vector.lreg[1, lane] = int(values[lane])
        S.vector.lreg[2, lane] = rng.getrandbits(32)
        S.dst.bits[row, column], S.dst.bits[row + 8, column] = rng.getrandbits(16), lane
    old = u32([int(S.vector.lreg[2, lane]) for lane in range(32)])
    high = u32([int(S.dst.bits[row, column]) for row, column in PLACES])
    low = u32([int(S.dst.bits[row + 8, column]) for row, column in PLACES])
    load, store = LOAD << 24 | 2 << 20 | mode << 16, STORE << 24 | 1 << 20 | mode << 16
    both_engines(run_one, record, load, index_of(load, WORMHOLE))
    wanted = loaded(mode, high, low, old)
    if mode == address.INT8:
        wanted = wanted & np.uint32(0x8000007F)
    elif mode in (address.INT32_SM, address.INT8_COMP):
        wanted = twos(wanted)
    assert [int(S.vector.lreg[2, lane]) for lane in range(32)] == wanted.tolist()
    both_engines(run_one, record, store, index_of(store, WORMHOLE))
    kind = address.INT32 if mode == address.FP32 else mode  # denormals stay
    turned = mode in (address.INT32_SM, address.INT8_COMP)
    upper, lower = stored(kind, magnitude(values) if turned else values)
    found = [int(S.dst.bits[row, column]) for row, column in PLACES]
    assert found == upper.tolist()
    if lower is not None:
        assert [int(S.dst.bits[row + 8, column]) for row, column in PLACES] == lower.tolist()


def test_there_is_no_stack_in_dst(record: Record) -> None:
    """INT32_ALL adds two bits of the counter, and no word of the configuration is a pointer."""
    power_up(record.S)
    S, before = record.S, record.snapshot()
    S.rwc.dst[0] = 4 + 2
    for i in range(2, 57):
        config_words.set_thread_config(S, 0, i, 0xFFFF)
    for i in range(8, 152):
        config_words.set_config(S, 0, i, FULL)
    S.dst.bits[0, 1], S.dst.bits[8, 1] = 0x1234, 0x5678
    word = LOAD << 24 | 1 << 20 | address.INT32_ALL << 16
    both_engines(run_one, record, word, index_of(word, WORMHOLE))
    assert (
        S.vector.lreg[1, 0]
        == loaded(address.INT32, u32([0x1234]), u32([0x5678]), u32([0])).tolist()[0]
    )
    assert S.vector.sp[0] == 0
    record.restore(before)


def test_a_shift_of_lanes_brings_what_was_rotated(record: Record) -> None:
    """SFPSHFT2.md: HardwareBug() is lane 7 of what the last rotation has read."""
    power_up(record.S)
    S = record.S
    for lane in range(32):
        S.vector.lreg[1, lane], S.vector.lreg[2, lane] = 100 + lane, 200 + lane
    for text in (
        "SFPSHFT2 vc=L1, vd=L3, mod1=SUBVEC_SHFLROR1",
        "SFPSHFT2 vc=L2, vd=L4, mod1=SUBVEC_SHFLSHR1",
    ):
        word = parse(text, DIALECT)
        both_engines(run_one, record, word, index_of(word, WORMHOLE))
    shifted = [int(S.vector.lreg[4, lane]) for lane in range(9)]
    assert shifted == [107, 200, 201, 202, 203, 204, 205, 206, 115]


# -- what SFPLOADMACRO schedules
@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("SFPMAD va=L1, vb=L2, vc=L3, vd=L0, mod1=3", "SFPMAD va=L1, vb=L2, vc=L3, vd=L0"),
        ("SFPSHFT imm12=-3, vc=L1, vd=L2, mod1=7", "SFPSHFT imm12=-3, vc=L1, vd=L2, mod1=1"),
        ("SFPCAST vc=L1, vd=L0, mod1=2", "SFPCAST vc=L1, vd=L0"),
        ("SFPABS vc=L1, vd=L0", "SFPABS vc=L1, vd=L0"),
    ],
)
def test_scheduled_modes(text: str, same: str, record: Record) -> None:
    """A template has Wormhole's modes: a bit that its page does not read is nothing."""
    S, found = record.S, []
    for each in (text, same):
        power_up(S)
        for lane in range(32):
            for number in range(1, 4):
                S.vector.lreg[number, lane] = bits(-1.5 * number - lane)
        S.vector.lanes = FULL
        assert both_engines(operate, record, parse(each, DIALECT), 2, 1, 0) == 0
        found.append([int(S.vector.lreg[0, lane]) for lane in range(32)])
    assert found[0] == found[1]


def test_blackholes_opcodes_are_none(record: Record) -> None:
    """SFPARECIP and the like: an illegal instruction at a gate, and no template."""
    power_up(record.S)
    for opcode in range(0x96, 0x9A):
        before = bytes(record.snapshot())
        assert both_engines(operate, record, opcode << 24 | 1 << 8, 1, 1, 0) == 0
        assert bytes(record.snapshot()) == before


# -- when results are there
MULTIPLY = "SFPMAD va=L1, vb=L2, vc=L9, vd=L0"
ROTATE = "SFPSHFT2 vc=L1, vd=L3, mod1=SUBVEC_SHFLROR1"


def stops(schedule: Schedule, *texts: str, arch: Arch = WORMHOLE) -> int:
    """The code of the fault that the instructions, one in each cycle, end with; 0 if none."""
    machine = Machine(engine="reference", arch=arch, schedule=schedule)
    dialect = DIALECTS["wormhole" if arch is WORMHOLE else "blackhole"]
    for index, text in enumerate(texts):
        machine.record.S.replay.buffer[0, index] = parse(text, dialect)
    replay = ttinsn(parse(f"REPLAY index=0, count={len(texts)}", dialect))
    stop = run_machine(machine, {T0: [replay]})
    assert stop is not None
    code = int(stop.code) if stop.kind is StopKind.FAULT else 0
    machine.close()
    return code


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ((MULTIPLY, "SFPNOT vc=L0, vd=L4"), Fault.VECTOR_HAZARD),
        ((MULTIPLY, "SFPNOP", "SFPNOT vc=L0, vd=L4"), 0),
        ((MULTIPLY, "SFPNOT vc=L5, vd=L4"), 0),
        # A number of the instruction is in the place of the LReg.
        ((MULTIPLY, "SFPSHFT imm12=31, vc=L0, vd=L4, mod1=ARG_IMM"), 0),
        ((MULTIPLY, "SFPSHFT imm12=31, vc=L0, vd=L4"), Fault.VECTOR_HAZARD),
        ((MULTIPLY, "SFPSHFT imm12=31, vc=L4, vd=L0, mod1=ARG_IMM"), Fault.VECTOR_HAZARD),
        ((MULTIPLY, "SFPSETEXP imm8=1, vc=L4, vd=L0, mod1=ARG_IMM"), 0),
        ((MULTIPLY, "SFPSETEXP imm8=1, vc=L4, vd=L0"), Fault.VECTOR_HAZARD),
        ((MULTIPLY, "SFP_STOCH_RND vb=L0, vc=L4, vd=L4, mod1=FP32_TO_FP16B"), 0),
        ((MULTIPLY, "SFP_STOCH_RND vb=L4, vc=L0, vd=L4, mod1=FP32_TO_FP16B"), Fault.VECTOR_HAZARD),
        ((MULTIPLY, "SFP_STOCH_RND vb=L0, vc=L4, vd=L4, mod1=INT32_TO_INT8"), Fault.VECTOR_HAZARD),
        ((MULTIPLY, "SFPSTORE vd=L0, mod0=FP32"), Fault.VECTOR_HAZARD),
        (("SFPLUTFP32 vd=L0", "SFPNOT vc=L0, vd=L4"), Fault.VECTOR_HAZARD),
        ((ROTATE, "SFPNOT vc=L5, vd=L4"), Fault.VECTOR_SHUFFLED),
        ((ROTATE, "SFPNOP", "SFPNOT vc=L3, vd=L4"), 0),
        ((ROTATE, "SFPLOADI vd=L4, mod0=USHORT, imm16=1"), 0),
        ((ROTATE, "SFPSHFT2 vc=L1, vd=L4, mod1=SUBVEC_SHFLROR1"), 0),
        ((ROTATE, "SFPSHFT2 vb=L1, vc=L2, vd=L4, mod1=SHFT_LREG"), Fault.VECTOR_SHUFFLED),
        # After SFPSWAP the hardware waits, here too.
        (("SFPSWAP vc=L1, vd=L2, mod1=SWAP", "SFPNOT vc=L2, vd=L4"), 0),
    ],
)
def test_software_has_to_wait(texts: tuple[str, ...], code: int) -> None:
    """SFPMAD.md, SFPSHFT2.md, SFPSWAP.md, "Instruction scheduling"."""
    assert stops(Schedule.LATENCY, *texts) == code
    assert stops(Schedule.SC, *texts) == 0  # results are there at once


def test_blackhole_waits_by_itself() -> None:
    for texts in ((MULTIPLY, "SFPNOT vc=L0, vd=L4"), (ROTATE, "SFPNOT vc=L5, vd=L4")):
        assert stops(Schedule.LATENCY, *texts, arch=Arch.BLACKHOLE) == 0
