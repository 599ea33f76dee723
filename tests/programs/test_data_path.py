# SPDX-License-Identifier: Apache-2.0
"""Whole tiles through unpackers, Matrix Unit and packer, by C programs on T0, T1 and T2.

The results are compared with ordinary arithmetic on lists, exactly where it is exact.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator, Sequence

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.debug.gate_breakpoints import GateWatch
from tensix_gdb.core.debug.l1_ranges import Range
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind, WatchKind
from tests.conftest import Build
from tests.core.tensix.packer.packer import BF16, FP32
from tests.machines import machine_on
from tests.programs.data_path import LEFT, RESULT, RIGHT, Matrix, defines, prepare, put


@pytest.fixture(params=[("compiled", Schedule.LATENCY), ("compiled", Schedule.RANDOM),
                        ("compiled", Schedule.SC), ("reference", Schedule.LATENCY)],
                ids=lambda p: f"{p[0]}-{p[1].name.lower()}")  # fmt: skip
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(*request.param, seed=5)
    yield machine
    machine.close()


def run(machine: Machine, program: Build, *, multiplying: bool, phases: int) -> None:
    """Build and run the three programs to their ends."""
    for hart, name in enumerate(("T0", "T1", "T2")):
        line = defines(hart + 1, phases=phases, multiplying=multiplying)
        machine.load(T0 + hart, read_elf(program("data_path", name, defines=line)))
    for _ in range(8):
        stop = machine.run(50_000)
        if stop is not None and stop.kind is not StopKind.EBREAK:
            break
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    S = machine.record.S
    assert not S.tensix.active
    assert [S.busy.matrix[i] + S.busy.packer[i] for i in range(3)] == [0, 0, 0]


def from_faces(flat: Sequence[float]) -> Matrix:
    return [
        [flat[((i // 16) * 2 + j // 16) * 256 + i % 16 * 16 + j % 16] for j in range(32)]
        for i in range(32)
    ]


def result(machine: Machine, *, fp32: bool) -> Matrix:
    if fp32:
        return from_faces(struct.unpack("<1024f", machine.peek(B, RESULT, 4096)))
    halves = struct.unpack("<1024H", machine.peek(B, RESULT, 2048))
    return from_faces([struct.unpack("<f", struct.pack("<I", h << 16))[0] for h in halves])


def product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in left
    ]


def drawn(seed: int, draw: Callable[[random.Random], float]) -> Matrix:
    source = random.Random(seed)
    return [[draw(source) for _ in range(32)] for _ in range(32)]


def test_small_integers_multiply_exactly(tile: Machine, program: Build) -> None:
    left = drawn(1, lambda r: float(r.randrange(-1, 2)))
    right = drawn(2, lambda r: float(r.randrange(-3, 4)))
    prepare(tile.poke, BF16, fp32=False)
    put(tile.poke, LEFT, left)
    put(tile.poke, RIGHT, right)
    run(tile, program, multiplying=True, phases=1)
    assert result(tile, fp32=False) == product(left, right)


def test_four_phases_use_all_of_a_mantissa(program: Build) -> None:
    # All 8 bits of a mantissa, and one exponent: nothing is lost when products are aligned, and a
    # sum of 32 products has 21 bits, which FP32 holds.
    left = drawn(3, lambda r: float(r.choice((-1, 1)) * r.randrange(128, 256)))
    right = drawn(4, lambda r: float(r.choice((-1, 1)) * r.randrange(128, 256)))
    machine = machine_on("compiled", Schedule.LATENCY)
    prepare(machine.poke, FP32, fp32=True)
    put(machine.poke, LEFT, left)
    put(machine.poke, RIGHT, right)
    run(machine, program, multiplying=True, phases=4)
    assert result(machine, fp32=True) == product(left, right)
    machine.close()


def test_one_phase_is_less_precise_and_not_far_off(program: Build) -> None:
    left = drawn(5, lambda r: float(r.randrange(1, 256)))
    right = drawn(6, lambda r: float(r.randrange(1, 256)))
    machine = machine_on("compiled", Schedule.LATENCY)
    prepare(machine.poke, FP32, fp32=True)
    put(machine.poke, LEFT, left)
    put(machine.poke, RIGHT, right)
    run(machine, program, multiplying=True, phases=1)
    wanted, found = product(left, right), result(machine, fp32=True)
    errors = [
        abs(x - y) / x
        for wanted_row, found_row in zip(wanted, found, strict=True)
        for x, y in zip(wanted_row, found_row, strict=True)
    ]
    # 4 bits of SrcA's mantissa below the leading one, 6 of SrcB's: cut off, not rounded.
    assert 0 < max(errors) < 1 / 16 + 1 / 64
    machine.close()


def test_element_wise_sums(tile: Machine, program: Build) -> None:
    left = drawn(7, lambda r: r.randrange(-64, 65) / 4)
    right = drawn(8, lambda r: r.randrange(-64, 65) / 4)
    prepare(tile.poke, BF16, fp32=False)
    put(tile.poke, LEFT, left)
    put(tile.poke, RIGHT, right)
    run(tile, program, multiplying=False, phases=1)
    wanted = [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]
    assert result(tile, fp32=False) == wanted


def test_a_watch_of_a_whole_tile(tile: Machine, program: Build) -> None:
    """Unpackers read it and the packer writes it: both are named, and the sums are as ever."""
    left, right = drawn(7, lambda r: r.randrange(1, 65) / 4), drawn(8, lambda r: 1.0)
    prepare(tile.poke, BF16, fp32=False)
    put(tile.poke, LEFT, left)
    put(tile.poke, RIGHT, right)
    for start, kind in ((LEFT, WatchKind.READ), (RIGHT, WatchKind.READ), (RESULT, WatchKind.WRITE)):
        ranges = (Range(start, start + 2048, kind),)
        tile.gates.add_watch(GateWatch(f"{start:#x}", (), ranges=ranges, kind=kind))
    for hart, name in enumerate(("T0", "T1", "T2")):
        line = defines(hart + 1, phases=1, multiplying=False)
        tile.load(T0 + hart, read_elf(program("data_path", name, defines=line)))
    said: dict[str, list[str]] = {}
    while (stop := tile.run(50_000)) is not None and stop.kind is not StopKind.ALL_PAUSED:
        if stop.kind is StopKind.WATCH:
            said.setdefault(stop.text.partition(")")[0], []).append(stop.text)
    assert stop is not None
    assert "bytes at 0x40000 read by UNPACR" in said[f"Watch 1 ({LEFT:#x}"][0]
    assert "of T0 unpack, pushed at" in said[f"Watch 1 ({LEFT:#x}"][0]
    assert "bytes at 0x41000 read by UNPACR" in said[f"Watch 2 ({RIGHT:#x}"][0]
    first = said[f"Watch 3 ({RESULT:#x}"]
    assert f"{RESULT:#x} changed from 0x0 to 0x" in first[0]
    assert "by PACR" in first[0]
    assert "of T2 pack, pushed at" in first[0]
    assert len(first) >= 16, "up to eight blocks of 16 bytes in a cycle"
    wanted = [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]
    assert result(tile, fp32=False) == wanted
