# SPDX-License-Identifier: Apache-2.0
"""The configuration of each format by Wormhole's names moves a tile from L1 to L1 on Wormhole."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2, B
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.config.words import SET_CONFIG, SET_THREAD_CONFIG
from tensix_gdb.core.tiles.configuration import matrix, packer, unpacker
from tensix_gdb.core.tiles.configuration.setting import INPUT, OUTPUT, Setup
from tensix_gdb.core.tiles.formats import FORMATS
from tensix_gdb.core.tiles.npy import ArrayError
from tensix_gdb.core.tiles.tile import array_bytes, from_l1, to_l1
from tests.core.tensix.drive import run
from tests.core.tensix.programs import ttinsn
from tests.core.tiles.test_configuration import (
    BY_DST,
    CONVERSIONS,
    FULL,
    NOT_READ,
    SHAPE,
    small,
)
from tests.core.wormhole.programs import words_of
from tests.machines import machine_on

HERE = [name for name in FORMATS if name != "fp8_e4m3"]
WAIT_FULL = "SEMWAIT block=B0|B1|B2, wait=C0, sem=S1"
MATH_DONE, UNPACKED = "STALLWAIT block=B1, wait=C7", "STALLWAIT block=B1, wait=C1"


def unpack(given: str, wanted: str = "", to: str = "srca") -> Setup:
    return unpacker.unpack(given, wanted, to, arch=Arch.WORMHOLE)


def math(given: str, wanted: str = "") -> Setup:
    return matrix.math(given, wanted, Arch.WORMHOLE)


def pack(given: str, wanted: str = "") -> Setup:
    return packer.pack(given, wanted, arch=Arch.WORMHOLE)


@pytest.fixture
def tile() -> Iterator[Machine]:
    machine = machine_on("compiled", Schedule.LATENCY, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


def configure(tile: Machine, setups: tuple[Setup, ...]) -> None:
    """Write the words as stores of a T core and SETC16 do; what no setting names is 0."""
    S = tile.record.S
    shared: dict[int, int] = {}
    for setup in setups:
        for (is_thread, word), value in setup.words().items():
            if is_thread:
                SET_THREAD_CONFIG[S.tile.chip](S, setup.thread, word, value)
            else:
                assert not shared.get(word, 0) & value or shared[word] == value
                shared[word] = shared.get(word, 0) | value
    for word, value in shared.items():
        SET_CONFIG[S.tile.chip](S, 0, word, value)


def moved(
    tile: Machine, given: str, wanted: str, unpacks: Setup, maths: Setup | None, packs: Setup
) -> tuple[list[float], list[float]]:
    """Return the numbers that L1 has in the end, and those that it had."""
    array = small(given if "2" not in wanted else wanted)
    tile.poke(B, INPUT, to_l1(FORMATS[given], array))
    size = array_bytes(FORMATS[wanted], SHAPE)
    tile.poke(B, OUTPUT, bytes([0xA5]) * (size + 16))
    tile.record.S.semaphore.max[1] = 1
    beside = () if maths is None else maths.beside
    first = [*unpacks.prepares]
    for one in unpacks.runs:
        first += [one, *(beside if one.startswith("UNPACR") else ())]
    if maths is None:
        first += [UNPACKED, FULL]
    programs = {T0: first, T2: [*packs.prepares, WAIT_FULL, *packs.runs]}
    if maths is not None:
        programs[T1] = [*maths.runs, MATH_DONE, FULL]
    configure(tile, tuple(one for one in (unpacks, maths, packs) if one is not None))
    stop = run(tile, {h: [ttinsn(word) for word in words_of(p)] for h, p in programs.items()})
    assert stop is not None, "an instruction waits forever"
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    content = tile.peek(B, OUTPUT, size + 16)
    assert content[size:] == bytes([0xA5]) * 16, "the packer continued after the tile"
    return list(from_l1(FORMATS[wanted], content[:size], SHAPE)[0].values), list(array.values)


@pytest.mark.parametrize("name", [name for name in HERE if name not in BY_DST])
def test_a_tile_through_the_matrix_unit(tile: Machine, name: str) -> None:
    got, wanted = moved(tile, name, name, unpack(name), math(name), pack(name))
    assert got == wanted


@pytest.mark.parametrize("name", [name for name in HERE if name not in ("int8", "uint8")])
def test_a_tile_through_dst_alone(tile: Machine, name: str) -> None:
    packs = pack("fp32", "tf32") if name == "tf32" else pack(name)
    got, wanted = moved(tile, name, name, unpack(name, to="dst"), None, packs)
    assert got == wanted


@pytest.mark.parametrize(
    ("given", "wanted"), [pair for pair in CONVERSIONS if "fp8_e4m3" not in pair]
)
def test_the_packer_converts(tile: Machine, given: str, wanted: str) -> None:
    got, was = moved(tile, given, wanted, unpack(given, to="dst"), None, pack(given, wanted))
    assert got == was


@pytest.mark.parametrize(
    ("given", "register"), [("bf16", "fp32"), ("fp16", "fp32"), ("fp32", "bf16"), ("bfp8", "fp32")]
)
def test_the_matrix_unit_converts(tile: Machine, given: str, register: str) -> None:
    packs = pack(register, register)
    got, was = moved(tile, given, register, unpack(given), math(given, register), packs)
    assert got == was


@pytest.mark.parametrize("name", ["fp32", "uint8", "int16"])
def test_without_a_setting_no_tile_is_moved(tile: Machine, name: str) -> None:
    """Each of them is needed: without it, there is a fault, another tile or none."""
    fresh = tile.snapshot()
    setups = [unpack(name), math(name), pack(name)]
    needless = set()
    for i, setup in enumerate(setups):
        for left_out in setup.settings:
            if not left_out.value:
                continue
            kept = tuple(one for one in setup.settings if one is not left_out)
            unpacks, maths, packs = [*setups[:i], replace(setup, settings=kept), *setups[i + 1 :]]
            tile.restore(fresh)
            with contextlib.suppress(AssertionError):
                got, wanted = moved(tile, name, name, unpacks, maths, packs)
                if got == wanted:
                    needless.add(left_out.name)
    # Exponents and W alone are counted by faces; the bits of integers pass as those of any format.
    format_of_src = set() if name == "fp32" else {"ALU_FORMAT_SPEC_REG0_SrcA"}
    faces = {"THCON_SEC0_REG0_TileDescriptor ZDim"}
    assert needless - NOT_READ == faces | format_of_src


def test_fields_are_those_of_the_chip() -> None:
    known = config_fields(Arch.WORMHOLE)
    for name in HERE:
        for setup in (unpack(name, to="dst"), math(name), pack(name)):
            assert setup.arch is Arch.WORMHOLE
            for one in setup.settings:
                assert one.value < 1 << one.width
                whole = known[one.name.partition(" ")[0]]
                if whole.name == one.name:
                    assert (whole.word, whole.low) == (one.word, one.low)
                else:
                    assert 0 <= one.word - whole.word < 4


def test_what_there_is_not() -> None:
    for make in (unpack, pack):
        with pytest.raises(ArrayError, match="e5m2"):
            make("fp8_e4m3")
