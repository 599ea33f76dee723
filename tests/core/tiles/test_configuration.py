# SPDX-License-Identifier: Apache-2.0
"""The configuration of each format, and nothing else, moves a tile from L1 to L1."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2, B
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tiles.configuration.matrix import math
from tensix_gdb.core.tiles.configuration.packer import pack
from tensix_gdb.core.tiles.configuration.setting import INPUT, OUTPUT, Setup
from tensix_gdb.core.tiles.configuration.unpacker import unpack
from tensix_gdb.core.tiles.formats import FORMATS
from tensix_gdb.core.tiles.npy import Array, ArrayError
from tensix_gdb.core.tiles.tile import array_bytes, from_l1, to_l1
from tests.core.tensix.drive import run
from tests.core.tensix.programs import push_all
from tests.machines import machine_on

SHAPE = (32, 32)
FULL, WAIT_FULL = "SEMPOST sem=S1", "SEMWAIT block=B0|B2, wait=C0, sem=S1"
MATH_DONE, UNPACKED = "STALLWAIT block=B1, wait=C4", "STALLWAIT block=B1, wait=C1"
BY_DST = ("int32", "uint32", "twos32", "fp32")  # SrcA has not so many bits


def small(name: str) -> Array:
    """Integers that every format has, in magnitudes that its blocks can share."""
    dice = random.Random(name)
    most = 1 if "bfp2" in name else 7
    choices = (0, most) if name.startswith("uint") else (-most, 0, most)
    if "bfp" not in name:
        choices = tuple(range(choices[0], most + 1))
    if name in ("uint8", "int16"):
        choices = (*choices, 200, 255) if name == "uint8" else (*choices, -512, 256)
    return Array(SHAPE, [float(dice.choice(choices)) for _ in range(1024)])


def program(tile: Machine, setups: tuple[Setup, ...]) -> None:
    """Write the words, each whole: what no setting names is 0."""
    words: dict[tuple[int | None, int], int] = {}
    for setup in setups:
        for (is_thread, word), value in setup.words().items():
            key = (setup.thread if is_thread else None, word)
            assert not words.get(key, 0) & value or words[key] == value
            words[key] = words.get(key, 0) | value
    for (thread, word), value in words.items():
        if thread is None:
            tile.record.S.config.word[0, word] = value
        else:
            tile.record.S.config.thread[thread, word] = value


def move(tile: Machine, unpacks: Setup, maths: Setup | None, packs: Setup) -> None:
    """Run the three threads as LLK has them, to their ends."""
    tile.record.S.semaphore.max[1] = 1
    beside = () if maths is None else maths.beside
    first = [*unpacks.prepares]
    for one in unpacks.runs:
        first += [one, *(beside if one.startswith("UNPACR") else ())]
    programs = {
        T1: [*maths.runs, MATH_DONE, FULL] if maths is not None else [],
        T2: [*packs.prepares, WAIT_FULL, *packs.runs],
    }
    if maths is None:
        first += [UNPACKED, FULL]
    program(tile, tuple(one for one in (unpacks, maths, packs) if one is not None))
    stop = run(tile, {T0: push_all(first), **{h: push_all(p) for h, p in programs.items() if p}})
    assert stop is not None, "an instruction waits forever"
    assert stop.kind is StopKind.ALL_PAUSED, stop.text


def moved(
    tile: Machine, given: str, wanted: str, unpacks: Setup, maths: Setup | None, packs: Setup
) -> tuple[list[float], list[float]]:
    """The numbers that L1 has in the end, and those that it had."""
    array = small(given if "2" not in wanted else wanted)
    tile.poke(B, INPUT, to_l1(FORMATS[given], array))
    size = array_bytes(FORMATS[wanted], SHAPE)
    tile.poke(B, OUTPUT, bytes([0xA5]) * (size + 16))
    move(tile, unpacks, maths, packs)
    content = tile.peek(B, OUTPUT, size + 16)
    assert content[size:] == bytes([0xA5]) * 16, "the packer continued after the tile"
    return list(from_l1(FORMATS[wanted], content[:size], SHAPE)[0].values), list(array.values)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in BY_DST])
def test_a_tile_through_the_matrix_unit(tile: Machine, name: str) -> None:
    got, wanted = moved(tile, name, name, unpack(name), math(name), pack(name))
    assert got == wanted


@pytest.mark.parametrize(
    "name", [n for n in FORMATS if n not in ("int8", "uint8")]
)  # integers of 8 bits are not packed from Dst as they are unpacked to it
def test_a_tile_through_dst_alone(tile: Machine, name: str) -> None:
    packs = pack("fp32", "tf32") if name == "tf32" else pack(name)
    got, wanted = moved(tile, name, name, unpack(name, to="dst"), None, packs)
    assert got == wanted


CONVERSIONS = (
    *(("fp32", wanted) for wanted in ("bf16", "fp16", "tf32", "bfp8", "bfp8a", "fp8", "fp8_e4m3")),
    *(("bf16", wanted) for wanted in ("fp32", "fp16", "tf32", "bfp8", "bfp4", "bfp8a", "fp8")),
    *(("fp16", wanted) for wanted in ("fp32", "bf16", "bfp8", "bfp4a", "fp8_e4m3")),
)


@pytest.mark.parametrize(("given", "wanted"), CONVERSIONS)
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


def test_a_second_tile_begins_as_the_first(tile: Machine) -> None:
    """The instructions of a tile, twice: the counters are where they were."""
    got, wanted = moved(tile, "bf16", "bf16", unpack("bf16"), math("bf16"), pack("bf16"))
    assert got == wanted
    tile.poke(B, OUTPUT, bytes(2048))
    setups = [replace(one, prepares=()) for one in (unpack("bf16"), math("bf16"), pack("bf16"))]
    tile.record.S.semaphore.value[1] = 0
    move(tile, *setups)
    assert from_l1(FORMATS["bf16"], tile.peek(B, OUTPUT, 2048), SHAPE)[0].values == wanted


@pytest.mark.parametrize("wanted", ["bf16", "fp16"])
def test_the_unpacker_converts(tile: Machine, wanted: str) -> None:
    got, was = moved(tile, "fp32", wanted, unpack("fp32", wanted), math(wanted), pack(wanted))
    assert got == was


# What is read in other paths only: by stores of the Vector Unit, by edge masks; Fp32_enabled where
# the format of SrcA or the arithmetic makes datums of Dst wide by itself; rows of zeros.
NOT_READ = {
    "ALU_ACC_CTRL_SFPU_Fp32_enabled",
    "PACK_COUNTERS_SEC0_pack_reads_per_xy_plane",
    "ALU_ACC_CTRL_Fp32_enabled",
    "ADDR_MOD_AB_SEC0_SrcBIncr",
}


@pytest.mark.parametrize("name", ["bf16", "bfp8", "uint8", "int16", "fp8_e4m3"])
def test_without_a_setting_no_tile_is_moved(name: str) -> None:
    """Each of them is needed: without it, there is a fault, another tile or none."""
    tile = machine_on("compiled", Schedule.SC)
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
    tile.close()
    # Only exponents and W are counted by faces.
    faces = {"THCON_SEC0_REG0_TileDescriptor ZDim"}
    assert needless - NOT_READ == (set() if name == "bfp8" else faces)


def test_fields_are_those_of_the_tables() -> None:
    """Each field is one of the tables', and its value fits."""
    known = config_fields(Arch.BLACKHOLE)
    for name in FORMATS:
        for setup in (unpack(name, to="dst"), math(name), pack(name)):
            for one in setup.settings:
                assert one.value < 1 << one.width
                if "TileDescriptor" not in one.name:
                    assert (known[one.name].word, known[one.name].low) == (one.word, one.low)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: unpack("int32"), "unpackers make no int32 of int32 in SrcA and SrcB"),
        (lambda: unpack("bf16", "fp16"), "unpackers make bf16 of bf16, no fp16"),
        (lambda: unpack("bf16", to="l1"), "unpackers write to srca, srcb, dst, not to 'l1'"),
        (lambda: unpack("fp32", "fp32"), "unpackers make no fp32 of fp32 in SrcA and SrcB"),
        (lambda: pack("bf16", "int8"), "the packer makes no int8 of bf16 in Dst"),
        (lambda: pack("int16", "int32"), "the packer makes no int32 of int16 in Dst"),
        (lambda: pack("b16"), "'b16' is no format"),
        (lambda: math("fp"), "'fp' is no format"),
        (lambda: math("bf16", "fp16"), "the Matrix Unit makes bf16 or fp32 of bf16, no fp16"),
        (lambda: math("int8", "fp32"), "the Matrix Unit makes int32 of int8, no fp32"),
        (lambda: math("int16", "fp32"), "the Matrix Unit makes int16 of int16, no fp32"),
    ],
)
def test_what_there_is_not(make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(ArrayError, match=said):
        make()
