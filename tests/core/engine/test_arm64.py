# SPDX-License-Identifier: Apache-2.0
"""Code that this machine compiles for arm64 does what Python does."""

from __future__ import annotations

import itertools
from pathlib import Path

from tensix_gdb.core.engine import EngineDefect, open_engine
from tensix_gdb.core.engine.entry import Engine
from tensix_gdb.core.record.record import Record
from tests.core.engine import arm64, small
from tests.tools import find_tool

NUMBERS = (-(1 << 63), -77, -1, 1, 3, 8, 63, (1 << 40) + 5, (1 << 63) - 1)


def test_the_same_results_and_the_same_record(tmp_path: Path) -> None:
    names = "aarch64-linux-gnu-as", "aarch64-linux-gnu-ld", "qemu-aarch64"
    tools = arm64.Tools(*map(find_tool, names))
    objects = arm64.compile_small(tmp_path)
    program = arm64.Program(tmp_path, objects, arm64.SMALL, small.LAYOUT.size, tools)
    record, tried = Record(small.LAYOUT), Record(small.LAYOUT)
    engine, trying = (open_engine("compiled", arm64.SMALL, each) for each in (record, tried))
    calls = [
        (function.__name__, a, b)
        for function in small.ARITHMETIC
        for a, b in itertools.product(NUMBERS, repeat=2)
        if is_defined(trying, function.__name__, a, b)
    ]
    calls += [(f.__name__, a, b) for f in small.STATEFUL for a in range(9) for b in range(9)]
    before = arm64.content(record)
    here = tuple(engine.call(*call) for call in calls)
    assert program.run(before, calls) == (arm64.content(record), here)


def is_defined(engine: Engine, name: str, a: int, b: int) -> bool:
    try:
        engine.call(name, a, b)
    except EngineDefect:
        return False
    return True
