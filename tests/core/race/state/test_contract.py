# SPDX-License-Identifier: Apache-2.0
"""C1 to C11, U3, and reads that count for nothing: each with a program that has the mistake and one
without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, NC, T0, T1, TILE_CONTROL_BASE
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.fields import pc_of
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.state import contract
from tensix_gdb.core.race.state.areas import Arguments, Buffer
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, SPIN, asm, image, li
from tests.core.race.stages.test_stages import A, set_up
from tests.core.race.state.test_checks import found, load, names, push, registers, store, tile
from tests.core.race.state.test_memory import PAGE, POPPED, RECEIVED, STREAM
from tests.core.tensix.drive import run as drive
from tests.core.tensix.programs import push_all

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


def test_a_wait_for_a_buffer_that_is_not_there_is_one_finding() -> None:
    assert len(counted([*load(RECEIVED + OTHER), *load(RECEIVED + OTHER)])) == 1


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


def test_a_store_to_the_word_where_atomics_return_to() -> None:
    assert counted(store(4, 1)) == []


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


def sections(*texts: str) -> list[int]:
    """Select the upper half of Dst, give it to the packer and select the lower one, as a kernel
    with SyncHalf does."""
    return push(
        "SEMINIT new_max=2, new_value=0, semaphore_mask=2",
        f"SETC16 cfg_index={OFFSET}, new_value=512", "SEMPOST semaphore_mask=2",
        f"SETC16 cfg_index={OFFSET}, new_value=0", "SFPLOADI vd=L3, mod0=0, imm16=1", *texts,
    )  # fmt: skip


def named(machine: Machine, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let all instructions be in a function."""
    monkeypatch.setattr(machine, "_functions_at", lambda hart, pc: [f"ckernel::{name} x.h"])


OTHER_HALF = "SFPSTORE vd=L3, mod0=BF16, imm10=512"


def test_a_row_of_the_other_half_of_dst(tile: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    named(tile, monkeypatch, "dest_section_flip")
    (report,) = found(tile, sections(OTHER_HALF), "memory")
    assert (report.check, report.earlier.instruction) == ("C7", "SETC16")
    assert "Thread 0 has the lower half" in report.reason


def test_a_load_from_the_other_half(tile: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """As LLK's reciprocal, which ends its pipeline with loads before its tile."""
    named(tile, monkeypatch, "dest_section_flip")
    assert found(tile, sections(OTHER_HALF.replace("STORE", "LOAD")), "memory") == []


def test_the_offset_of_a_tile_selects_no_half(
    tile: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index of 8 moves the offset to the other half: the section stays where it was."""
    named(tile, monkeypatch, "set_dest_section_base")
    tile_8 = f"SETC16 cfg_index={OFFSET}, new_value=512"
    (report,) = found(tile, sections(tile_8, "SFPSTORE vd=L3, mod0=BF16, imm10=0"), "memory")
    assert (report.check, report.place.name) == ("C7", "dst 512")


def test_a_row_of_the_own_half(tile: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    named(tile, monkeypatch, "dest_section_flip")
    assert found(tile, sections("SFPSTORE vd=L3, mod0=BF16, imm10=508"), "memory") == []


def test_a_kernel_that_uses_dst_as_a_whole(tile: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """With SyncFull the offset after a section is that of a tile."""
    named(tile, monkeypatch, "set_dst_write_addr")
    assert found(tile, sections(OTHER_HALF), "memory") == []


FEATURES = TILE_CONTROL_BASE + 0x068
MULTIPLY = "SFPMUL va=L3, vb=L3, vc=L9, vd=L4, mod1=0"


@pytest.mark.parametrize(("value", "checks"), [(1 << 11, ["C11"]), (1, [])])
def test_dst_changes_its_layout_while_a_unit_works(
    tile: Machine, value: int, checks: list[str]
) -> None:
    held = "SEMWAIT stall_res=STALL_SFPU, sem=S1, wait_sem_cond=STALL_ON_ZERO"
    begin = push("SFPLOADI vd=L3, mod0=0, imm16=1", held, MULTIPLY)
    reports = found(tile, [*begin, *store(FEATURES, value)], "memory")
    assert [one.check for one in reports] == checks


def test_dst_changes_its_layout_when_all_is_done(tile: Machine) -> None:
    """tensix_sync: a store to TTSync and a load that is used."""
    begin = push("SFPLOADI vd=L3, mod0=0, imm16=1", *[MULTIPLY] * 20)
    sync = [*li(5, 0xFFE80004), asm("sw", rs1=5, rs2=0), asm("lw", rd=7, rs1=5)]
    words = [*begin, *sync, asm("add", rd=7, rs1=7, rs2=7), *store(FEATURES, 1 << 11)]
    assert found(tile, words, "memory") == []


MACRO = "SFPLOADMACRO macro_index=0, vd_lo=0, mod0=FP32, imm9=0"


def test_a_macro_that_a_core_pushes(tile: Machine) -> None:
    reports = found(tile, push(MACRO, MACRO), "memory")
    assert names(reports) == [("C10", "SFPLOADMACRO")]


def test_a_macro_of_a_replay(tile: Machine) -> None:
    record = "REPLAY start_idx=0, len=1, exec=0, load_mode=1"
    play = "REPLAY start_idx=0, len=1"
    assert found(tile, push(record, MACRO, play), "memory") == []


def test_macros_of_llk(tile: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its fast exp pushes them on purpose; one of a kernel, after it, is a finding."""
    llks = ["calculate_exponential<true> ckernel_sfpu_exp.h"]
    others: list[int] = []  # addresses of instructions that are none of LLK's
    names_at = lambda hart, pc: [] if pc in others else llks  # noqa: E731
    monkeypatch.setattr(tile, "_functions_at", names_at)
    assert found(tile, push(MACRO, MACRO), "memory") == []
    S = tile.record.S
    first, second = sorted(
        {pc_of(int(S.race.site[int(key) & 0x3FFF])) for key in S.found.key if key}
    )
    others.append(second)
    assert first < second
    assert [(one.check, one.later.pc) for one in tile.races().reports] == [("C10", second)]


def test_a_place_where_cards_fail_is_a_finding() -> None:
    """An inline write to L1, as verdict 27; one to a register is right."""
    checks = [one.check for one in counted(inline(0x20000))]
    assert checks == ["C9", "M7"]
    assert [one.check for one in counted(inline(RECEIVED + OTHER + 4))] == ["M7"]


def inline(addr: int) -> list[int]:
    """Write a word over NoC 0 to this tile."""
    base = 0xFFB20000
    return counts(
        (base, addr), (base + 4, 0), (base + 8, 1 | 2 << 6), (base + 0x1C, 0x1E),
        (base + 0x20, 0xF), (base + 0x28, 7), (base + 0x40, 1),
    )  # fmt: skip


def test_an_inline_write_is_a_finding_of_the_kernel_that_makes_it() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(NC, image([*inline(0x20000), SPIN], 0x6000))
    machine.check_state(("memory",))
    machine.run(2000)
    machine.kernel_begins()
    assert list(machine.races().reports) == []
    machine.close()


# U3: what local RAM has

TOP = LOCAL_BASE + 0x800
BRANCHES = asm("beq", rs1=7, rs2=0, imm=4)


def local(*words: int) -> list[int]:
    """A function with 16 bytes on its stack."""
    return [*li(2, TOP), asm("addi", rd=2, rs1=2, imm=-16), *words]


LOADS = asm("lw", rd=7, rs1=2, imm=4)
STORES = asm("sw", rs1=2, rs2=0, imm=4)


@pytest.mark.parametrize(("words", "said"), [
    ([LOADS, BRANCHES], "a branch"),
    ([LOADS, asm("addi", rd=8, rs1=7, imm=4), asm("beq", rs1=0, rs2=8, imm=4)], "a branch"),
    ([LOADS, *li(6, 0x20000), asm("add", rd=6, rs1=6, rs2=7), asm("lb", rd=8, rs1=6)],
     "an address"),
    ([STORES, LOADS, BRANCHES], ""),
    ([asm("sh", rs1=2, rs2=0, imm=4), LOADS, BRANCHES], "a branch"),
    ([asm("sh", rs1=2, rs2=0, imm=4), asm("lhu", rd=7, rs1=2, imm=4), BRANCHES], ""),
    ([LOADS, asm("andi", rd=7, rs1=7, imm=0), BRANCHES], ""),
    ([LOADS, asm("sw", rs1=2, rs2=7, imm=8), asm("lw", rd=9, rs1=2, imm=8),
      asm("beq", rs1=9, rs2=0, imm=4)], "a branch"),
    ([LOADS, *li(7, 3), BRANCHES], ""),
    # Another function has the words next.
    ([STORES, asm("addi", rd=2, rs1=2, imm=16), asm("addi", rd=2, rs1=2, imm=-16), LOADS, BRANCHES],
     "a branch"),
    ([STORES, asm("addi", rd=2, rs1=2, imm=-16), asm("lw", rd=7, rs1=2, imm=20), BRANCHES], ""),
])  # fmt: skip
def test_a_word_of_the_stack_that_nothing_has_written(
    tile: Machine, words: list[int], said: str
) -> None:
    reports = found(tile, local(*words), "init")
    of_local = [one for one in reports if one.check == "U3"]
    assert len(of_local) == bool(said)
    for one in of_local:
        assert f"It decides {said}." in one.reason
        assert one.earlier.instruction == "lw"


def test_a_variable_that_the_loader_has_filled(tile: Machine) -> None:
    tile.poke(T0, TOP, bytes(4))
    words = [*li(5, TOP), asm("lw", rd=7, rs1=5), BRANCHES]
    assert found(tile, words, "init") == []


def test_a_variable_that_nothing_has_filled(tile: Machine) -> None:
    (report,) = found(tile, [*li(5, TOP), asm("lw", rd=7, rs1=5), BRANCHES], "init")
    assert (report.check, report.place.name) == ("U3", f"local RAM {TOP:#x}")


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


@pytest.mark.parametrize(("number", "said"), [(0, ""), (1, "up to number 0"), (4, "to number 0")])
def test_arguments_are_known_to_the_word(
    monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    monkeypatch.setattr(machine, "_functions_at", lambda hart, pc: ["get_arg_val<int> api.h"])
    machine.load(T0, image([*load(ARGUMENTS + 4 * number), EBREAK]))
    state = machine.check_state(("memory",))
    state.arguments = [Arguments(T0, ARGUMENTS, ARGUMENTS + 4)]
    state.note_programs()
    machine.run(400)
    reports = machine.races().reports
    machine.close()
    assert [one.check for one in reports] == (["C1"] if said else [])
    assert all(said in one.reason for one in reports)


def test_where_the_host_has_ended_to_write() -> None:
    machine = Machine(engine="reference")
    machine.load_bytes(ARGUMENTS, bytes(8))
    machine.load_bytes(ARGUMENTS + 8, bytes(4))  # it goes on there
    machine.load_bytes(ARGUMENTS + 64, bytes(16))
    assert machine.host_writes is not None
    ends = [machine.host_writes.end_of(ARGUMENTS + at) for at in (0, 8, 64, 80)]
    assert ends == [ARGUMENTS + 12, None, ARGUMENTS + 80, None]
    machine.load_bytes(ARGUMENTS, bytes(4))
    assert machine.host_writes.end_of(ARGUMENTS) == ARGUMENTS + 4
    machine.close()


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


BOOT = Image(Path("brisc.elf"), 0, (), image([EBREAK]), T1)


@pytest.mark.parametrize(
    ("is_metal", "addr", "checks"), [(True, 0x10, []), (True, 0x20, ["U1"]), (False, 0x10, ["U1"])]
)
def test_a_word_that_the_arc_writes(
    tile: Machine, is_metal: bool, addr: int, checks: list[str]
) -> None:
    """Firmware of tt-metal has room for it, and a matrix product reads it."""
    tile.load(T0, image([*load(addr), EBREAK], 0x6000))
    state = tile.check_state(("init",))
    if is_metal:
        state.firmware = [BOOT]
    tile.run(400)
    assert [one.check for one in tile.races().reports] == checks


@pytest.mark.parametrize(("size", "checks"), [(2, []), (16, ["U1"]), (0, ["U1"])])
def test_a_tile_of_which_one_datum_is_broadcast(
    tile: Machine, size: int, checks: list[str]
) -> None:
    """A reader of a layer norm stores one datum of a tile; what comes after whole lines counts."""
    unpack = set_up(tile)[0]
    tile.check_state(("init",))
    state = tile.record.S.state
    for line in range(A // 16, A // 16 + 40):
        state.written[line] = 0
    state.written[A // 16 + 1] = (1 << size) - 1
    drive(tile, {T0: push_all([unpack])})
    places = [one for one in tile.races().reports if one.place.name.startswith("L1")]
    assert [one.check for one in places] == checks


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
    tile.resume_from(T0)
    tile.run(400)
    assert registers(tile.races().reports) == []


def test_a_place_follows_from_a_count() -> None:
    assert contract.went_beyond(3, 2, 4)
    assert not contract.went_beyond(2, 2, 4)
