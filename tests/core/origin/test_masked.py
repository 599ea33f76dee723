# SPDX-License-Identifier: Apache-2.0
"""Who has written a bit of a word that several instructions write in parts."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import origins, read_question
from tensix_gdb.core.origin.instrumented.forms import put_bits
from tensix_gdb.core.origin.instrumented.values import parts_of
from tensix_gdb.core.origin.rerun import Again, OfHistory
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.tensix.config.pipeline import ShiftMode
from tests.assembler import EBREAK, image
from tests.core.origin.test_values import A, B, own, whole
from tests.core.tensix.programs import push_all

PLACE = 0x2000
SCHEDULES = ("sc", "latency", "random:3")
CHIPS = (Arch.BLACKHOLE, Arch.WORMHOLE)
FLAG = "ALU_ACC_CTRL_Zero_Flag_disabled_src"


def after(schedule: str, *texts: str, arch: Arch = Arch.BLACKHOLE) -> Machine:
    """T1 has pushed these instructions, and they are executed."""
    machine = begun(schedule, *texts, arch=arch)
    run_to_cycle(machine, 400)
    return machine


def begun(schedule: str, *texts: str, arch: Arch = Arch.BLACKHOLE) -> Machine:
    """T1 is to push these instructions."""
    machine = Machine(engine="compiled", schedule=Execution.parse(schedule), arch=arch)
    machine.load(T0 + 1, image([*push_all([*texts, "NOP", "NOP"]), EBREAK], PLACE))
    return machine


def line(tree: Origin) -> int:
    """The number of the instruction that is named, in the order in which they were pushed."""
    assert tree.pc is not None
    return (tree.pc - PLACE) // 4


def trees(machine: Machine, text: str) -> list[Origin]:
    before = machine.hash()
    found = origins(machine, Again(machine), text.split())
    assert found.is_whole
    assert machine.hash() == before
    return list(found.trees)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_masked_write_is_none_of_the_bits_that_it_leaves(schedule: str) -> None:
    """RMWCIB0 writes the flag, RMWCIB2 other bits of the same word after it."""
    machine = after(
        schedule,
        "RMWCIB0 index4=2, mask=1, new_value=1",
        "RMWCIB2 index4=2, mask=0x3f, new_value=5",
        "RMWCIB1 index4=2, mask=0xff, new_value=0xaa",
    )
    (tree,) = trees(machine, f"cfg {FLAG}")
    assert (line(tree), tree.what, tree.values) == (0, f"cfg {FLAG} 0", ["0x1"])
    assert tree.by.startswith("RMWCIB0 of T1")


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("arch", CHIPS)
def test_a_field_in_two_pieces_has_two_writers(schedule: str, arch: Arch) -> None:
    name = "PCK_EDGE_OFFSET_SEC0_mask"
    at = config_fields(arch)[name]
    assert (at.low, at.width) == (0, 16)
    machine = after(
        schedule,
        f"RMWCIB1 index4={at.word}, mask=0xff, new_value=0x12",
        f"RMWCIB0 index4={at.word}, mask=0xff, new_value=0x34",
        f"RMWCIB0 index4={at.word}, mask=0x0f, new_value=0x05",
        arch=arch,
    )
    found = {line(tree): (tree.what, tree.values) for tree in trees(machine, f"cfg {name}")}
    assert found == {
        0: (f"cfg {name}[15:8] 0", ["0x12"]),
        1: (f"cfg {name}[7:4] 0", ["0x3"]),
        2: (f"cfg {name}[3:0] 0", ["0x5"]),
    }


OFFSET = "PCK_EDGE_OFFSET_SEC0_mask"  # bits 0 to 15 of its word
WORD = config_fields(Arch.BLACKHOLE)[OFFSET].word
_WORD_0 = config_fields(Arch.BLACKHOLE)["SCRATCH_SEC0_val"].word
SCRATCH = f"RMWCIB0 index4={_WORD_0}, mask=0xff, new_value=0x12"


def shifted(mode: ShiftMode, up: int) -> str:
    """CFGSHIFTMASK of eight bits of the scratch register, moved up, to the word without them."""
    return (
        f"CFGSHIFTMASK mask_mode=0, alu_mode={int(mode)}, mask_width=7, rotate_amt={-up % 32}, "
        f"scratch_index=0, cfg_index={WORD}"
    )


def writers(machine: Machine) -> dict[int, tuple[str, list[str]]]:
    """Return what each instruction has written of the field."""
    found = trees(machine, f"cfg {OFFSET}")
    head = f"cfg {OFFSET}"
    return {
        line(tree): (tree.what.removeprefix(head).removesuffix(" 0"), tree.values) for tree in found
    }


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("mode", [ShiftMode.OR, ShiftMode.XOR, ShiftMode.ADD, ShiftMode.SUB])
def test_a_shifted_mask_is_none_of_the_bits_that_it_leaves(schedule: str, mode: ShiftMode) -> None:
    """CFGSHIFTMASK writes bits 8 to 15 of a word; the others it reads and writes back."""
    machine = after(
        schedule,
        f"RMWCIB0 index4={WORD}, mask=0xff, new_value=0x34",
        f"RMWCIB2 index4={WORD}, mask=0xff, new_value=0x56",
        SCRATCH,
        shifted(mode, 8),
    )
    own = "0xee" if mode is ShiftMode.SUB else "0x12"
    assert writers(machine) == {0: ("[7:0]", ["0x34"]), 3: ("[15:8]", [own])}
    (tree,) = [one for one in trees(machine, f"cfg {OFFSET}") if line(one) == 3]
    made_of = [one.pc and line(one) for one in tree.made_of]
    assert 2 in made_of
    # A carry may come from the bits below the field.
    assert len(made_of) == 1 or mode in (ShiftMode.ADD, ShiftMode.SUB)


@pytest.mark.parametrize(
    ("mode", "value"), [(ShiftMode.AND, 0), (ShiftMode.ORN, 0xEDFF), (ShiftMode.XNOR, 0xEDCB)]
)
def test_a_shifted_mask_that_makes_all_bits(mode: ShiftMode, value: int) -> None:
    """Beside its field AND makes zeros and ORN ones, and XNOR inverts what is there."""
    machine = after(
        "latency",
        f"RMWCIB0 index4={WORD}, mask=0xff, new_value=0x34",
        SCRATCH,
        shifted(mode, 8),
    )
    assert writers(machine) == {2: ("", [f"{value:#x}"])}


def test_a_borrow_goes_on_above_the_field() -> None:
    """The bits that it has changed there are of the subtraction, and no others."""
    machine = after(
        "latency",
        f"RMWCIB1 index4={WORD}, mask=0xff, new_value=0x14",
        SCRATCH,
        shifted(ShiftMode.SUB, 0),
    )
    assert writers(machine) == {0: ("[15:11]", ["0x2"]), 2: ("[10:0]", ["0x3ee"])}


def test_bits_that_nothing_has_written() -> None:
    machine = after("latency", "RMWCIB2 index4=2, mask=0x3f, new_value=5")
    (tree,) = trees(machine, f"cfg {FLAG}")
    assert tree.note.startswith("nothing has written it since the reset")


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_halves_of_a_gpr(schedule: str) -> None:
    text = "SETDMAREG.Immediate new_value={}, result_half_reg={}"
    machine = after(schedule, text.format(0x1234, 11), text.format(0x5678, 10))
    found = {line(tree): tree.made_of for tree in trees(machine, "gpr T1 5")}
    assert found == {0: [], 1: []}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_word_that_is_read_whole_names_each_of_its_fields(schedule: str) -> None:
    """RDCFG reads all of a word, WRCFG writes it to another."""
    machine = after(
        schedule,
        "RMWCIB0 index4=2, mask=1, new_value=1",
        "RMWCIB2 index4=2, mask=0x3f, new_value=5",
        "RDCFG result_reg=5, cfg_index=2",
        "NOP",
        "NOP",
    )
    made_of = {line(one) for tree in trees(machine, "gpr T1 5") for one in tree.made_of if one.pc}
    assert made_of == {0, 1}


@pytest.mark.parametrize("number", [8, 10, 12])
def test_a_constant_of_the_reset_is_one_value(number: int) -> None:
    """Its bytes that are zero are no value of their own."""
    machine = after("latency", f"SFPMAD va=L{number}, vb=L{number}, vc=L9, vd=L1")
    (tree,) = trees(machine, "lreg 1.3")
    value = machine.S.vector.lreg[number, 3]
    (constant,) = [one for one in tree.made_of if one.what == f"lreg {number}.3"]
    assert constant.values[0].startswith(f"{value:#010x} ")
    assert constant.note == "as the reset has left it, or put there before the first cycle"


def test_a_lane_that_a_debugger_has_written_is_one_value() -> None:
    """Bytes that were the same before are part of what it has written."""
    machine = begun("latency", "SFPLOADI vd=L2, mod0=USHORT, imm16=0x5678")
    history = begin_history(machine)
    history.resume()
    run_to_cycle(machine, 400)
    history.suspend()
    machine.S.vector.lreg[2, 3] = 0x12005678
    history.resume()
    run_to_cycle(machine, 401)
    history.suspend()
    (tree,) = origins(machine, OfHistory(machine, history.past_of_here()), ["lreg", "2.3"]).trees
    assert tree.values[0].startswith("0x12005678 ")
    assert tree.note.startswith("put there from outside while the tile was stopped in cycle")


def test_a_word_in_two_parts() -> None:
    mask = whole(0xF0, ("mask", 4))
    word = put_bits(whole(0xAAFF, A), whole(0x5555, B), mask)
    assert int(word) == 0xAA5F
    assert own(word & 0xFF) == {A: 0xF, B: 0xF0}
    assert set(parts_of(word)) == {A, B}
    assert own(whole(0xFF, A) | 0xF0) == {A: 0xFFFFFF0F}


@pytest.mark.parametrize("text", ["lreg 17", "lreg 20 3", "$lreg32.f[7]"])
def test_the_hardware_has_seventeen_lregs(text: str) -> None:
    machine = Machine(engine="reference")
    with pytest.raises(NotAPlace, match="they are 0 to 16"):
        read_question(machine, text.split())
    assert read_question(machine, ["lreg", "16", "3"]).places
