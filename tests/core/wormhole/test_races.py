# SPDX-License-Identifier: Apache-2.0
"""Races, checks and origins on a Wormhole tile, by the words and names of its own configuration."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, T0, T2
from tensix_gdb.core.devices.wormhole.config_places import CONFIG_RUNS, place
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import Asked, read_question
from tensix_gdb.core.origin.elements import element_at
from tensix_gdb.core.origin.words import name_of
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.registers.own_words import on_wormhole, value, words
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image, li
from tests.core.tensix.packer.packer import BF16
from tests.core.tensix.programs import ttinsn
from tests.core.wormhole.programs import words_of
from tests.core.wormhole.test_pack import formats
from tests.machines import machine_on

FIELDS = config_fields(Arch.WORMHOLE)
BASE = FIELDS["THCON_SEC0_REG3_Base_address"]
CONFIG = 0xFFEF0000
UNPACR = "UNPACR.Regular which_unpacker=0, multi_context_mode=1"


@pytest.fixture
def tile() -> Iterator[Machine]:
    machine = machine_on("compiled", Schedule.LATENCY, arch=Arch.WORMHOLE)
    machine.observe_races()
    yield machine
    machine.close()


def reports(tile: Machine, hart: int, *program: int) -> list[Report]:
    """The reports of a program of one hart."""
    tile.load(hart, image([*program, *[asm("addi")] * 40, EBREAK], 0x6000 + 0x4000 * hart))
    tile.run(5000)
    return list(tile.races().reports)


def store(word: int, number: int) -> list[int]:
    return [*li(5, CONFIG + 4 * word), *li(6, number), asm("sw", rs1=5, rs2=6)]


def push(*texts: str) -> list[int]:
    return [ttinsn(word) for word in words_of(texts)]


def test_a_store_and_the_unpacker_that_reads_the_field(tile: Machine) -> None:
    (report,) = reports(tile, T0, *store(BASE.word, 0x1000), *push(UNPACR))
    assert report.place.words.startswith("cfg THCON_SEC0_REG3_Base_address")
    assert f" 0 (word {BASE.word})" in report.place.name
    assert report.later.instruction == "UNPACR"


def test_c13_orders_them(tile: Machine) -> None:
    wait = "STALLWAIT block=B3, wait=C13"
    assert not reports(tile, T0, *store(BASE.word, 0x1000), *push(wait, UNPACR))


def test_no_condition_for_the_configuration_unit(tile: Machine) -> None:
    """A fix does not name C12, which is the mover's there."""
    texts = (f"WRCFG cfg_index={BASE.word}, input_reg=1", UNPACR)
    (report,) = reports(tile, T0, *push(*texts))
    assert report.fix is not None
    assert report.fix.text == "TTI_NOP"


def test_a_wait_for_another_condition_is_said(tile: Machine) -> None:
    """Bit 10 of a wait that another thread would need is SrcA's there."""
    wait = "STALLWAIT block=B3, wait=C12"
    (report,) = reports(tile, T0, *store(BASE.word, 0x1000), *push(wait, UNPACR))
    assert report.failed is not None
    assert report.failed.text == "STALLWAIT(p_stall::STALL_UNPACK, p_stall::XMOV)"


def test_a_word_that_is_blackholes_is_none(tile: Machine) -> None:
    """Word 76 has the base address there; on Wormhole the unpacker does not read it."""
    other = [field for field in FIELDS.values() if field.word == 76 and "Base" in field.name]
    assert not other
    assert not reports(tile, T0, *store(76, 1), *push(UNPACR))


def test_two_writers_of_a_word(tile: Machine) -> None:
    """WRCFG names the same word as the store, and its cell is the same."""
    text = f"WRCFG cfg_index={BASE.word}, input_reg=1"
    (report,) = reports(tile, T0, *store(BASE.word, 7), *push(text))
    assert report.fix is not None
    assert report.fix.text == "TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::TRISC_CFG)"
    assert {report.earlier.instruction, report.later.instruction} == {"sw", "WRCFG"}


@pytest.mark.parametrize(("mask", "wait"), [(1, "C3"), (2, "C4"), (4, "C5"), (8, "C6")])
def test_each_packer_has_its_condition(tile: Machine, mask: int, wait: str) -> None:
    """A row of Dst is overwritten after PACR: the packer's own condition orders it."""
    pack = f"PACR packer_mask={mask}, last=1"
    write = "ZEROACC clear_mode=3"
    formats(tile, BF16, BF16)
    assert reports(tile, T2, *push(pack, write))
    machine = machine_on("compiled", Schedule.LATENCY, arch=Arch.WORMHOLE)
    formats(machine, BF16, BF16)
    machine.observe_races()
    assert not reports(machine, T2, *push(pack, f"STALLWAIT block=B6, wait={wait}", write))
    machine.close()


@pytest.mark.parametrize("written", [False, True])
def test_reg2flop_writes_the_configuration(written: bool) -> None:
    """A read of what it has written is no read of what nothing has written; the thread waits for
    its end."""
    machine = machine_on("reference", Schedule.LATENCY, arch=Arch.WORMHOLE)
    machine.observe_races()
    copy = f"REG2FLOP.Configuration size_sel=1, thcon_cfg_index={BASE.word - 52}, input_reg=4"
    machine.load(T0, image([*push(*[copy] * written, UNPACR), *[asm("addi")] * 40, EBREAK], 0x6000))
    machine.check_state(["init"], races=True)
    machine.run(2000)
    found = machine.races().reports
    assert {report.check for report in found} == {"U1"}
    assert any(report.place.name.startswith(f"cfg {BASE.name}") for report in found) is not written
    machine.close()


def test_fields_in_words_of_wormhole() -> None:
    """Every bit of the record that Wormhole has is found in the word that has it."""
    for run in CONFIG_RUNS:
        packed = run.at << 16 | run.at_low << 8 | run.width
        assert on_wormhole(packed) == [run.word << 16 | run.low << 8 | run.width]


def test_words_and_leaks() -> None:
    machine = machine_on("reference", Schedule.LATENCY, arch=Arch.WORMHOLE)
    word = FIELDS["THCON_SEC0_REG2_Out_data_format"].word
    machine.load(T0, image([*store(word, 0x5), EBREAK], 0x6000))
    machine.check_state(["leaks", "init"])
    machine.run(500)
    assert value(machine.S, 0, word) == words(machine.S, 0)[word] == 5
    (report,) = machine.races().reports
    assert report.place.name == f"cfg THCON_SEC0_REG2_Out_data_format 0 (word {word})"
    machine.close()


def test_a_stack_is_in_the_local_ram_of_the_chip() -> None:
    """A T core has 2 KiB: what ends there is no data below the stack."""
    machine = machine_on("reference", Schedule.LATENCY, arch=Arch.WORMHOLE)
    program = image([*li(2, LOCAL_BASE + 0x800), asm("addi", rd=2, rs1=2, imm=-16), EBREAK], 0x6000)
    machine.load(T0, program)
    machine.check_state(["memory"])
    machine.run(200)
    assert not machine.races().reports
    assert int(machine.S.state.lowest[T0]) == LOCAL_BASE + 0x7F0
    machine.close()


def test_a_field_by_its_own_name() -> None:
    """Also of one that only Wormhole has, or has elsewhere."""
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    own = "THCON_SEC1_REG8_Addr_cnt_context"
    for name in ("THCON_SEC0_REG3_Base_address", own):
        found: Asked = read_question(machine, ["cfg", name])
        assert found.bits == place(name).mask
        element = element_at(found.places[0][0])
        assert name_of(machine, element, found.bits) in (f"cfg {name} 0", f"cfg {name}")
    with pytest.raises(NotAPlace, match="L1, which ends at 0x16e000"):
        read_question(machine, ["0x16e000"])
    with pytest.raises(NotAPlace, match="is not in the local RAM of T0"):
        read_question(machine, ["local", "T0", "0xffb00800"])
    machine.close()
