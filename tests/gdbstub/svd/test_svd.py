# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb svd`: the file keeps its schema, and each register in it is one of the tile."""

from __future__ import annotations

from pathlib import Path

import cmsis_svd
import pytest
import xmlschema
from cmsis_svd.parser import SVDParser

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.devices.registers import Access
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.svd.document import document
from tensix_gdb.gdbstub.svd.rows import Peripheral, identifier, peripherals

SCHEMA = Path(cmsis_svd.__file__).parent / "schemas" / "CMSIS-SVD_1_3_11.xsd"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def found() -> dict[str, Peripheral]:
    return {one.name: one for one in peripherals()}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("svd") / "tile.svd"
    path.write_text(document(peripherals()))
    return path


def test_it_keeps_the_schema_of_arm(file: Path) -> None:
    schema = xmlschema.XMLSchema(str(SCHEMA))
    assert [str(error) for error in schema.iter_errors(str(file))] == []
    text = file.read_text().replace("<name>SOFT_RESET_0</name>", "<name>SOFT RESET</name>")
    (error,) = schema.iter_errors(text)
    assert "SOFT RESET" in str(error)


def test_another_program_reads_it(file: Path, found: dict[str, Peripheral]) -> None:
    device = SVDParser.for_xml_file(str(file)).get_device()
    read = {one.name: one for one in device.get_peripherals()}
    assert {name: one.base_address for name, one in read.items()} == {
        name: one.base for name, one in found.items()
    }
    registers = {one.name: one for one in read["CFG_STATE_1"].get_registers()}
    fields = {one.name: one for one in registers["ALU_FORMAT_SPEC_REG_SrcA_val"].get_fields()}
    field = config_fields(Arch.BLACKHOLE)["ALU_FORMAT_SPEC_REG_SrcA_val"]
    assert fields[field.name].bit_offset == field.low
    assert fields[field.name].bit_width == field.width
    counters = {one.name: one for one in read["NOC0"].get_registers()}
    assert "row noc.counter of the record" in counters["NIU_COUNTER_5"].description


def test_each_register_can_be_looked_at(found: dict[str, Peripheral]) -> None:
    """By a debugger, without side effects; of a name only, or one that pops, it would fail."""
    machine = Machine(engine="reference")
    before = machine.hash()
    count = 0
    for one in found.values():
        for copy in range(one.copies):
            for register in one.registers:
                if register.access is not Access.WRITE_ONLY:
                    machine.peek(T1, one.base + copy * one.size + register.offset, 4)
                    count += 1
    assert count > 4000
    assert machine.hash() == before
    machine.close()


def test_registers_do_not_overlap(found: dict[str, Peripheral]) -> None:
    for one in found.values():
        offsets = [register.offset for register in one.registers]
        assert offsets == sorted(set(offsets))
        assert offsets[-1] < one.size
        names = [register.name for register in one.registers]
        assert len(set(names)) == len(names)
        for register in one.registers:
            taken = 0
            for bits in register.fields:
                mask = ((1 << bits.width) - 1) << bits.low
                assert not taken & mask, (register.name, bits.name)
                taken |= mask
            assert taken < 1 << 32


def test_every_field_of_the_configuration_is_there(found: dict[str, Peripheral]) -> None:
    for peripheral, thread in (("CFG_STATE_0", False), ("CFG_THREAD_T2", True)):
        named = {bits.name for one in found[peripheral].registers for bits in one.fields}
        wanted = {
            identifier(field.name)
            for field in config_fields(Arch.BLACKHOLE).values()
            if (field.space is Space.THREAD) is thread
        }
        assert wanted <= named


def test_a_value_that_a_hart_sees(found: dict[str, Peripheral]) -> None:
    """The word of a name is the word of the machine's record."""
    machine = Machine(engine="reference")
    machine.S.config.word[1, 64] = 0x1234
    machine.S.config.thread[2, 0] = 1
    bank = found["CFG_STATE_1"]
    (word,) = [one for one in bank.registers if one.offset == 4 * 64]
    assert int.from_bytes(machine.peek(T1, bank.base + word.offset, 4), "little") == 0x1234
    thread = found["CFG_THREAD_T2"]
    (word,) = [one for one in thread.registers if one.name == "CFG_STATE_ID_StateID"]
    assert int.from_bytes(machine.peek(T1, thread.base + word.offset, 4), "little") == 1
    machine.close()


def test_the_command(tmp_path: Path, capsys: Capture) -> None:
    assert main(["svd", "-o", str(tmp_path / "tile.svd")]) == 0
    assert "tile.svd: 15 peripherals with" in capsys.readouterr().out
    assert main(["svd"]) == 0
    assert capsys.readouterr().out == (tmp_path / "tile.svd").read_text()
    assert main(["svd", "-o", "/nowhere/tile.svd"]) == 2
    assert "/nowhere/tile.svd cannot be written: No such file" in capsys.readouterr().err
