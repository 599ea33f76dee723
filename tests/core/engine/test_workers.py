# SPDX-License-Identifier: Apache-2.0
"""Modules that call each other, compiled by several processes at once."""

from __future__ import annotations

import os
import select
import signal
from pathlib import Path

import pytest

from tensix_gdb.core.engine import Entry, codegen_units, jit, open_engine
from tensix_gdb.core.engine.cache import Cache
from tensix_gdb.core.engine.compile_workers import Workers
from tensix_gdb.core.engine.ir import (
    Attributes,
    Block,
    Call,
    CallSite,
    Function,
    Instruction,
    Linkage,
)
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.engine.plan import plan_for
from tensix_gdb.core.record.record import Record
from tests.core.engine import small
from tests.patience import turns

ENTRIES = [
    Entry(function.__name__, function)
    for function in (small.nested_dispatch, small.calls, small.loops, small.match_it, small.order)
]


@pytest.fixture(autouse=True)
def in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen_units, "UNIT_LINES", 60)
    monkeypatch.setattr(codegen_units, "SHARED_LINES", 10)


def test_what_llvm_may_inline_counts_as_effort() -> None:
    """Modules that LLVM is long at work on begin first."""
    lines = [Instruction("...") for _ in range(95)]
    calls: list[Instruction] = [
        Call("...", f'@"{name}"', CallSite.IN_WHILE) for name in ("hot", "plain") * 3
    ]
    functions = [
        Function('@"hot"', (), [Block("entry", lines)], attributes=Attributes.INLINE_HINT),
        Function('@"plain"', (), [Block("entry", lines)]),
        Function('@"loop"', (), [Block("entry", calls)], Linkage.EXTERNAL),
    ]
    own = sum(each.lines for each in functions)
    (unit,) = codegen_units.units(functions)
    assert unit.effort == own + 3 * functions[0].lines // codegen_units.INLINED_SHARE


def test_each_function_is_once_for_others() -> None:
    """A function that a module takes from outside is in exactly one of the others."""
    modules = lower(ENTRIES, small.LAYOUT).modules
    assert len(modules) > 3
    declared = [line.split("(")[0] for m in modules for line in m.text.splitlines()
                if line.startswith("declare hidden")]  # fmt: skip
    defined = [line.split("(")[0] for m in modules for line in m.text.splitlines()
               if line.startswith("define hidden")]  # fmt: skip
    assert declared
    assert len(set(defined)) == len(defined)
    assert {d.replace("declare", "define") for d in declared} <= set(defined)


def test_the_modules_together_are_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENSIX_GDB_CACHE", str(tmp_path / "objects"))
    records = [Record(small.LAYOUT), Record(small.LAYOUT)]
    engines = [open_engine(kind, ENTRIES, record) for kind, record in
               zip(("compiled", "reference"), records, strict=True)]  # fmt: skip
    assert len(list((tmp_path / "objects").glob("*.object"))) > 3
    for entry in ENTRIES:
        for a, b in ((1, 2), (3, 0), (7, 5)):
            compiled, reference = (engine.call(entry.name, a, b) for engine in engines)
            assert compiled == reference, entry.name
    assert records[0].hash() == records[1].hash()


def test_a_worker_that_ends_leaves_its_work_to_others() -> None:
    modules = lower(ENTRIES, small.LAYOUT).modules
    with Workers(2) as workers:
        workers.start()
        one, other = (process.pid for process in workers._processes)
        expected = [jit.compile_object(ir, jit.FULL) for ir in modules]
        assert workers.compile(modules, jit.FULL) == expected
        os.kill(one, signal.SIGKILL)
        assert workers.compile(modules, jit.FULL) == expected
    for pid in (one, other):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_what_a_worker_was_at_is_not_taken_for_something_else() -> None:
    """One of three is killed while the others are at work: they would answer later."""
    modules = lower(ENTRIES, small.LAYOUT).modules
    expected = [jit.compile_object(ir, jit.FULL) for ir in modules]
    assert len(modules) >= 5
    with Workers(3) as workers:
        assert workers.compile(modules, jit.FULL) == expected  # they have come up
        *others, last = workers._processes
        for process in others:
            process.send_signal(signal.SIGSTOP)
        last.kill()
        last.wait()
        assert workers.compile(modules[:3], jit.FULL) == expected[:3]
        for process in others:
            process.send_signal(signal.SIGCONT)
            if process.stdout is not None and not process.stdout.closed:
                select.select([process.stdout], [], [], 60)
        assert workers.compile(modules[3:5], jit.FULL) == expected[3:5]
        assert all(process.poll() is None for process in workers._processes)


def test_a_worker_ends_with_its_input() -> None:
    workers = Workers(2)
    workers.start()
    for process in workers._processes:
        assert process.stdin is not None
        process.stdin.close()
    for _ in turns():
        if all(process.poll() is not None for process in workers._processes):
            break
    workers.__exit__()


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_compiled_is_kept_at_once(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is ended has not worked for nothing: the next continues from there."""
    plan, store = plan_for(ENTRIES, small.LAYOUT), Cache(tmp_path / "objects")
    wanted = len(plan.lower().modules)

    class EndedError(Exception):
        pass

    def ended(done: int, of: int) -> None:
        assert of == wanted
        if done == 3:
            raise EndedError

    with Workers(count) as workers, pytest.raises(EndedError):
        plan.make(store, jit.QUICK, workers=workers, made=ended)
    assert len(list(store.directory.glob("*.object"))) == 3
    left: list[int] = []
    with Workers(1) as workers:
        plan.make(store, jit.QUICK, workers=workers, made=lambda done, of: left.append(done))
    assert left == list(range(4, wanted + 1))
