# SPDX-License-Identifier: Apache-2.0
"""Random programs twice, with other values in undefined lanes: no other lane becomes different.

In `sc` results are there at once, in the other schedules those of two cycles come later: the
programs run in both, an instruction in each cycle.
"""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.vector.opcodes import Sfp
from tensix_gdb.core.tensix.vector.state import ROW_MASK_SHIFT
from tests.core.tensix.vector.pages import bits
from tests.core.tensix.vector.running import FULL, fresh, index_of, next_cycle, run_one

# Without loads and stores, SFPCONFIG, and what draws random numbers: of these a lane has the next
# one or not, by its flag.
OPCODES = (
    *(Sfp.MULI, Sfp.ADDI, Sfp.DIVP2, Sfp.EXEXP, Sfp.EXMAN, Sfp.IADD, Sfp.SHFT, Sfp.SETCC, Sfp.ABS),
    *(Sfp.AND, Sfp.OR, Sfp.NOT, Sfp.LZ, Sfp.SETEXP, Sfp.SETMAN, Sfp.MAD, Sfp.ADD, Sfp.MUL),
    *(Sfp.PUSHC, Sfp.POPC, Sfp.SETSGN, Sfp.ENCC, Sfp.COMPC, Sfp.TRANSP, Sfp.XOR, Sfp.SWAP),
    *(Sfp.SHFT2, Sfp.LUTFP32, Sfp.LE, Sfp.GT, Sfp.MUL24, Sfp.ARECIP, Sfp.LUT, Sfp.MOV),
)
CONDITIONS = (Sfp.SETCC, Sfp.COMPC, Sfp.PUSHC, Sfp.POPC)
LREGS = 8
RANDOM_BITS = 9 << 8 | 8  # VC and Mod1 of SFPMOV


def drawn(rng: random.Random) -> int:
    """An instruction whose VD is an LReg."""
    opcode = rng.choice(CONDITIONS if rng.random() < 0.3 else OPCODES)
    word = opcode << 24 | rng.getrandbits(24)
    if opcode == Sfp.MOV and word & RANDOM_BITS == RANDOM_BITS:
        word &= ~8
    return word & ~(0x800000 if opcode == Sfp.LUT else 0x80)


def two_records(rng: random.Random, schedule: Schedule) -> tuple[Record, Record]:
    """The same but for what is in undefined lanes."""
    records = fresh(), fresh()
    masked = [rng.getrandbits(4) << ROW_MASK_SHIFT if rng.random() < 0.2 else 0 for _ in range(8)]
    for record in records:
        record.S.schedule.kind = schedule
        for column, rows in enumerate(masked):
            record.S.vector.config[column] = rows
    use = rng.choice((0, FULL, rng.getrandbits(32)))
    for number in range(LREGS):
        lanes = rng.getrandbits(32) & rng.getrandbits(32) if rng.random() < 0.5 else 0
        for lane in range(32):
            values = [rng.choice((rng.getrandbits(32), bits(rng.uniform(-4, 4)))) for _ in "ab"]
            for record, value in zip(records, values, strict=True):
                chosen = value if lanes >> lane & 1 else values[0]
                record.S.vector.lreg[number, lane] = chosen
        for record in records:
            record.S.vector.undefined[number] = lanes
            record.S.vector.use_flags = use
            record.S.vector.flags = use
    return records


def unlike(one: View, other: View) -> dict[str, int]:
    """Lanes that differ and are not undefined, by where they are."""
    found = {}
    for number in range(LREGS):
        lanes = sum(
            1 << lane
            for lane in range(32)
            if one.vector.lreg[number, lane] != other.vector.lreg[number, lane]
        )
        marked = int(one.vector.undefined[number]) & int(other.vector.undefined[number])
        found[f"LReg[{number}]"] = lanes & ~marked
    flags = int(one.vector.flags) ^ int(other.vector.flags)
    marked = int(one.vector.flags_undefined) & int(other.vector.flags_undefined)
    found["flags"] = flags & ~marked
    found["use"] = int(one.vector.use_flags) ^ int(other.vector.use_flags)
    return {name: lanes for name, lanes in found.items() if lanes}


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
@pytest.mark.parametrize("seed", range(12))
def test_no_other_lane_becomes_different(seed: int, schedule: Schedule) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        one, other = two_records(rng, schedule)
        words = []
        for _ in range(6):
            words.append(drawn(rng))
            codes = []
            for record in (one, other):
                next_cycle(record.S)
                run_one(record.S, words[-1], index_of(words[-1]))
                codes.append(int(record.S.stop.code))
            if Fault.VECTOR_UNDEFINED in codes:
                break
            assert codes[0] == codes[1]
            texts = [f"{word:#010x}" for word in words]
            assert unlike(one.S, other.S) == {}, texts
        for _ in range(3):
            next_cycle(one.S)
            next_cycle(other.S)
        assert unlike(one.S, other.S) == {}, texts
