# SPDX-License-Identifier: Apache-2.0
"""Run a vector on both engines: same result, same bytes in the record.

    from tests.vectors import both_engines
    assert both_engines(rv32m.div, record, 7, 0) == 0xFFFFFFFF

The compiled side is the checked build, so a value that leaves signed 64 bits fails the vector too.
A function is compiled once per process and set of constants.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

from tensix_gdb.core.engine import EngineDefect, Entry, RecordLike, jit
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.engine.dependencies import canonical
from tensix_gdb.core.engine.entry import Constant, definition_of
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.engine.plan import Built
from tensix_gdb.core.engine.reference import ReferenceEngine
from tensix_gdb.core.engine.subset import is_constant_name
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.record.record import Record
from tests import pages

# The twin of a layout, and the compiled functions that run on it.
_twins: dict[int, tuple[Layout, Record]] = {}
_engines: dict[tuple[object, ...], CompiledEngine] = {}


def both_engines(function: Callable[..., Any], record: RecordLike, *args: Constant) -> int:
    """Run `function` on `record` with both engines and return what it returns.

    `args` follow the function's parameters after S; those of ALL-CAPS parameters are compiled in
    and may be functions. `functools.partial` of a function is fine. If both engines find a defect
    at the same line, EngineDefect is raised.
    """
    entry, numbers = _entry(function, args)
    twin = _twin(record.layout)
    pages.copy(twin.address, record.address, record.layout.size)
    expected, reference_problem = _run(ReferenceEngine([entry], record), numbers)
    result, compiled_problem = _run(_compiled(entry, twin), numbers)
    if reference_problem or compiled_problem:
        assert _place(reference_problem) == _place(compiled_problem), (
            f"reference: {reference_problem}; compiled: {compiled_problem}"
        )
        raise EngineDefect(str(compiled_problem))
    assert result == expected, f"compiled {result}, reference {expected}"
    if not pages.equal(record.address, twin.address, record.layout.size):
        raise AssertionError(f"records differ: {_differences(record, twin)}")
    return expected


def on_compiled(function: Callable[..., Any], record: RecordLike, *args: Constant) -> int:
    """Run `function` on `record` with the compiled engine alone: for more than the reference can do
    in a test, which then has to run a part of it with `both_engines`."""
    entry, numbers = _entry(function, args)
    twin = _twin(record.layout)
    pages.copy(twin.address, record.address, record.layout.size)
    result = _compiled(entry, twin).call("vector", *numbers)
    pages.copy(record.address, twin.address, record.layout.size)
    return result


def _entry(function: Callable[..., Any], args: tuple[Constant, ...]) -> tuple[Entry, list[int]]:
    constants: dict[str, Constant] = {}
    if isinstance(function, functools.partial):
        function, constants = function.func, dict(function.keywords)
    code = definition_of(Entry("vector", function)).__code__
    names = [name for name in code.co_varnames[: code.co_argcount] if name != "S"]
    assert len(args) + len(constants) == len(names), f"{function.__name__} takes {names}"
    numbers: list[int] = []
    for name, value in zip(names, args, strict=False):
        if is_constant_name(name):
            constants[name] = value
        else:
            assert isinstance(value, int)
            numbers.append(value)
    return Entry("vector", function, constants), numbers


def _twin(layout: Layout) -> Record:
    if id(layout) not in _twins:
        _twins[id(layout)] = (layout, Record(layout))
    return _twins[id(layout)][1]


def _compiled(entry: Entry, twin: Record) -> CompiledEngine:
    bound = tuple((name, canonical(value)) for name, value in sorted(entry.constants.items()))
    key = (id(twin), entry.function, bound)
    if key not in _engines:
        lowered = lower([entry], twin.layout, checked=True)
        code = tuple(jit.compile_object(ir, jit.QUICK) for ir in lowered.modules)
        built = Built(f"vector {len(_engines)}", code, lowered.sites, jit.QUICK)
        _engines[key] = CompiledEngine([entry], twin, built)
    return _engines[key]


def _run(engine: ReferenceEngine | CompiledEngine, args: list[int]) -> tuple[int, str]:
    try:
        return engine.call("vector", *args), ""
    except EngineDefect as defect:
        return 0, str(defect)


def _place(problem: str) -> str:
    return problem.partition(": ")[0]


def _differences(left: RecordLike, right: RecordLike) -> str:
    named = []
    for slot in left.layout.slots.values():
        a, b = (
            ctypes.string_at(side.address + slot.offset, slot.field.size) for side in (left, right)
        )
        if a != b and not slot.field.alias:
            at = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
            named.append(f"{slot.path} from byte {at}")
    return "; ".join(named)
