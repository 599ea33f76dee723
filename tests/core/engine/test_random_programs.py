# SPDX-License-Identifier: Apache-2.0
"""Random subset programs do the same on every engine, defects and their lines included.

TENSIX_GDB_PROGRAMS=5000 asks for more of them than a run of CI does.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import itertools
import os
import re
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import HealthCheck, Phase, given, note, reject, settings
from hypothesis import strategies as st

from tensix_gdb.core.engine import EngineDefect, Entry, SubsetError, codegen_units, jit
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.engine.plan import Built
from tensix_gdb.core.engine.reference import DEFECTS, ReferenceEngine
from tensix_gdb.core.record.record import Record
from tests.core.engine.random_programs import (
    LAYOUT,
    Steps,
    TooLongError,
    instrument,
    line_of,
    write_program,
)
from tests.forms import rounds

PROGRAMS = int(os.environ.get("TENSIX_GDB_PROGRAMS", rounds(15, 20)))
ARGUMENTS = (
    (0, 0), (1, 2), (-1, 5), (7, -8), (100, 3), (0x7FFFFFFF, -0x80000000), (0xFFFFFFFF, 31),
    (1 << 40, 64), (-(1 << 63), (1 << 63) - 1),
)  # fmt: skip
KNOWN_EARLY = re.compile(
    "64 bits|constant expression|is outside|does not fit|negative$|by zero$", re.MULTILINE
)
_serial = itertools.count()
counts = dict.fromkeys(("programs", "runs", "defects", "refused", "too long", "modules"), 0)


def load(text: str, folder: Path) -> ModuleType:
    name = f"random_program_{next(_serial)}"
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def compiled(
    module: ModuleType, record: Record, *, checked: bool, seldom: bool = False
) -> CompiledEngine:
    """The checked build as one module, the other as several that call each other. Every second
    program asks for arithmetic in 32 bits."""
    entries = [Entry("main", module.main)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "COLD", seldom, raising=False)
        assert module.__file__ is not None
        is_odd = len(Path(module.__file__).read_text(encoding="utf-8")) % 2 == 1
        patch.setattr(module, "NARROW", is_odd and not seldom, raising=False)
        if not checked:
            patch.setattr(codegen_units, "UNIT_LINES", 100)
            patch.setattr(codegen_units, "SHARED_LINES", 20)
            patch.setattr(codegen_units, "CALL_LINES", 10)
        lowered = lower(entries, LAYOUT, checked=checked)
    counts["modules"] += len(lowered.modules)
    level = jit.QUICK if checked else jit.FULL
    code = tuple(jit.compile_object(ir, level) for ir in lowered.modules)
    return CompiledEngine(
        entries, record, Built(f"{module.__name__}{checked}{seldom}", code, lowered.sites, level)
    )


def content(record: Record) -> bytes:
    return ctypes.string_at(record.address, LAYOUT.size)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@settings(
    max_examples=PROGRAMS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),
    database=None,
    derandomize="TENSIX_GDB_PROGRAMS" not in os.environ,
)
@given(seed=st.integers(0, 1 << 62))
def run_programs(folder: Path, seed: int) -> None:
    check_program(write_program(Random(seed)), seed, folder)


def check_program(text: str, seed: int, folder: Path) -> None:
    note(text)
    module = load(text, folder)
    label = f"{module.__name__}.py"
    records = {name: Record(LAYOUT) for name in ("told", "reference", "checked", "full", "few")}
    try:
        checked = compiled(module, records["checked"], checked=True)
        full = compiled(module, records["full"], checked=False)
        few = compiled(module, records["few"], checked=False, seldom=True)
    except SubsetError as problem:
        # Numbers known while compiling are refused where the reference might never come by.
        if not KNOWN_EARLY.search(str(problem)):
            raise
        counts["refused"] += 1
        reject()
    reference = ReferenceEngine([Entry("main", module.main)], records["reference"])
    steps = Steps()
    told = instrument(text, module.__name__, steps)["main"]
    counts["programs"] += 1
    start = bytearray(Random(seed).randbytes(LAYOUT.state_size))
    for arguments in ARGUMENTS:
        counts["runs"] += 1
        for record in records.values():
            record.restore(start)
        steps.done = 0
        try:
            expected = int(told(records["told"].S, *arguments))
        except TooLongError:
            counts["too long"] += 1
            continue
        except DEFECTS as problem:
            # The checked build finds it at the same line. The other one need not, but it ends.
            counts["defects"] += 1
            place = re.escape(f"{label}:{line_of(problem, module)}: ")
            with pytest.raises(EngineDefect, match=place):
                checked.call("main", *arguments)
            for engine in (full, few):
                with contextlib.suppress(EngineDefect):
                    engine.call("main", *arguments)
            continue
        assert reference.call("main", *arguments) == expected
        assert checked.call("main", *arguments) == expected
        assert full.call("main", *arguments) == expected
        assert few.call("main", *arguments) == expected
        after = content(records["told"])
        for name, record in records.items():
            assert content(record) == after, name
    for engine in (checked, full, few):
        engine.close()
    (folder / label).unlink()


def test_random_programs(folder: Path) -> None:
    """Enough of them are accepted, and defects happen but do not drown the rest."""
    counts.update(dict.fromkeys(counts, 0))
    run_programs(folder)
    assert counts["programs"] > PROGRAMS // 2
    assert counts["modules"] > 3 * counts["programs"]
    assert counts["runs"] * 0.05 < counts["defects"] < counts["runs"] * 0.8
    print(counts)
