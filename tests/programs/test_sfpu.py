# SPDX-License-Identifier: Apache-2.0
"""Kernels of the Vector Unit in C, against NumPy; bit for bit the same on both engines.

Tolerances: relu, square, sorting and the casts are exact. The reciprocal has two Newton steps, so
2 units in the last place. The table of e to the power of -|x| has six straight lines: 0.02.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.conftest import Build
from tests.machines import machine_on

np = pytest.importorskip("numpy")

INPUT, OUTPUT, COUNT = 0x30000, 0x32000, 1024
CUTS = (0.0, 0.5, 1.0, 1.5, 2.0, 4.0)
RUNS = [("compiled", Schedule.LATENCY), ("compiled", Schedule.SC), ("reference", Schedule.LATENCY)]


def anything(rng: Any) -> Any:
    return rng.normal(0, 100, COUNT).astype(np.float32)


def positive(rng: Any) -> Any:
    return np.exp(rng.normal(0, 10, COUNT)).astype(np.float32)


def small(rng: Any) -> Any:
    return rng.uniform(-4, 4, COUNT).astype(np.float32)


def rounded(x: Any) -> Any:
    """To the nearest, ties away from zero, within 16 bits."""
    return np.clip(np.sign(x) * np.floor(np.abs(x) + 0.5), -32767, 32767).astype(np.float32)


def sorted_pairs(x: Any) -> Any:
    pairs = x.reshape(-1, 2)
    return np.stack([pairs.min(axis=1), pairs.max(axis=1)], axis=1).reshape(-1)


def exact(found: Any, wanted: Any) -> bool:
    return bool((found == wanted).all())


def within(limit: float, *, relative: bool = False) -> Callable[[Any, Any], bool]:
    def check(found: Any, wanted: Any) -> bool:
        error = np.abs(found.astype(np.float64) - wanted)
        return bool((error / np.abs(wanted) if relative else error).max() <= limit)

    return check


# fmt: off
KERNELS: dict[str, tuple[Any, Any, Callable[[Any, Any], bool]]] = {
    "relu":       (anything, lambda x: np.maximum(x, np.float32(0)), exact),
    "square":     (anything, lambda x: x * x,                        exact),
    "decay":      (small,    lambda x: np.exp(-np.abs(x.astype(np.float64))), within(0.02)),
    "reciprocal": (positive, lambda x: 1 / x.astype(np.float64),     within(2.4e-7, relative=True)),
    "typecast":   (lambda rng: anything(rng) * 300, rounded,         exact),
    "top_k_step": (anything, sorted_pairs,                           exact),
}
# fmt: on


def table() -> tuple[str, ...]:
    """Six lines through e to the power of -x, as FP16: the lower half is the first of a pair."""
    slopes, offsets = [], []
    for left, right in zip(CUTS, (*CUTS[1:], 6.0), strict=True):
        slope = (np.exp(-right) - np.exp(-left)) / (right - left)
        # In the middle between the chord and the tangent that is parallel to it.
        touch = -np.log(-slope)
        chord = np.exp(-left) - slope * left
        tangent = np.exp(-touch) - slope * touch
        slopes.append(slope)
        offsets.append((chord + tangent) / 2)
    lines = ["TABLE=1"]
    for name, numbers in (("SLOPE", slopes), ("OFFSET", offsets)):
        halves = np.array(numbers, np.float16).view(np.uint16)
        for i in range(3):
            lines.append(f"{name}_{i}={int(halves[2 * i]) | int(halves[2 * i + 1]) << 16:#x}u")
    return tuple(lines)


def run(machine: Machine, program: Build, name: str, x: Any) -> bytes:
    defines = (f"KERNEL={name}", f"PAIRS={int(name == 'top_k_step')}")
    if name == "decay":
        defines += table()
    machine.load(T0 + 1, read_elf(program("sfpu", "T1", defines=defines)))
    machine.poke(B, INPUT, x.tobytes())
    for _ in range(20):
        stop = machine.run(50_000)
        if stop is not None and stop.kind is not StopKind.EBREAK:
            break
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    return bytes(machine.peek(B, OUTPUT, 4 * COUNT))


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(program: Build, name: str) -> None:
    make, reference, agrees = KERNELS[name]
    x = make(np.random.default_rng(7))
    results = []
    for engine, schedule in RUNS:
        machine = machine_on(engine, schedule)
        results.append(run(machine, program, name, x))
        machine.close()
    assert results[0] == results[1] == results[2]
    assert agrees(np.frombuffer(results[0], np.float32), reference(x))
