# SPDX-License-Identifier: Apache-2.0
"""A program that goes wrong only if T0 is late by so many cycles: a window, as in kernels.

    B                                   T0
    write to the mailbox of T0          read it
    wait for OPENS cycles               fence
    X = 1, which no hart should see     load X, and note what it was
    wait until CLOSES                   write to the mailbox of B
    X = 0, and read it: the store is over
    read its mailbox

A round takes some hundred cycles, and there are ROUNDS of them.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, NOP, asm, image, li

# More than requests alone can be late in `random`: 64 cycles each.
OPENS, CLOSES = 143, 243
ROUNDS = 40
X, SEEN = 0x8000, 10
T0_CODE, B_CODE = 0x1000, 0x4000
MAILBOX = 0xFFEC0000  # of B, seen by T0, and the other way round
TO_T0, TO_B = MAILBOX + 0x1000, MAILBOX
BASE, FROM, COUNT, VALUE, ADDR = 5, 6, 7, 8, 9


def _loop(body: list[int]) -> list[int]:
    """A body that is done ROUNDS times."""
    back = -4 * (len(body) + 1)
    return [
        *li(COUNT, ROUNDS),
        *body,
        asm("addi", rd=COUNT, rs1=COUNT, imm=-1),
        asm("bne", rs1=COUNT, imm=back),
        EBREAK,
    ]


LOADED = [
    asm("lw", rd=VALUE, rs1=FROM),
    asm("fence"),
    asm("lw", rd=VALUE, rs1=ADDR),
    asm("or", rd=SEEN, rs1=SEEN, rs2=VALUE),
    asm("sw", rs1=BASE, rs2=COUNT),
]
T0_PROGRAM = [*li(BASE, TO_B), *li(FROM, TO_B), *li(ADDR, X), *_loop(LOADED)]
LOAD_AT = T0_CODE + 4 * (8 + 2)  # comes after the message
B_PROGRAM = [
    *li(BASE, TO_T0),
    *li(FROM, TO_T0),
    *li(ADDR, X),
    *_loop([
        asm("sw", rs1=BASE, rs2=COUNT),
        *[NOP] * OPENS,
        asm("sw", rs1=ADDR, rs2=COUNT),
        *[NOP] * (CLOSES - OPENS),
        asm("sw", rs1=ADDR),
        asm("lw", rd=VALUE, rs1=ADDR),
        asm("add", rd=VALUE, rs1=VALUE),
        asm("lw", rd=VALUE, rs1=FROM),
    ]),
]  # fmt: skip


def load(machine: Machine) -> None:
    """Put the program into a tile."""
    machine.load(T0, image(T0_PROGRAM, T0_CODE))
    machine.load(B, image(B_PROGRAM, B_CODE))


def goes_wrong(machine: Machine) -> bool:
    """Run it to its end: did T0 see what it should not?"""
    while (stop := machine.run(1_000_000)) is None or stop.kind is StopKind.EBREAK:
        pass
    assert stop.kind is StopKind.ALL_PAUSED
    return bool(machine.read_x(T0, SEEN))


def again(machine: Machine, execution: str) -> None:
    """The same program from its start, in another execution."""
    machine.reschedule(Execution.parse(execution))
    machine.reset()
