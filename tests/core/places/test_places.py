# SPDX-License-Identifier: Apache-2.0
"""Every element of state has a place, and the text of a place is read as the same place."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0
from tensix_gdb.core.debug.l1_ranges import Range
from tensix_gdb.core.devices.registers import RegisterBlock
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.origin.elements import element_at
from tensix_gdb.core.places.kinds import KINDS, Owner
from tensix_gdb.core.places.of_record import fields_at, merged, place_of
from tensix_gdb.core.places.place import NotAPlace, Place, text
from tensix_gdb.core.places.registers import element_of_register
from tensix_gdb.core.places.state import bits_of, elements, owned, read, write
from tensix_gdb.core.places.watched import cells_of
from tensix_gdb.core.places.words import parse
from tensix_gdb.core.record.layout import Slot, Tag
from tensix_gdb.core.tensix.gate.watchpoints import Cell
from tensix_gdb.core.tensix.regfiles import dst

ROWS = [
    slot
    for slot in LAYOUT.slots.values()
    if slot.field.tag is Tag.ARCHITECTURAL and not slot.field.alias
]
SAMPLE = 8  # elements of a row
# Results on their way to an LReg; what the record has room for, and Blackhole lacks.
UNNAMED = ("vector_late.value", "local.word", "mutex.holder")


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    yield from _made(Arch.BLACKHOLE)


@pytest.fixture(scope="module")
def wormhole() -> Iterator[Machine]:
    yield from _made(Arch.WORMHOLE)


def _made(arch: Arch) -> Iterator[Machine]:
    machine = Machine(engine="reference", arch=arch)
    yield machine
    machine.close()


def some(slot: Slot) -> Iterator[tuple[int, ...]]:
    """The first and last element of a row, and some at random."""
    chosen = random.Random(slot.path)
    shape = slot.field.shape
    yield tuple(0 for _ in shape)
    yield tuple(length - 1 for length in shape)
    for _ in range(SAMPLE):
        yield tuple(chosen.randrange(length) for length in shape)


def typed(place: Place) -> Place:
    return parse(text(place).split())


def test_every_element_has_a_place_that_can_be_typed(machine: Machine) -> None:
    assert len(ROWS) > 300
    for slot in ROWS:
        for index in some(slot):
            place = place_of(machine, slot.part, slot.field.name, index, 0, slot.element_size)
            assert typed(place) == place
            if slot.path not in UNNAMED:
                assert elements(machine, place) == ((slot.at(*index), slot.element_size),)


def test_a_register_is_in_the_record_where_its_declaration_says(
    machine: Machine, wormhole: Machine
) -> None:
    """A hart sees in a register what its element of the record has, and the element's place
    is that register again, or has a name of its own."""
    for tile, least in ((machine, 1500), (wormhole, 600)):
        raw, seen, chip = tile.record.raw(), set(), int(tile.S.tile.chip)
        for hart, addr in registers_of(chip):
            if tile is wormhole and 0xFFB1221C <= addr < 0xFFB1224C:
                continue  # Wormhole has none of tile control's there
            if element_of_register(LAYOUT, chip, hart, addr) is None:
                continue
            place = Place("mmio", HART_NAMES[hart], "", ((range(addr, addr + 4),),))
            ((at, size),) = elements(tile, place)
            before = bytes(raw[at : at + size])
            raw[at : at + size] = (1).to_bytes(size, "little")
            assert read(tile, place) == (1,)
            raw[at : at + size] = before
            element = element_at(at)
            back = place_of(tile, *element.key, element.index)
            assert typed(back) == back
            assert elements(tile, back) == ((at, size),)
            assert back.kind == "mop" or cells_of(tile, back)
            seen.add(at)
        assert len(seen) > least


def registers_of(chip: int) -> Iterator[tuple[int, int]]:
    """Each hart that sees a device, with the words of its first three copies or pages."""
    for device in DEVICES:
        block: RegisterBlock | None = getattr(device.load(chip), "BLOCK", None)
        for span in device.spans_on(chip) if device.module else ():
            size = block.size if block is not None else 0x1000
            for addr in range(span.start, min(span.end, span.start + 3 * size), 4):
                yield from ((hart, addr) for hart in span.harts)


def test_a_register_that_is_a_row_elsewhere() -> None:
    """Those of which the device keeps no word: what they count, or what a unit has."""
    for hart, addr, element in (
        ("B", 0xFFB20214, ("noc", "counter", (0, 5))),
        ("NC", 0xFFB30214, ("noc", "counter", (1, 5))),
        ("T1", 0xFFB434A8, ("overlay", "space", (3, 1))),
        ("T1", 0xFFB1102C, ("tdma", "mover_base", (2,))),
        ("B", 0xFFB11020, ("pack", "zero_flags", ())),
        ("B", 0xFFB12120, ("perf", "reference", (1,))),
        ("T1", 0xFFE00014, ("gpr", "word", (69,))),
        ("T1", 0xFFE00F14, ("gpr", "word", (69,))),
        ("B", 0xFFE00114, ("gpr", "word", (69,))),
        ("B", 0xFFE00300, None),
        ("T2", 0xFFB80008, ("mop_config", "word", (2, 2))),
        ("T0", 0xFFE8002C, ("semaphore", "value", (3,))),
        ("B", 0xFFE8002C, None),
        ("B", 0xFFEF0010, ("config", "word", (0, 4))),
        ("T0", 0xFFEF0390, ("config", "word", (1, 4))),
        ("T0", 0xFFEF0710, ("config", "word", (0, 4))),
        ("B", 0xFFEF0B9C, ("config", "thread", (1, 3))),
        ("T0", 0xFFE80000, None),
    ):
        assert element_of_register(LAYOUT, 0, HART_NAMES.index(hart), addr) == element, hex(addr)


@pytest.mark.parametrize(
    ("row", "kind", "at", "mask"),
    [
        ("gpr.word[69]", Cell.GPR, 69, 0xFFFFFFFF), ("gpr.half[139]", Cell.GPR, 69, 0xFFFF0000),
        ("gpr.byte[277]", Cell.GPR, 69, 0xFF00), ("semaphore.max[3]", Cell.SEMAPHORE_MAX, 3, -1),
        ("mutex.holder[2]", Cell.MUTEX, 2, -1), ("vector.lreg[3,7]", Cell.LREG, 103, -1),
        ("adc.value[1,0,0,2]", Cell.ADC, 26, -1), ("rwc.dst[1]", Cell.RWC, 0, -1),
        ("adc.cr[1,0,0,2]", Cell.ADC_CR, 26, -1), ("vector.flags", Cell.LANES, 0, -1),
        ("vector.use_flags", Cell.LANES, 1, -1),
        ("tile_control.soft_reset", Cell.DEVICE, 0xFFB121B0, -1),
        ("pic.handler[33]", Cell.DEVICE, 0xFFB1312C, -1),
        ("noc.counter[1,5]", Cell.DEVICE, 0xFFB30214, -1),
        ("overlay.space[3,1]", Cell.DEVICE, 0xFFB434A8, -1),
        ("pack.zero_flags", Cell.DEVICE, 0xFFB11020, -1),
        ("config.word[0,12]", Cell.DEVICE, 0xFFEF0030, -1),
    ],
)  # fmt: skip
def test_a_row_is_watched_as_what_it_is(
    row: str, kind: Cell, at: int, mask: int, machine: Machine
) -> None:
    """A row of the record has the cell of the place that software knows it by."""
    ((word,), ranges) = cells_of(machine, parse([row]))
    assert (word.kind, word.at, word.mask) == (kind, at, mask & 0xFFFFFFFF)
    assert not ranges


def test_a_row_of_memory_is_watched_as_its_bytes(machine: Machine) -> None:
    assert cells_of(machine, parse(["l1.half[8]"])) == ((), (Range(16, 18),))
    assert cells_of(machine, parse(["l1.word[4-100]"])) == ((), (Range(16, 404),))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("unpack.count[0]", r"state within a unit or hart.*`monitor show unpack.count\[0\]`"),
        ("hart.x[1,5]", "reg T0 t0: the coprocessor cannot change that"),
        ("tdma.word[0]", "state within a unit"), ("no.row", "the record has no no.row"),
        ("gpr.word[192]", r"the record has no gpr.word\[192\]: they are 0 to 191"),
        ("hart.pc[0-4294967295]", "they are 0 to 4"),
        ("dst.bits", "no more than 1024 elements"), ("l1.word", "no more than 1024 elements"),
    ],
)  # fmt: skip
def test_a_row_that_is_not_watched(row: str, said: str, machine: Machine) -> None:
    with pytest.raises(NotAPlace, match=said):
        cells_of(machine, parse([row]))


def test_a_row_of_wormholes_configuration_is_watched_by_fields(wormhole: Machine) -> None:
    with pytest.raises(NotAPlace, match="type the name of a field"):
        cells_of(wormhole, parse(["config.word[0,12]"]))


@pytest.mark.parametrize("row", ["word", "thread"])
def test_every_field_of_the_configuration(row: str, machine: Machine, wormhole: Machine) -> None:
    slot = LAYOUT.slot("config", row)
    count = 0
    for tile in (machine, wormhole):
        for word in range(slot.field.shape[1]):
            for place, mask, low in fields_at(tile, row, (1, word), -1):
                assert typed(place) == place
                assert elements(tile, place)[0][0] == slot.at(1, word)
                assert bits_of(tile, place) == mask
                assert mask >> low & 1
                count += 1
    assert count > 100


def test_values_go_in_and_out(machine: Machine) -> None:
    """`write` gives what `read` finds, in the elements that are named."""
    chosen = random.Random(1)
    for words in (
        *("L1 0x21000:4", "dst 16.4", "dst32 3.7", "src b 1 3.5", "lreg 3.7", "gpr T1 5", "sem 3"),
        *("sem 3.max", "mutex 2", "mop T2 8", "adc T1 PAC Z1", "rwc T0 src_b_cr", "reg T1 a0"),
        *(
            "cfg ALU_FORMAT_SPEC_REG0_SrcA 1",
            "cfg CFG_STATE_ID_StateID T2",
            "local NC 0xffb00100:2",
        ),
        *("mmio B 0xffb12068", "cfg THCON_SEC0_REG3_Base_address[7:4] 0", "hart.pc[1]"),
    ):
        place = parse(words.split())
        value = 1 if "StateID" in words else chosen.choice((1, 3))
        write(machine, place, value)
        assert read(machine, place) == (value,), words
        write(machine, place, 0)


def test_what_is_put_in_has_a_value(machine: Machine) -> None:
    """Marks of undefined rows of Dst end with what a debugger writes."""
    S = machine.S
    S.vector.undefined[3] = 0xFF
    S.vector.flags_undefined = 0xFF
    for entry in range(2):
        S.vector.stack_undefined[entry] = 0xFF
    S.dst.from_undefined[7] = 0xFF
    for words in (
        "lreg 3.7",
        "vector.lreg[3,6]",
        "$lanes.flags",
        "vector.stack_flags[1]",
        "dst 7.1",
    ):
        write(machine, owned(machine, parse(words.split(), T0)), 1)
    assert (S.vector.undefined[3], S.vector.flags_undefined) == (0x3F, 0)
    assert [int(S.vector.stack_undefined[entry]) for entry in range(2)] == [0xFF, 0]
    assert S.dst.from_undefined[7] == 0xFD


def test_dst_is_rows_as_units_see_them(machine: Machine) -> None:
    """With remapped addresses a row is elsewhere in DstBits, and has the same name."""
    machine.S.config.word[0, dst.ACCESS_WORD] = dst.REMAP_ADDRS
    try:
        place = parse(["dst", "16.4"])
        ((offset, _),) = elements(machine, place)
        at = (offset - LAYOUT.slot("dst", "bits").offset) // 2 // dst.COLUMNS
        assert at != 16
        assert place_of(machine, "dst", "bits", (at, 4)) == place
    finally:
        machine.S.config.word[0, dst.ACCESS_WORD] = 0


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("mmio B 0xffb121b0", "tile_control.soft_reset"),
        ("mmio T1 0xffb1222c", "tile_control.trisc_reset_pc[1]"),
        ("mmio B 0xffb30100:8", "mmio B 0xffb30100:8"),
        ("mmio NC 0xffb44024", "mmio B 0xffb44024:4"),
        ("tdma.word[10]", "mmio B 0xffb11024:4"),
        ("pic.handler[33]", "pic.handler[33]"),
    ],
)
def test_a_register_is_printed_by_the_name_of_its_row_or_its_address(
    typed: str, printed: str, machine: Machine
) -> None:
    found = [element_at(at) for at, _ in elements(machine, parse(typed.split()))]
    place, left = merged([place_of(machine, *one.key, one.index) for one in found])
    assert (text(place), left) == (printed, 0)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("0x21000", "L1 0x21000:4"), ("l1 0x10:2,0x12:2", "L1 0x10:4"), ("dst 16", "dst 16"),
        ("dst 4-7,0-3.0-15", "dst 0-7"), ("DST32 1.2", "dst32 1.2"), ("lreg 3 7", "lreg 3.7"),
        ("$lreg3.f[7]", "lreg 3.7"), ("lreg3.f[7]", "lreg 3.7"), ("lreg L3", "lreg 3"),
        ("src a 1 3 5", "src a 1 3.5"), ("src srcb 0-15", "src b 0-15"), ("gpr 1 5", "gpr T1 5"),
        ("$gpr[5]", "gpr 5"), ("gpr t1 0x5", "gpr T1 5"), ("$sem.max[3]", "sem 3.max"),
        ("$sem.value[3]", "sem 3"), ("$mutex[2]", "mutex 2"), ("$rwc.dst", "rwc dst"),
        ("$adc_unp1.ch1[2]", "adc UNP1 Z1"), ("adc T1 unp0 x0,w1", "adc T1 UNP0 X0,W1"),
        ("cfg T1 CFG_STATE_ID_StateID", "cfg CFG_STATE_ID_StateID T1"),
        ("cfg 0xc bank1", "cfg 12 1"),
        ("cfg CFG_STATE_ID_StateID[0:0] 2", "cfg CFG_STATE_ID_StateID T2"),
        ("$sem.is.max[3]", "sem 3.max"), ("$sem[2]", "sem 2"), ("$sem.max", "sem 0-7.max"),
        ("$wait.kind T2", "latch.kind[2]"), ("$fifo.is.b T0", "fifo.count[0,1]"),
        ("$adc_pack.ch0_cr[1] T1", "adc.cr[1,2,0,1]"), ("$lanes.flags", "vector.flags"),
        ("$perf_fpu.cycles", "perf.reference[1]"), ("$pc NC", "hart.pc[4]"),
        ("$v3.w[2]", "rvv.word[14]"), ("$a0 T1", "reg T1 a0"), ("$dst 16.4", "dst 16.4"),
        ("rwc.dst[1]", "rwc.dst[1]"), ("gate.held[1]", "gate.held[1]"),
        ("reg T1 x10", "reg T1 a0"), ("$a0", "reg a0"), ("reg B fp", "reg B s0"),
        ("reg B f3", "reg B ft3"), ("0xffb00010:2", "local 0xffb00010:2"),
        ("0xffb12068", "mmio 0xffb12068:4"), ("noc.ctrl[0, 3]", "noc.ctrl[0,3]"),
    ],
)  # fmt: skip
def test_other_ways_to_write_it(typed: str, canonical: str) -> None:
    assert text(parse(typed.split())) == canonical
    assert parse(canonical.split()) == parse(typed.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "name a place: 0x21000:16"), ("hello", "is no place: type"),
        ("gprs 3", "did you mean `gpr T1 5`"), ("gpr T7 5", "there is no thread 7"),
        ("dst 16 4", r"two meanings: type `dst 16\.4` for column 4, or `dst 16-19` for 4 rows"),
        ("dst 5000", "there is no row 5000: they are 0 to 1023"), ("dst32 512", "0 to 511"),
        ("lreg 17", "there is no LReg 17: they are 0 to 16"), ("dst 7-4", "type 4-7"),
        ("dst 1.2.3", "is too much"), ("dst", "for example `dst 16.4`"),
        ("0x21000 16", "type `0x21000:16` for 16 bytes"), ("0x21000:0", "has no bytes"),
        ("0xffb8ffb8f", "beyond the addresses"), ("0xfffffffe:4", "beyond the addresses"),
        ("0x1" + "0" * 40, "beyond the addresses"), ("0x20000:0x" + "f" * 20, "beyond the"),
        ("row", "something is missing"), ("dst 010 4", "two meanings"), ("a.b[-]", "of an"),
        ("cfg 5[99999999999999999999:0]", "bits 0 to 31"), ("sem 0x" + "f" * 999, "200 characters"),
        ("src c 1", "none of a, b"), ("src a 2", "there is no bank 2"), ("sem 3.min", "no 'min'"),
        ("cfg NOTHING", "no field of the configuration"), ("cfg Base_addr", "did you mean"),
        ("cfg 12[40:0]", r"12\[31:0\]"), ("reg T1", "for example `reg T1 a0`"),
        ("adc T1 UNP0 Q0", "is no counter"), ("rwc T1 row", "none of dst"),
        ("$hello.x", r"\$gpr\[5\]"), ("$hello", "is no place"), ("$fcsr", "is a CSR and no place"),
        ("$wait", "has the fields kind, block"), ("$gpr.x", r"no fields.*\$gpr\[0\]"),
        ("$wait.kind", r"of which thread\? Type for example `\$wait.kind T1`"),
        ("$pc", "of which hart"), ("$gpr[64]", "its elements are 0 to 63"),
        ("$rwc.dst[1]", "has no element 1"), ("$lanes.enabled", "is computed and no place"),
        ("$perf_l1.request[8]", "0 to 7"), ("gpr T1 5 6", "one place at a time"),
        ("dst x", "no number"),
    ],
)  # fmt: skip
def test_what_is_no_place(words: str, said: str) -> None:
    with pytest.raises(NotAPlace, match=said):
        parse(words.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("0x7fffffff", "is not in L1, which ends at 0x180000"), ("mutex 1", "no mutex 1"),
        ("local T0 0xffb01ffc:8", "not in the local RAM of T0"), ("no.row", "has no no.row"),
        ("hart.pc[9]", "has no hart"), ("gpr 5", "of which thread"), ("$a0", "of which hart"),
        ("cfg 230", "no word of the configuration 230: they are 0 to 223"),
        ("cfg ALU_FORMAT_SPEC_REG0_SrcA T1", "is of a bank, 0 or 1, and not of T1"),
    ],
)  # fmt: skip
def test_what_the_machine_has_not(words: str, said: str, machine: Machine) -> None:
    with pytest.raises(NotAPlace, match=said):
        read(machine, parse(words.split()))


def test_what_a_window_shows_has_another_name(machine: Machine, wormhole: Machine) -> None:
    for tile, words, said in (
        (machine, "mmio T1 0xffbd8000", "`dst 16.4`"),
        (wormhole, "mmio B 0xffef0030", "`cfg NAME`"),
        (machine, "mmio B 0xffb14000", "`local T0"),
        (machine, "mmio B 0xffb121f0", "`monitor show`"),
        (machine, "mmio T0 0xffec0000", "`monitor show`"),
    ):
        with pytest.raises(NotAPlace, match=said):
            elements(tile, parse(words.split()))


def test_what_does_not_fit(machine: Machine) -> None:
    for words, value in (("sem 3", 16), ("gpr T0 1", -1), ("lreg 8.0", 1), ("rwc T0 dst", 1024)):
        with pytest.raises(NotAPlace):
            write(machine, parse(words.split()), value)


def test_an_owner_is_that_of_the_selected_hart(machine: Machine) -> None:
    for words, hart, whole in (
        ("gpr 5", 2, "gpr T1 5"), ("$a0", 0, "reg B a0"), ("src a", None, "src a 0"),
        ("cfg CFG_STATE_ID_StateID", 3, "cfg CFG_STATE_ID_StateID T2"), ("gpr T2 5", 1, "gpr T2 5"),
    ):  # fmt: skip
        assert text(owned(machine, parse(words.split()), hart)) == whole


def test_several_elements_are_one_place_of_no_others() -> None:
    datums = [parse([f"dst {row}.{column}"]) for row in (0, 1) for column in range(16)]
    assert [str(part) for part in merged(datums)] == ["dst 0-1", "0"]
    assert [str(part) for part in merged(datums[:17])] == ["dst 0", "1"]
    assert str(merged([parse(["gpr T1 4"]), parse(["gpr T1 5"])])[0]) == "gpr T1 4-5"


def test_examples_of_each_kind_parse(machine: Machine) -> None:
    for kind in KINDS.values():
        for form in kind.forms:
            place = parse(form.split())
            assert typed(place) == place
            assert elements(machine, owned(machine, place, 2))
        assert kind.owner is Owner.NONE or parse(kind.forms[0].split()).owner
