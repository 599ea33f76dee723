# SPDX-License-Identifier: Apache-2.0
"""Every fault: it stops at the guilty instruction, changes nothing, and says what to try."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES, NC, T0, T1, T2, B
from tensix_gdb.core.faults.codes import ENTRIES, Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.assembler import NOP, asm, image, li
from tests.core.tensix.programs import push_all

SOFT_RESET = 0xFFB121B0
PUSH = 0xFFE40000


def load(addr: int, name: str = "lw") -> list[int]:
    return [*li(8, addr), asm(name, rd=5, rs1=8)]


def store(addr: int, name: str = "sw", value: int = 0) -> list[int]:
    return [*li(9, value), *li(8, addr), asm(name, rs1=8, rs2=9)]


def csr(number: int, name: str = "csrrs") -> list[int]:
    return [asm(name, rd=5, rs1=0, imm=number)]


VADD = 0x02208057  # vadd.vv v0, v2, v1
VADD_MASKED = 0x00208057
VFADD = 0x02209057
VSETVLI_E64 = 0x018070D7  # vsetvli ra, zero, e64, m1
VLE8 = 0x02808007  # vl1re8.v v0, (ra)
LR_W = 0x1000A02F

# code, the hart, the program whose last instruction is guilty, what the sentence says
# fmt: off
CASES = [
    (Fault.ILLEGAL_INSTRUCTION,       B,  [0xFFFFFFFF],                    "0xffffffff is not"),
    (Fault.ILLEGAL_INSTRUCTION,       B,  [LR_W],                          "0x1000a02f is not"),
    (Fault.ILLEGAL_INSTRUCTION,       T1, [VADD],                          "0x02208057 is not"),
    (Fault.RVV_TYPE,                  T2, [VSETVLI_E64],                   "vtype 0x18"),
    (Fault.RVV_REGISTERS,             T2, [VADD_MASKED],                   "reserves"),
    (Fault.RVV_FLOAT,                 T2, [VFADD],                         "elements of 8 bits"),
    (Fault.RVV_DEVICE,                T2, [*li(1, 0xFFB12000), VLE8],      "vector access of 1"),
    (Fault.LOAD_UNMAPPED,             B,  load(0x00180000),                "load of 4 bytes"),
    (Fault.LOAD_UNMAPPED,             T0, load(0xFFB01000, "lbu"),         "load of 1 bytes"),
    (Fault.LOAD_UNMAPPED,             NC, load(0xFFE80000),                "0xffe80000"),
    (Fault.STORE_UNMAPPED,            B,  store(0xFFB1F000),               "store of 4 bytes"),
    (Fault.STORE_UNMAPPED,            NC, [4],                             "0xffe40000"),
    (Fault.LOAD_MISALIGNED,           B,  load(0x102),                     "not a multiple of 4"),
    (Fault.LOAD_MISALIGNED,           B,  load(0x101, "amoor.w"),          "not a multiple of 4"),
    (Fault.STORE_MISALIGNED,          B,  store(0x101, "sh"),              "not a multiple of 2"),
    (Fault.AMO_OUTSIDE_L1,            B,  load(0xFFB00000, "amoswap.w"),   "atomics work on L1"),
    (Fault.UNKNOWN_CSR,               B,  csr(0x123),                      "CSR 0x123"),
    (Fault.UNKNOWN_CSR,               B,  csr(0xC21),                      "CSR 0xc21"),
    (Fault.UNIMPLEMENTED_CSR,         T0, csr(0xBC2),                      "CSR 0xbc2"),
    (Fault.LOAD_WRITE_ONLY,           B,  load(PUSH),                      "can only be written"),
    (Fault.STORE_WIDTH,               B,  store(PUSH, "sb"),               "the push window"),
    (Fault.STORE_WIDTH,               B,  store(SOFT_RESET, "sh"),         "tile control"),
    (Fault.PUSH_OTHER_THREAD,         T0, store(0xFFE50000),               "only B may push"),
    (Fault.PUSH_INVALID,              B,  store(PUSH, value=0xC0000000),   "0xc0000000"),
    (Fault.MRET_WITHOUT_INTERRUPTS,   T0, [asm("mret")],                   "only B and NC"),
    (Fault.FETCH_OUTSIDE_L1,          B,  [*li(8, 0xFFB00000), asm("jalr", rs1=8)], "left L1"),
    (Fault.FETCH_MISALIGNED,          B,  [asm("jal", imm=6)],             "multiple of 4"),
]
# fmt: on


def named(value: object) -> str | None:
    """A fault by its name, so that `-k` finds it."""
    return value.name if isinstance(value, Fault) else None


@pytest.mark.parametrize(("code", "hart", "program", "said"), CASES, ids=named)
def test_a_fault(machine: Machine, code: Fault, hart: int, program: list[int], said: str) -> None:
    machine.load(hart, image(program, 0x400))
    stop = machine.run(100)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    assert Fault(stop.code) is code
    if code not in (Fault.FETCH_OUTSIDE_L1, Fault.FETCH_MISALIGNED):
        assert stop.pc == 0x400 + 4 * (len(program) - 1)
    assert stop.text.startswith(f"{HART_NAMES[hart]} at {stop.pc:#010x}: ")
    assert said in stop.text
    assert " Next: " in stop.text
    before = machine.hash()
    again = machine.run(100)
    assert again == stop
    assert machine.hash() == before, "a faulting instruction changes nothing"


def test_every_code_has_words() -> None:
    assert set(ENTRIES) == set(Fault)


# hart, the program whose last instruction is guilty, what is to be tried next
NEXT = [
    (
        T0,
        store(0xFFB01FFC),
        "was the program linked for B or NC? The local RAM of T0 ends at 0xffb0",
    ),
    (NC, store(0xFFB02000), "check the pointer"),
    (T0, [*li(2, 0xFFB00000), asm("sw", rs1=2, rs2=0, imm=-4)], "check the pointer"),
    (T0, [*li(2, 0xFFAFFFF0), asm("sw", rs1=2, rs2=0)], "the stack has grown out of local RAM"),
    (T1, push_all([0]), "look at what was stored to the push window there"),
    (T1, push_all(["REPLAY index=1, len=2"]), "look at `monitor replay T1`: REPLAY plays what was"),
    (T1, [asm("jal", rd=1, imm=0x100)], "no program has code there, so the pc has gone astray"),
]


@pytest.mark.parametrize(("hart", "program", "following"), NEXT)
def test_what_to_try_next(machine: Machine, hart: int, program: list[int], following: str) -> None:
    machine.load(hart, image([*program, 0x6F], 0x1000 * (hart + 1)))
    stop = machine.run(2000)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    assert f". Next: {following}" in stop.text


def test_the_other_harts_go_on_where_they_were(machine: Machine) -> None:
    machine.load(B, image([NOP, 0xFFFFFFFF]))
    machine.load(T0, image([asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)], 0x6000))
    assert machine.run(100) is not None
    machine.freeze([B])
    assert machine.run(100) is None
    assert machine.read_x(T0, 5) == 51


def test_a_bank_of_the_configuration_that_nobody_has_written(machine: Machine) -> None:
    """The unpacker's words on formats are of no use then."""
    machine.S.config.word[0, 64] = 1
    choice = "SETC16 CFG_STATE_ID_StateID, 1"
    program = [choice, "SETADCXX u0=1, x1_val=15, x0_val=0", "UNPACR.Regular which_unpacker=UNP0"]
    machine.load(T0, image([*push_all(program), 0x6F], 0x1000))
    # Loading resets nothing, so the word that was written is still there.
    stop = machine.run(2000)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    assert ". Next: T0 unpack has chosen bank 1 of the configuration (CFG_STATE_ID)" in stop.text
