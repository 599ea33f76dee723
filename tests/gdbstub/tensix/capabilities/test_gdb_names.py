# SPDX-License-Identifier: Apache-2.0
"""Registers of a Tensix thread and places: each is the place of its name, `$wait.is.kind`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.gdb_names import NAMES
from tensix_gdb.core.places.place import NotAPlace, Place, numbers, text
from tensix_gdb.core.places.state import elements, owned, read
from tensix_gdb.core.places.words import parse
from tensix_gdb.gdbstub.tensix.capabilities.tensix_registers import REGISTERS, Field, Register

COMPUTED = {"$gate.word", "$lanes.enabled", "$perf_l1.mux"}
ABSENT = {"$mutex[1]"}  # no chip has it


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    machine = Machine(engine="reference", arch=Arch.WORMHOLE)  # that has every mutex
    yield machine
    machine.close()


def name_of(register: Register, field: Field, i: int | None = None) -> str:
    """As people type it."""
    member = f".{field.name}" if len(register.fields) > 1 else ""
    return f"${register.name}{member}" + ("" if i is None or field.count == 1 else f"[{i}]")


def test_every_register_of_a_thread_is_a_place(machine: Machine) -> None:
    """And the one that it says: a value put into the place is seen in the register."""
    S, raw = machine.S, machine.record.raw()
    seen, without = set(), set()
    for register in REGISTERS:
        for field in register.fields:
            for i in range(field.count):
                name = name_of(register, field, i)
                for thread in range(THREADS):
                    try:
                        place = owned(machine, parse([name], T0 + thread), T0 + thread)
                        ((at, size),) = elements(machine, place)
                    except NotAPlace:
                        without.add(name)
                        continue
                    before = bytes(raw[at : at + size])
                    for value in (1, 0):
                        raw[at : at + size] = value.to_bytes(size, "little")
                        assert field.read(S, thread, i) == read(machine, place)[0] == value, name
                    raw[at : at + size] = before
                    assert parse(text(place).split()) == place
                    seen.add((thread, name))
    assert without == COMPUTED | ABSENT
    assert len(seen) > 2000


def test_a_field_without_an_index_is_all_of_it(machine: Machine) -> None:
    for register in REGISTERS:
        for field in register.fields:
            name = name_of(register, field)
            if name in COMPUTED or register.name == "mutex" or register.name.startswith("perf"):
                continue
            place: Place = owned(machine, parse([name], T0), T0)
            assert len(elements(machine, place)) == field.count, name


def test_the_table_has_no_other_names() -> None:
    ours = {register.name for register in REGISTERS} | {"pc"} | {f"v{n}" for n in range(32)}
    assert set(NAMES) == ours
    for register in REGISTERS:
        if len(register.fields) > 1:
            assert set(NAMES[register.name]) == {field.name for field in register.fields}


def test_a_thread_that_is_named_comes_first() -> None:
    assert text(parse(["$wait.is.kind", "T2"], T0)) == "latch.kind[2]"
    assert text(parse(["$pc", "NC"], T0)) == "hart.pc[4]"
    assert text(parse(["$gpr[5]", "T1"], T0)) == "gpr T1 5"
    place = parse(["$adc_unp1.is.ch1"], T0)
    assert text(place) == "adc UNP1 X1,Y1,Z1,W1"
    assert numbers(place.indexes[0]) == [4, 5, 6, 7]
