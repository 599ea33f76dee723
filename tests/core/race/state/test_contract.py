# SPDX-License-Identifier: Apache-2.0
"""C1 to C8, and reads that count for nothing: each with a program that has the mistake and one
without."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, B
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.state import contract
from tensix_gdb.core.race.state.areas import Arguments, Buffer
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, SPIN, asm, image, li
from tests.core.race.state.test_checks import found, load, names, push, registers, store, tile
from tests.core.race.state.test_memory import PAGE, POPPED, RECEIVED, STREAM

__all__ = ["tile"]
CB = Buffer("cb 0", 0x20000, 4 * PAGE, PAGE, STREAM)
OTHER = 0x1000  # from a register of a stream to that of the next one
STORED = "STOREREG data_reg=5, addr_lo={}"
MMIO = 0xFFB00000


def counted(words: Sequence[int], *buffers: Buffer, cycles: int = 3000) -> list[Report]:
    """Return the findings of a program of NC that counts pages wrongly."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(NC, image([*words, SPIN], 0x6000))
    state = machine.check_state(("memory",))
    state.buffers = list(buffers or (CB,))
    state.note_programs()
    machine.run(cycles)
    reports = list(machine.races().reports)
    machine.close()
    return reports


def counts(*pairs: tuple[int, int]) -> list[int]:
    """Store counts of pages, one after the other."""
    return [word for addr, value in pairs for word in store(addr, value)]


def test_a_buffer_that_the_program_has_not() -> None:
    (report,) = counted(counts((RECEIVED + OTHER, 1)))
    assert (report.check, report.place.name) == ("C2", f"cb {STREAM + 1}")
    (report,) = counted(load(RECEIVED + OTHER))
    assert report.check == "C2"
    assert counted(counts((RECEIVED, 1))) == []


def test_other_registers_of_a_stream_are_none_of_a_buffer() -> None:
    assert counted(counts((RECEIVED + OTHER + 4, 1))) == []


def test_more_pages_than_there_are() -> None:
    (report,) = counted(counts((RECEIVED, 5)))
    assert (report.check, report.place.name) == ("C3", "cb 0")
    assert "These are 5, and it has 4." in report.reason


def test_a_push_without_room() -> None:
    (report,) = counted(counts((RECEIVED, 2), (RECEIVED, 4), (RECEIVED, 5)))
    assert report.check == "C3"
    assert "With them 5 pages are in it, and it has 4." in report.reason


def test_a_pop_of_what_was_not_pushed() -> None:
    (report,) = counted(counts((RECEIVED, 1), (POPPED, 2)))
    assert report.check == "C3"
    assert "1 of them were not pushed" in report.reason


def test_pages_that_do_not_divide_the_buffer() -> None:
    (report,) = counted(counts((RECEIVED, 3), (POPPED, 3), (RECEIVED, 6)))
    assert (report.check, report.later.instruction) == ("C4", "sw")
    assert "It has 4 pages, and 3 do not fit before its end." in report.reason
    assert counted(counts((RECEIVED, 2), (RECEIVED, 4), (POPPED, 4), (RECEIVED, 8))) == []


@pytest.mark.parametrize(("wanted", "found"), [(3, []), (4, []), (5, ["C3"])])
def test_a_wait_for_more_pages_than_there_are(wanted: int, found: list[str]) -> None:
    """cb_wait_front: received - acknowledged < wanted goes round."""
    words = [*li(5, RECEIVED), *li(6, wanted), asm("fence"), asm("lw", rd=7, rs1=5)]
    words += [asm("blt", rs1=7, rs2=6, imm=-8)]
    assert [one.check for one in counted(words)] == found


def test_a_store_to_address_0() -> None:
    (report,) = counted(store(0, 1))
    assert (report.check, report.place.name) == ("C5", "L1 0x0")


def test_a_store_to_address_0_of_a_program_is_one_into_a_program(tile: Machine) -> None:
    assert names(found(tile, store(0, SPIN), "memory")) == [("M2", "L1 0x0")]


@pytest.mark.parametrize("by", [0, 3])
@pytest.mark.parametrize("name", ["div", "divu", "rem", "remu"])
def test_a_division_by_zero(tile: Machine, name: str, by: int) -> None:
    words = [*li(5, 7), *li(6, by), asm(name, rd=7, rs1=5, rs2=6)]
    reports = found(tile, words, "memory")
    assert [(one.check, one.later.instruction) for one in reports] == ([] if by else [("C6", name)])


def test_a_post_of_a_semaphore_without_seminit(tile: Machine) -> None:
    (report,) = found(tile, push("SEMPOST semaphore_mask=2"), "memory")
    assert (report.check, report.place.name) == ("C8", "sem 1")


def test_a_post_of_one_with_seminit(tile: Machine) -> None:
    words = push("SEMINIT new_max=2, new_value=0, semaphore_mask=2", "SEMPOST semaphore_mask=2")
    assert found(tile, words, "memory") == []


OFFSET = config_fields(Arch.BLACKHOLE)["DEST_TARGET_REG_CFG_MATH_Offset"].word


def halves(*texts: str) -> list[int]:
    """Select the upper half of Dst and the lower one, as a kernel with SyncHalf does."""
    return push(
        f"SETC16 cfg_index={OFFSET}, new_value=512", f"SETC16 cfg_index={OFFSET}, new_value=0",
        "SFPLOADI vd=L3, mod0=0, imm16=1", *texts,
    )  # fmt: skip


def test_a_row_of_the_other_half_of_dst(tile: Machine) -> None:
    reports = found(tile, halves("SFPSTORE vd=L3, mod0=BF16, imm10=512"), "memory")
    assert [one.check for one in reports] == ["C7"]
    assert "The offset of thread 0 selects the lower half." in reports[0].reason


def test_a_row_of_the_own_half(tile: Machine) -> None:
    assert found(tile, halves("SFPSTORE vd=L3, mod0=BF16, imm10=508"), "memory") == []


def test_a_kernel_that_uses_dst_as_a_whole(tile: Machine) -> None:
    words = push("SFPLOADI vd=L3, mod0=0, imm16=1", "SFPSTORE vd=L3, mod0=BF16, imm10=512")
    assert found(tile, words, "memory") == []


ARGUMENTS = 0x30000


@pytest.mark.parametrize(("hart", "number", "said"), [
    (T0, 3, ""), (T0, 4, "It is argument 4, and there is room up to number 3."),
    (T1, 4, ""), (T1, 0, ""), (T0, 40, "It is argument 40, and there is room up to number 3."),
])  # fmt: skip
def test_arguments(monkeypatch: pytest.MonkeyPatch, hart: int, number: int, said: str) -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    names = ["get_arg_val<unsigned int> dataflow_api.h"]
    monkeypatch.setattr(machine, "_functions_at", lambda hart, pc: names)
    machine.load(hart, image([*load(ARGUMENTS + 4 * number), EBREAK]))
    state = machine.check_state(("memory",))
    own = Arguments(T0, ARGUMENTS, ARGUMENTS + 16)
    state.arguments = [own, Arguments(T1, ARGUMENTS + 16, ARGUMENTS + 32)]
    state.note_programs()
    machine.run(400)
    reports = machine.races().reports
    machine.close()
    if hart == T1 and number == 0:
        assert [one.check for one in reports] == ["C1"]  # those of the kernel before
        return
    assert [one.check for one in reports] == (["C1"] if said else [])
    assert all(said in one.reason for one in reports)


def test_a_load_that_is_no_argument() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(T0, image([*load(ARGUMENTS + 16), EBREAK]))
    state = machine.check_state(("memory",))
    state.arguments = [Arguments(T0, ARGUMENTS, ARGUMENTS + 16)]
    state.note_programs()
    machine.run(400)
    assert list(machine.races().reports) == []
    machine.close()


# Reads that count for nothing


def test_the_half_of_a_gpr_that_a_register_keeps(tile: Machine) -> None:
    """As llk_pop_tiles: a register of 16 bits, and SETDMAREG of the low half."""
    words = push(
        "SETDMAREG.Immediate new_value=5, result_half_reg=G5_lo",
        STORED.format((RECEIVED - MMIO) >> 2),
    )
    assert found(tile, words, "init") == []


def test_the_half_of_a_gpr_that_a_field_has(tile: Machine) -> None:
    word = config_fields(Arch.BLACKHOLE)["DEST_REGW_BASE_Base"].word
    copy = f"WRCFG input_reg=5, is_128bit=0, cfg_index={word}"
    low = "SETDMAREG.Immediate new_value=5, result_half_reg=G5_lo"
    assert found(tile, push(low, copy), "init") == []


def test_the_half_that_a_field_has_is_missing(tile: Machine) -> None:
    word = config_fields(Arch.BLACKHOLE)["DEST_REGW_BASE_Base"].word
    copy = f"WRCFG input_reg=5, is_128bit=0, cfg_index={word}"
    assert names(found(tile, push(copy), "init")) == [("U1", "gpr T0 5")]


def test_a_field_that_adds_nothing_at_reset(tile: Machine) -> None:
    """DEST_REGW_BASE and DEST_SP_BASE are added to a row; how wide Dst is has to be said."""
    reports = found(tile, push("SFPLOAD vd=L3, mod0=FP32, imm10=0"), "init")
    fields = [one.place.name for one in reports if one not in registers_of(reports)]
    assert fields == ["cfg ALU_ACC_CTRL_SFPU_Fp32_enabled 0 (word 1)"]


def registers_of(reports: Sequence[Report]) -> list[Report]:
    return [one for one in reports if not one.place.name.startswith("cfg")]


def test_what_boot_code_has_executed_is_no_kernel(tile: Machine) -> None:
    """Firmware is known when the first kernel is launched."""
    words = push("SETDMAREG.Immediate new_value=0, result_half_reg=G5_lo",
                 "SETDMAREG.Immediate new_value=0, result_half_reg=G5_hi")  # fmt: skip
    copy = push("WRCFG input_reg=5, is_128bit=0, cfg_index=100")
    tile.load(T0, image([*words, EBREAK, *copy, EBREAK]))
    state = tile.check_state(("init",))
    tile.run(400)
    state.boot_ended()
    tile.kernel_begins()
    tile.go_on_at(T0)
    tile.run(400)
    assert registers(tile.races().reports) == []


def test_a_place_follows_from_a_count() -> None:
    assert contract.went_beyond(3, 2, 4)
    assert not contract.went_beyond(2, 2, 4)
