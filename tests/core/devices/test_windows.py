# SPDX-License-Identifier: Apache-2.0
"""The harts' view of the coprocessor as storage: GPRs, configuration, MOP expander, TDMA-RISC."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.core.devices.scripts import Load, Store, fault_of, finish, loaded, run, start

GPRS, CONFIG, MOP_CONFIG, TDMA = 0xFFE00000, 0xFFEF0000, 0xFFB80000, 0xFFB11000
BANK_1, DUAL, THREAD_CONFIG = CONFIG + 0x380, CONFIG + 0x700, CONFIG + 0xA80
STATE_RESET_EN, GLOBAL, IC_INVALIDATE = 4, 180, 185
READ_CONTROL, READ_DATA = 0xFFB12058, 0xFFB12078
SOFT_RESET_0, HELD = 0xFFB121B0, 0x47000
TS = (T0, T1, T2)


# GPRs (TensixCoprocessor/ScalarUnit.md)


@pytest.mark.parametrize("hart", TS)
def test_b_sees_the_gprs_of_all_threads(tile: Machine, hart: int) -> None:
    number = 5
    at = GPRS + 4 * number
    start(tile, {hart: [Store(at, 0xABCD0000 + hart), Load(at)]})
    assert finish(tile) is None
    assert loaded(tile, hart, [Load(0)]) == [0xABCD0000 + hart]
    assert run(tile, B, Load(at + 256 * (hart - T0))) == [0xABCD0000 + hart]


def test_gprs_behave_as_memory(tile: Machine) -> None:
    steps = [
        *(Store(GPRS, 0x11223344), Store(GPRS + 1, 0xAA, "sb"), Store(GPRS + 2, 0xBBCC, "sh")),
        *(Load(GPRS), Load(GPRS + 1, "lbu"), Load(GPRS + 2, "lhu"), Load(GPRS + 1, "lb")),
    ]
    assert run(tile, T1, *steps) == [0xBBCCAA44, 0xAA, 0xBBCC, 0xFFFFFFAA]


def test_a_t_core_s_gprs_repeat(tile: Machine) -> None:
    assert run(tile, T2, Store(GPRS + 8, 7), Load(GPRS + 8 + 256), Load(GPRS + 0xF08)) == [7, 7]


def test_gprs_that_are_not_there(tile: Machine) -> None:
    assert fault_of(tile, B, Load(GPRS + 3 * 256))[0] is Fault.LOAD_UNMAPPED


def test_nc_has_no_gprs(tile: Machine) -> None:
    assert fault_of(tile, NC, Store(GPRS, 1))[0] is Fault.STORE_UNMAPPED


# Backend configuration (TensixCoprocessor/BackendConfiguration.md)


@pytest.mark.parametrize("hart", [B, *TS])
def test_two_banks(tile: Machine, hart: int) -> None:
    steps = [
        *(Store(CONFIG + 40, 1), Store(BANK_1 + 40, 2), Load(CONFIG + 40), Load(BANK_1 + 40)),
        *(Store(DUAL + 44, 3), Load(CONFIG + 44), Load(BANK_1 + 44), Load(DUAL + 44)),
    ]
    assert run(tile, hart, *steps) == [1, 2, 3, 3, 3]


def test_global_words_are_the_same_in_both(tile: Machine) -> None:
    at = 4 * GLOBAL
    steps = [Store(CONFIG + at, 6), Load(BANK_1 + at), Store(BANK_1 + at, 7), Load(CONFIG + at)]
    assert run(tile, T0, *steps) == [6, 7]


def test_state_reset_en_clears_the_bank(tile: Machine) -> None:
    at = 4 * (GLOBAL - 1)
    steps = [
        *(Store(CONFIG + at, 5), Store(BANK_1 + at, 6), Store(CONFIG + 4 * GLOBAL, 7)),
        Store(CONFIG + 4 * STATE_RESET_EN, 0),
        *(Load(CONFIG + at), Load(BANK_1 + at), Load(CONFIG + 4 * GLOBAL)),
    ]
    assert run(tile, B, *steps) == [0, 6, 7]


def test_thread_config_is_read_only_for_harts(tile: Machine) -> None:
    tile.S.config.thread[1, 2] = 0xBEEF
    assert run(tile, T0, Load(THREAD_CONFIG + 4 * (68 + 2))) == [0xBEEF]
    code, text = fault_of(tile, T1, Store(THREAD_CONFIG, 1))
    assert code is Fault.STORE_THREAD_CONFIG
    assert "SETC16" in text


def test_configuration_is_stored_by_words(tile: Machine) -> None:
    steps = [Store(CONFIG, 0x11223344), Load(CONFIG + 1, "lbu"), Load(CONFIG + 2, "lhu")]
    assert run(tile, B, *steps) == [0x33, 0x1122]
    assert fault_of(tile, T0, Store(CONFIG, 1, "sh"))[0] is Fault.STORE_WIDTH


def test_nc_reads_configuration_through_the_debug_registers(tile: Machine) -> None:
    run(tile, B, Store(CONFIG + 40, 0x1234), Store(BANK_1 + 40, 0x5678))
    steps = [
        *(Store(READ_CONTROL, 10), Load(READ_DATA)),
        *(Store(READ_CONTROL, 0xF800 | 224 + 10), Load(READ_DATA)),
    ]
    assert run(tile, NC, *steps) == [0x1234, 0x5678]


def test_invalidating_instruction_caches_does_nothing_else(tile: Machine) -> None:
    """Harts fetch what L1 holds in any case; the word is global, and no hart is reset by it."""
    at = CONFIG + 4 * IC_INVALIDATE
    steps = [Store(at - 4, 6), Store(at, 0x1F), Load(at), Load(at - 4), Load(SOFT_RESET_0)]
    assert run(tile, B, *steps) == [0x1F, 6, HELD]
    around = [int(tile.S.config.word[bank, IC_INVALIDATE]) for bank in (0, 1)]
    assert around == [0x1F, 0x1F]


def test_thcon_configuration_in_soft_reset(tile: Machine) -> None:
    at = CONFIG + 4 * 64
    steps = [
        *(Store(at, 5), Store(at - 4, 6), Store(SOFT_RESET_0, HELD | 1 << 9)),
        *(Load(at), Load(at - 4), Store(at, 7), Load(at)),
        *(Store(SOFT_RESET_0, HELD), Store(at, 8), Load(at)),
    ]
    assert run(tile, B, *steps) == [0, 6, 0, 8]


# MOP configuration (WormholeB0 TensixCoprocessor/MOPExpander.md)


@pytest.mark.parametrize("hart", TS)
def test_nine_words_of_mop_configuration_per_thread(tile: Machine, hart: int) -> None:
    run(tile, hart, *[Store(MOP_CONFIG + 4 * i, 100 + i) for i in range(9)])
    assert [int(tile.S.mop_config.word[hart - T0, i]) for i in range(9)] == [*range(100, 109)]
    assert tile.peek(hart, MOP_CONFIG + 32, 4)[0] == 108, "a debugger may look"


# fmt: off
MOP_FAULTS = [
    (T0, Load(MOP_CONFIG),            Fault.LOAD_WRITE_ONLY),
    (T0, Store(MOP_CONFIG, 1, "sb"),  Fault.STORE_WIDTH),
    (T0, Store(MOP_CONFIG + 36, 1),   Fault.STORE_UNMAPPED),
    (B,  Store(MOP_CONFIG, 1),        Fault.STORE_UNMAPPED),
]
# fmt: on


@pytest.mark.parametrize(("hart", "step", "code"), MOP_FAULTS)
def test_mop_configuration_cannot(tile: Machine, hart: int, step: Store, code: Fault) -> None:
    assert fault_of(tile, hart, step)[0] is code


# TDMA-RISC (WormholeB0 TDMA-RISC.md)


def test_tdma_is_storage(tile: Machine) -> None:
    steps = [
        *(Load(TDMA + 0x14), Store(TDMA + 0x24, 0x3F), Load(TDMA + 0x24)),
        *(Store(TDMA + 0x3C, 0x7FFFFFF), Load(TDMA + 0x3C)),
        *(Store(TDMA + 0x00, 5), Load(TDMA + 0x00), Load(TDMA + 0x38)),
    ]
    assert run(tile, T0, *steps) == [0x428, 0x3F, 0x7FFFFFF, 0, 0x55]


def test_each_core_has_its_own_base(tile: Machine) -> None:
    base = TDMA + 0x2C
    start(tile, {hart: [Store(base, hart + 1), Load(base)] for hart in (B, *TS)})
    assert finish(tile) is None
    assert [loaded(tile, hart, [Load(0)]) for hart in (B, *TS)] == [[1], [2], [3], [4]]


def test_tdma_in_soft_reset(tile: Machine) -> None:
    at = TDMA + 0x24
    steps = [Store(at, 5), Store(SOFT_RESET_0, HELD | 1 << 8), Store(at, 6), Load(at)]
    assert run(tile, B, *steps) == [5]


def test_the_mover_is_not_there(tile: Machine) -> None:
    assert fault_of(tile, B, Store(TDMA + 0x10, 0x41))[0] is Fault.MOVER_COMMAND


def test_popping_an_empty_metadata_fifo(tile: Machine) -> None:
    assert fault_of(tile, T0, Load(TDMA + 0x34))[0] is Fault.METADATA_EMPTY


def test_peeking_at_an_empty_metadata_fifo_waits(tile: Machine) -> None:
    start(tile, {T1: [Load(TDMA + 0x30)]})
    stop = finish(tile)
    assert stop is not None
    assert "waits for a packer" in tile.hart_state(T1)
