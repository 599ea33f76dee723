# SPDX-License-Identifier: Apache-2.0
"""The PIC: interrupts of B and NC, vectors, mret, round robin; and pc snapshots."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.assembler import NOP, asm, image, li
from tests.core.devices.scripts import (
    FENCE,
    PLACES,
    Load,
    Store,
    fault_of,
    loaded,
    program,
    run,
    start,
)

PIC = 0xFFB13000
SW_INT, HW_INT, SW_INT_PC, HW_INT_PC, SNAPSHOT = (
    PIC + at for at in (0x18, 0x98, 0xA8, 0x128, 0x138)
)
ENABLE = {B: PIC + 0x0, NC: PIC + 0xC}
NUMBER = {B: PIC + 0x8, NC: PIC + 0x14}
HANDLER = 0x3000
SEEN = 0x4000  # in L1: how often the handler ran, and for which request
MRET = asm("mret")


def handler(hart: int, request: int) -> list[int]:
    """Count in x5 and x6 += INT_NO; clear the request by loading it."""
    return [
        *(*li(28, NUMBER[hart]), asm("lw", rd=29, rs1=28), asm("add", rd=6, rs1=6, rs2=29)),
        *(*li(28, SW_INT + 4 * request), asm("lw", rd=30, rs1=28)),
        *(asm("addi", rd=5, rs1=5, imm=1), FENCE, MRET),
    ]


def put(tile: Machine, addr: int, words: list[int]) -> None:
    tile.load_bytes(addr, b"".join(word.to_bytes(4, "little") for word in words))


@pytest.mark.parametrize("hart", [B, NC])
def test_a_software_interrupt(tile: Machine, hart: int) -> None:
    put(tile, HANDLER, handler(hart, 3))
    steps = [
        *(Store(SW_INT_PC + 12, HANDLER), Store(ENABLE[hart], 1 << 3), Store(SW_INT + 12, 0xAB)),
        *[NOP] * 100,
        Load(SW_INT + 12),
    ]
    assert run(tile, hart, *steps) == [0], "the handler has cleared it"
    assert tile.read_x(hart, 5) == 1
    assert tile.read_x(hart, 6) == 3
    assert tile.read_x(hart, 30) == 0xAB, "a load gives the value that was stored"


@pytest.mark.parametrize("hart", [B, NC])
def test_another_core_raises_it(tile: Machine, hart: int) -> None:
    put(tile, HANDLER, handler(hart, 9))
    prepare = [Store(SW_INT_PC + 36, HANDLER), Store(ENABLE[hart], 1 << 9)]
    loop = [asm("addi", rd=7, rs1=7, imm=1), asm("jal", imm=-4)]
    tile.load(hart, image([*_words(prepare), *loop], PLACES[hart]))
    start(tile, {T1: [*[NOP] * 400, Store(SW_INT + 36, 1)]})
    tile.run(3000)  # as long as T1 takes
    tile.run(300)
    assert tile.read_x(hart, 5) == 1
    assert tile.read_x(hart, 7) > 100
    assert PLACES[hart] <= tile.read_pc(hart) < HANDLER * 8, "it is back in its loop"


def _words(steps: list[Store]) -> list[int]:
    return program(steps)[:-1]


def test_without_enable_nothing_happens(tile: Machine) -> None:
    put(tile, HANDLER, handler(B, 0))
    steps = [Store(SW_INT_PC, HANDLER), Store(SW_INT, 5), *[NOP] * 50, Load(SW_INT), Load(SW_INT)]
    assert run(tile, B, *steps) == [5, 0], "loading clears"
    assert tile.read_x(B, 5) == 0


def test_a_store_of_0_clears(tile: Machine) -> None:
    assert run(tile, B, Store(SW_INT + 4, 5), Store(SW_INT + 4, 0), Load(SW_INT + 4)) == [0]


def test_handlers_do_not_nest_and_requests_take_turns(tile: Machine) -> None:
    # Both are raised before any is enabled; the handler does not clear, so both stay raised.
    put(
        tile,
        HANDLER,
        [
            *(*li(28, NUMBER[B]), asm("lw", rd=29, rs1=28), asm("addi", rd=5, rs1=5, imm=1)),
            *(*li(31, SEEN), asm("add", rd=31, rs1=31, rs2=27), asm("sb", rs1=31, rs2=29)),
            *(asm("addi", rd=27, rs1=27, imm=1), FENCE, MRET),
        ],
    )
    steps = [
        *(Store(SW_INT_PC + 4, HANDLER), Store(SW_INT_PC + 8, HANDLER)),
        *(Store(SW_INT + 4, 1), Store(SW_INT + 8, 1), Store(ENABLE[B], 0b110)),
    ]
    tile.load(B, image([*_words(steps), asm("jal")], PLACES[B]))
    tile.run(3000)
    seen = list(tile.peek(B, SEEN, 8))
    assert seen in ([1, 2] * 4, [2, 1] * 4)
    assert tile.S.pic.number[0] in (1, 2)


def test_the_copy_of_the_return_address(tile: Machine) -> None:
    put(tile, HANDLER, [asm("csrrs", rd=26, imm=0xBCA), *handler(B, 0)])
    steps = [Store(SW_INT_PC, HANDLER), Store(ENABLE[B], 1), Store(SW_INT, 1), *[NOP] * 60]
    run(tile, B, *steps)
    assert PLACES[B] < tile.read_x(B, 26) < PLACES[B] + 0x400


def test_handlers_cannot_write_csrs(tile: Machine) -> None:
    put(tile, HANDLER, [asm("csrrw", rs1=5, imm=0x7C3), MRET])
    steps = [Store(SW_INT_PC, HANDLER), Store(ENABLE[B], 1), Store(SW_INT, 1), *[NOP] * 60]
    code, text = fault_of(tile, B, *steps)
    assert code is Fault.CSR_WRITE_IN_HANDLER
    assert "0x7c3" in text


def test_mret_outside_a_handler(tile: Machine) -> None:
    assert fault_of(tile, NC, MRET)[0] is Fault.MRET_OUTSIDE_HANDLER


def test_mret_on_t0(tile: Machine) -> None:
    assert fault_of(tile, T0, MRET)[0] is Fault.MRET_WITHOUT_INTERRUPTS


def test_registers(tile: Machine) -> None:
    steps = [
        *(Store(PIC + 4, 0xFF), Load(PIC + 4), Store(PIC + 0xC, 0x80000001), Load(PIC + 0xC)),
        *(Store(SW_INT_PC + 31 * 4, 0x1234), Load(SW_INT_PC + 31 * 4)),
        *(Store(HW_INT_PC + 3 * 4, 0x5678), Load(HW_INT_PC + 3 * 4)),
        *(Store(HW_INT, 1), Load(HW_INT)),
    ]
    expected = [0xF, 0x80000001, 0x1234, 0x5678, 0]
    assert run(tile, T0, *steps) == expected, "every core sees them"


def test_looking_does_not_clear(tile: Machine) -> None:
    run(tile, B, Store(SW_INT, 5))
    assert [tile.peek(B, SW_INT, 1)[0] for _ in range(2)] == [5, 5]


def test_pc_snapshots(tile: Machine) -> None:
    spin = {hart: [asm("jal")] for hart in (T0, NC)}
    start(tile, spin)
    tile.run(50)
    order = [Load(SNAPSHOT + 4), Load(SNAPSHOT + 8)]  # B, NC, T0, T1, T2
    start(tile, {B: order})
    stop = tile.run(1000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK
    assert loaded(tile, B, order) == [PLACES[NC], PLACES[T0]]


def test_what_is_not_there(tile: Machine) -> None:
    assert fault_of(tile, B, Load(PIC + 0x200))[0] is Fault.UNKNOWN_REGISTER
