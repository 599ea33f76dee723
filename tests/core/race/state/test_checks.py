# SPDX-License-Identifier: Apache-2.0
"""The checks of state and memory, each with a program that has the mistake and one without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, T0, T1, T2
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.findings import Report, State
from tensix_gdb.core.race.state.areas import Area, Buffer, overlaps
from tensix_gdb.core.race.state.table import CHECKS, GROUPS, parse_groups
from tensix_gdb.core.race.state.vector import writes_flags
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.table import FIRST, ROWS, find
from tests.assembler import EBREAK, NOP, asm, image, li
from tests.core.tensix.packer.packer import BF16
from tests.core.tensix.packer.packer import formats as pack_as

CONFIG, PUSH, DATA, GPRS = 0xFFEF0000, 0xFFE40000, 0x20000, 0xFFE00000
WORD = 100


def push(*texts: str) -> list[int]:
    """Push Tensix instructions."""
    words = list(li(6, PUSH))
    for text in texts:
        words += [*li(8, parse(text)), asm("sw", rs1=6, rs2=8)]
    return words


def store(addr: int, value: int) -> list[int]:
    return [*li(5, addr), *li(7, value), asm("sw", rs1=5, rs2=7)]


def load(addr: int) -> list[int]:
    return [*li(5, addr), asm("lw", rd=7, rs1=5), asm("addi", rd=7, rs1=7, imm=0)]


@pytest.fixture
def tile() -> Iterator[Machine]:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    yield machine
    machine.close()


def finish(machine: Machine, cycles: int = 400) -> None:
    """Run to the ebreaks, and until all that is under way is done."""
    for _ in range(3):
        machine.run(cycles)


def found(
    machine: Machine, words: Sequence[int], *groups: str, hart: int = T0, cycles: int = 400
) -> list[Report]:
    """Return the findings of a program's run."""
    machine.load(hart, image([*words, EBREAK]))
    machine.check_state(groups or GROUPS)
    finish(machine, cycles)
    return list(machine.races().reports)


def registers(reports: Sequence[Report]) -> list[tuple[str, str]]:
    """Without the configuration that units sample, of which these programs write nothing."""
    return names([one for one in reports if one.place.state is not State.CONFIG])


def names(reports: Sequence[Report]) -> list[tuple[str, str]]:
    return [(one.check, one.place.name) for one in reports]


def test_a_load_of_l1_that_nothing_has_written(tile: Machine) -> None:
    (report,) = found(tile, load(DATA), "init")
    assert (report.check, report.place.name) == ("U1", f"L1 {DATA:#x}")
    assert report.later.instruction == "lw"


@pytest.mark.parametrize("by", ["hart", "host", "noc"])
def test_a_load_of_what_was_written(tile: Machine, by: str) -> None:
    if by == "noc":
        NocAccess(tile.record, tile.memory).write(DATA, bytes(4))
    if by == "host":
        tile.load_bytes(DATA + 1, bytes(3))
        tile.load_bytes(DATA, bytes(1))
    before = store(DATA, 1) if by == "hart" else []
    assert found(tile, [*before, *load(DATA)], "init") == []


@pytest.mark.parametrize("group", GROUPS)
def test_what_a_kernel_has_written_is_kept_with_each_group(tile: Machine, group: str) -> None:
    """`run --expect` names what nothing has written by it, whatever was switched on before."""
    found(tile, store(0x20004, 1), group)
    assert int(tile.record.S.state.kernel[0x20004 // 16]) == 0xF0


def test_half_of_a_word(tile: Machine) -> None:
    tile.load_bytes(DATA, bytes(2))
    (report,) = found(tile, load(DATA), "init")
    assert report.place.name == f"L1 {DATA + 2:#x}"


STORE = "SFPSTORE vd=L3, mod0=FP32, imm10=0"


def test_an_lreg_that_nothing_has_written(tile: Machine) -> None:
    assert registers(found(tile, push(STORE), "init")) == [("U1", "lreg 3")]


def test_an_lreg_that_was_loaded(tile: Machine) -> None:
    words = push("SFPLOADI vd=L3, mod0=0, imm16=1", STORE)
    assert registers(found(tile, words, "init")) == []


def test_a_template_reads_nothing(tile: Machine) -> None:
    """VD from 12 on: the instruction is kept for SFPLOADMACRO."""
    assert registers(found(tile, push("SFPMOV vc=4, vd=12, mod1=0"), "init")) == []


def test_a_constant_is_there_from_reset(tile: Machine) -> None:
    assert found(tile, push("SFPMOV vc=10, vd=L2, mod1=0"), "init") == []


def test_a_row_of_dst(tile: Machine) -> None:
    reports = registers(found(tile, push("SFPLOAD vd=L3, mod0=FP32, imm10=0"), "init"))
    assert reports == [("U1", "dst 0")]


def test_a_field_that_a_unit_samples(tile: Machine) -> None:
    reports = found(tile, push("SFPLOAD vd=L3, mod0=FP32, imm10=0"), "init")
    fields = [one.place.name for one in reports if one.place.state is State.CONFIG]
    assert "cfg ALU_ACC_CTRL_SFPU_Fp32_enabled 0 (word 1)" in fields


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ([], ["Pack_L1_Acc"]),
        (["RMWCIB2 index4=71, mask=0xff, new_value=0"], ["Exp_threshold"]),
        (
            [
                "RMWCIB2 index4=71, mask=0xff, new_value=0",
                "RMWCIB3 index4=71, mask=0xff, new_value=0",
            ],
            [],
        ),
    ],
)
def test_modes_of_the_packer_that_a_configure_has_to_set(
    tile: Machine, written: list[str], left: list[str]
) -> None:
    """Functions of LLK switch accumulation in L1 and the threshold of exponents on, so the 0 of the
    reset is no excuse (tt-llk#1342, tt-llk#1346)."""
    pack_as(tile, BF16, BF16)
    reports = found(tile, push(*written, *(["NOP"] * 9), "PACR last=1"), "init", hart=T2)
    places = [one.place.name for one in reports]
    assert [one.partition("REG1_")[2].split()[0] for one in places if "(word 71)" in one] == left


def test_a_gpr(tile: Machine) -> None:
    reports = found(tile, push("WRCFG input_reg=5, is_128bit=0, cfg_index=100"), "init")
    assert names(reports) == [("U1", "gpr T0 5")]


def test_what_an_earlier_kernel_has_left(tile: Machine) -> None:
    tile.load(T0, image([*push("SFPLOADI vd=L3, mod0=0, imm16=1", STORE, STORE), EBREAK]))
    tile.check_state(("init",))
    finish(tile)
    assert registers(tile.races().reports) == []
    tile.kernel_begins()
    tile.load(T1, image([*push(STORE), EBREAK], 0xA000))
    finish(tile)
    assert registers(tile.races().reports) == [("U2", "lreg 3")]


def test_configuration_that_stays_changed(tile: Machine) -> None:
    (report,) = found(tile, store(CONFIG + 4 * WORD, 5), "leaks")
    assert (report.check, report.place.index) == ("K1", WORD)
    assert report.later.instruction == "sw"
    assert "0x5, was 0x0" in report.reason


def test_configuration_that_is_restored(tile: Machine) -> None:
    words = [*store(CONFIG + 4 * WORD, 5), *store(CONFIG + 4 * WORD, 0)]
    assert found(tile, words, "leaks") == []


def test_objects_that_stay_changed(tile: Machine) -> None:
    pushed = push(
        "SEMINIT new_max=2, new_value=1, semaphore_mask=1",
        "SEMPOST semaphore_mask=1",
        "SEMINIT new_max=2, new_value=1, semaphore_mask=2",
        "ATGETM index=0",
        "SETADC pk=0, u1=0, u0=1, channel=0, xyzw=1, new_value=3",
    )
    assert names(found(tile, pushed, "leaks")) == [
        ("K2", "adc T0 UNP0"),
        ("K3", "sem 0"),
        ("K4", "mutex 0"),
    ]


def test_a_constant_that_stays_changed(tile: Machine) -> None:
    """As sinkhorn does (tt-llk#1699)."""
    pushed = push("SFPLOADI vd=L0, mod0=0, imm16=2", "SFPCONFIG imm16=0, vd=11, mod1=0")
    (report,) = found(tile, pushed, "leaks")
    assert (report.check, report.place.name) == ("K6", "lreg 11")
    assert report.later.instruction == "SFPCONFIG"


def test_a_constant_that_an_init_sets(tile: Machine) -> None:
    """LReg[12] is whatever an init needs: no leak, but a kernel that takes it as it is has U2."""
    sets = push("SFPLOADI vd=L0, mod0=0, imm16=2", "SFPCONFIG imm16=0, vd=12, mod1=0")
    reads = push("SFPMOV vc=12, vd=L2, mod1=0")
    tile.load(T0, image([*sets, EBREAK, *reads, EBREAK]))
    tile.check_state(("init", "leaks"))
    finish(tile)
    assert registers(tile.races().reports) == []
    tile.kernel_begins()
    tile.resume_from(T0)
    finish(tile)
    assert registers(tile.races().reports) == [("U2", "lreg 12")]


@pytest.mark.parametrize(("value", "checks"), [(0xFFFF, []), (0xFF, ["K1"])])
def test_an_edge_mask_that_is_left(tile: Machine, value: int, checks: list[str]) -> None:
    """With all bits no column is masked: so LLK clears it after a reduction."""
    word = config_fields(Arch.BLACKHOLE)["PCK_EDGE_OFFSET_SEC1_mask"].word
    reports = found(tile, store(CONFIG + 4 * word, value), "leaks")
    assert [one.check for one in reports] == checks


def test_a_stack_that_meets_the_data(tile: Machine) -> None:
    tile.load(T1, image([EBREAK], 0xA000))
    words = [*li(2, LOCAL_BASE + 0x200), *li(2, LOCAL_BASE - 16), *store(DATA, 1)]
    tile.load(T0, image([*words, EBREAK]))
    state = tile.check_state(("memory",))
    finish(tile)
    (report,) = tile.races().reports
    assert report.check == "M1"
    assert report.place.name == "stack pointer 0xffaffff0"
    assert next(iter(state.notes())).startswith("stack of T0: 4,112 of 4,096 bytes")


def test_half_of_a_stack_pointer_is_no_stack(tile: Machine) -> None:
    """crt0 makes the pointer of two instructions: the first leaves it where data are."""
    tile.load(T1, image([EBREAK], 0xA000))
    words = [NOP, asm("auipc", rd=2, imm=LOCAL_BASE - 2**32), asm("addi", rd=2, rs1=2, imm=2044)]
    tile.load(T0, image([*words, *store(DATA, 1), EBREAK]))
    tile.check_state(("memory",))
    tile.record.S.state.floor[T0] = LOCAL_BASE + 0x100
    finish(tile)
    assert tile.races().reports == ()


def test_a_write_into_a_program(tile: Machine) -> None:
    reports = found(tile, store(4, 0), "memory")
    assert names(reports) == [("M2", "L1 0x0")]


def test_areas_that_overlap() -> None:
    code, one = Area("code", 0x100, 0x200, True), Area("one", 0x180, 0x300, False)
    same = Area("same", 0x180, 0x280, False)
    assert [(each.one, each.other) for each in overlaps([code, one])] == [("code", "one")]
    assert list(overlaps([one, same])) == []


def test_a_buffer_is_in_l1() -> None:
    with pytest.raises(ValueError, match="is not in L1"):
        Buffer("it", 0x180000 - 16, 32)


def test_not_in_sc(tile: Machine) -> None:
    tile.reschedule(Schedule.SC)
    with pytest.raises(NotObservable):
        tile.check_state(("init",))


def test_groups() -> None:
    assert parse_groups("leaks,init") == ("init", "leaks")
    assert parse_groups("all") == GROUPS
    with pytest.raises(ValueError, match="'lint' is no check"):
        parse_groups("lint")


def test_the_table_is_in_the_order_of_the_numbers() -> None:
    for kind in dict.fromkeys(type(check.number) for check in CHECKS):
        numbers = [check.number for check in CHECKS if type(check.number) is kind]
        assert numbers == list(range(1, len(numbers) + 1))


def test_checking_changes_nothing(tile: Machine) -> None:
    words = [*store(CONFIG + 4 * WORD, 5), *load(DATA), *push(STORE)]
    found(tile, words)
    other = Machine(engine="reference", schedule=Schedule.LATENCY)
    other.load(T0, image([*words, EBREAK]))
    finish(other)
    assert other.hash() == tile.hash()
    other.close()


def test_reset_begins_again(tile: Machine) -> None:
    first = found(tile, load(DATA), "init")
    tile.reset()
    assert tile.races().reports == ()
    finish(tile)
    assert list(tile.races().reports) == first


OUT = config_fields(Arch.BLACKHOLE)["THCON_SEC0_REG1_Out_data_format"]
IN = config_fields(Arch.BLACKHOLE)["THCON_SEC0_REG1_In_data_format"]


def after_hw_configure(
    tile: Machine, monkeypatch: pytest.MonkeyPatch, given: int, *later: int
) -> list[Report]:
    """A hw_configure gives a word a value, and the kernel stores others."""
    at = CONFIG + 4 * OUT.word
    configures = store(at, given)
    words = [
        *configures,
        *(word for value in later for word in store(CONFIG + 4 * OUT.word, value)),
    ]
    end = 4 * len(configures)

    def functions(hart: int, pc: int) -> list[str]:
        return ["hw_configure add.c" if pc < end else "main add.c"]

    monkeypatch.setattr(tile, "_functions_at", functions)
    return found(tile, words, "leaks")


def formats(out: int, taken: int) -> int:
    return out << OUT.low | taken << IN.low


@pytest.mark.parametrize(
    ("later", "line", "text"),
    [
        # 1 differs from 0 and from 5, but in no bit from both.
        ((formats(1, 5),), 0, "Out_data_format is 0x1, was 0x0, configured as 0x5."),
        ((formats(0, 5),), None, ""),  # as before
        ((formats(1, 5), formats(5, 5)), None, ""),  # as configured
        # The second store has changed another field of the word, and loaded this one.
        ((formats(1, 5), formats(1, 5)), 0, "Out_data_format is 0x1, was 0x0, configured as 0x5."),
        ((formats(1, 5), formats(1, 0)), 0, "Out_data_format is 0x1, was 0x0, configured as 0x5."),
        ((formats(5, 1), formats(1, 5)), 1, "Out_data_format is 0x1, was 0x0, configured as 0x5."),
    ],
)
def test_a_field_has_neither_of_two_values(
    tile: Machine,
    monkeypatch: pytest.MonkeyPatch,
    later: Sequence[int],
    line: int | None,
    text: str,
) -> None:
    reports = after_hw_configure(tile, monkeypatch, formats(5, 5), *later)
    assert len(reports) == (line is not None)
    for report in reports:
        assert report.check == "K1"
        assert text in report.reason
        length = 4 * len(store(CONFIG + 4 * OUT.word, formats(5, 5)))
        assert line is not None
        assert report.later.pc == length * (line + 2) - 4


ON = "SFPENCC imm2=3, mod1=10"


def test_lanes_that_stay_off(tile: Machine) -> None:
    """LReg[10] is 1 in all lanes: none is negative."""
    (report,) = found(tile, push(ON, "SFPSETCC vc=10, mod1=0"), "leaks")
    assert (report.check, report.place.name) == ("K7", "vector.flags")
    assert report.later.instruction == "SFPSETCC"
    assert "all 32" in report.reason
    assert report.later.last < int(tile.S.tile.cycle)


@pytest.mark.parametrize(
    "texts",
    [
        (ON,),  # on in all lanes, as SFPI leaves it
        (ON, "SFPSETCC vc=10, mod1=0", "SFPENCC imm2=0, mod1=0"),
        (ON, "SFPSETCC vc=10, mod1=0", ON),
        (ON, "SFPPUSHC mod1=0", "SFPSETCC vc=10, mod1=0", "SFPPOPC mod1=0"),
        ("SFPSETCC vc=10, mod1=0",),  # conditional execution is off
    ],
)
def test_lanes_that_are_on_again(tile: Machine, texts: Sequence[str]) -> None:
    assert found(tile, push(*texts), "leaks") == []


def test_lanes_that_were_off_before(tile: Machine) -> None:
    tile.load(T1, image([*push(ON, "SFPSETCC vc=10, mod1=0"), EBREAK], 0xA000))
    finish(tile)
    assert found(tile, push("SFPLOADI vd=L3, mod0=0, imm16=1"), "leaks") == []


@pytest.mark.parametrize(
    ("text", "is_writer"),
    [
        ("SFPSETCC vc=10, mod1=0", True),
        ("SFPCOMPC vd=0", True),
        ("SFPIADD vc=1, vd=2, mod1=0", True),
        ("SFPIADD vc=1, vd=2, mod1=4", False),  # CC_NONE
        ("SFPEXEXP vc=1, vd=2, mod1=2", True),
        ("SFPEXEXP vc=1, vd=2, mod1=0", False),
        ("SFPGT vc=1, vd=2, mod1=1", True),
        ("SFPGT vc=1, vd=2, mod1=8", False),
        ("SFPMOV vc=1, vd=2, mod1=0", False),
    ],
)
def test_which_instructions_write_lane_flags(text: str, is_writer: bool) -> None:
    word = parse(text)
    row = find(word, Arch.BLACKHOLE)
    assert row is not None
    assert bool(writes_flags(word, FIRST + ROWS.index(row))) is is_writer
