# SPDX-License-Identifier: Apache-2.0
"""Programs with SFPLOADMACRO: sequences, templates, and what they load."""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop
from tests.core.tensix.drive import run_thread
from tests.core.tensix.programs import word
from tests.core.tensix.vector.pages import bits

SIMPLE, MAD, ROUND, STORE = 0, 8, 16, 24  # where the byte of a sub-unit begins
FP32 = 3
LOAD_0 = "SFPLOADMACRO macro_index=0, vd_lo={}, mod0=FP32, imm9={}"
TIMES_L4 = "SFPMUL va=L4, vb=0, vc=L9, vd=12"


def step(template: int, delay: int, *, by_vb: bool = False, extra: bool = False) -> int:
    """A byte of Sequence: template 0 to 3 as 4 to 7; 2 is SFPNOP, 3 SFPSTORE."""
    return template | delay << 3 | extra << 6 | by_vb << 7


def configure(machine: Machine, templates: list[str], sequence: int, misc: int = FP32) -> list[str]:
    """Return the instructions that make sequence 0: templates are written by the back door, as VD
    12 to 15."""
    return [
        *templates,
        f"SFPLOADI vd=L0, mod0=UPPER, imm16={sequence >> 16:#x}",
        f"SFPLOADI vd=L0, mod0=LOWER, imm16={sequence & 0xFFFF:#x}",
        "SFPCONFIG vd=SEQUENCE0",
        f"SFPCONFIG imm16={misc:#x}, vd=MISC, mod1=IMM16_IS_VALUE",
    ]


def fill(machine: Machine, value: float = 1.5) -> None:
    """Datum i of a group of rows is (i + 1) * value, in rows 0 to 15 of Dst32b."""
    S = machine.record.S
    for row in range(16):
        at = (row & 8) << 1 | row & 7
        for column in range(16):
            x = bits(value * (row * 16 + column + 1))
            high = x >> 16
            S.dst.bits[at, column] = high & 0x8000 | (high & 0x7F) << 8 | (high >> 7) & 0xFF
            S.dst.bits[at + 8, column] = x & 0xFFFF
    for lane in range(32):
        S.vector.lreg[4, lane] = bits(2.0)


def datum(machine: Machine, row: int, column: int) -> int:
    S = machine.record.S
    at = (row & 8) << 1 | row & 7
    high = int(S.dst.bits[at, column])
    high = high & 0x8000 | (high & 0xFF) << 7 | (high >> 8) & 0x7F
    return high << 16 | int(S.dst.bits[at + 8, column])


def set_everywhere(machine: Machine, templates: list[str], misc: int) -> None:
    """Templates 0 and on, and Misc, of all columns."""
    S = machine.record.S
    for column in range(8):
        S.vector.misc[column] = misc
        for index, text in enumerate(templates):
            S.vector.template[index, column] = word(text)


def in_one_block(machine: Machine, *texts: str) -> Stop:
    """One instruction in each cycle, in every schedule."""
    for index, text in enumerate(texts):
        machine.record.S.replay.buffer[0, index] = word(text)
    stop = run_thread(machine, [f"REPLAY index=0, count={len(texts)}"])
    assert stop is not None
    return stop
