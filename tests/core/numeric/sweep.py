# SPDX-License-Identifier: Apache-2.0
"""Many values through one pure function, on both engines: `sweep(function, xs, ys)`.

The loop over the values is a subset function too, so a sweep of 65,536 is one call of compiled
code, in the checked build, and every result is compared with the reference engine's.
"""

from __future__ import annotations

import array
from collections.abc import Callable, Iterable

from tensix_gdb.core.engine import Entry, jit
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.engine.plan import Built
from tensix_gdb.core.engine.reference import ReferenceEngine
from tensix_gdb.core.record.layout import Layout, Part, Tag, View, row
from tensix_gdb.core.record.record import Record

MOST = 1 << 16
_A = Tag.ARCHITECTURAL
SWEEP = Part(
    "sweep",
    (
        row("a", "i64", MOST, _A, "first operands"),
        row("b", "i64", MOST, _A, "second operands"),
        row("c", "i64", MOST, _A, "third operands"),
        row("out", "i64", MOST, _A, "results"),
    ),
)
LAYOUT = Layout((SWEEP, ENGINE))

_RECORD = Record(LAYOUT)
_compiled: dict[str, CompiledEngine] = {}


def one(S: View, count: int, FUNCTION: Callable[..., int]) -> int:
    """out = FUNCTION(a)"""
    for i in range(count):
        S.sweep.out[i] = FUNCTION(S.sweep.a[i])
    return 0


def two(S: View, count: int, FUNCTION: Callable[..., int]) -> int:
    """out = FUNCTION(a, b)"""
    for i in range(count):
        S.sweep.out[i] = FUNCTION(S.sweep.a[i], S.sweep.b[i])
    return 0


def three(S: View, count: int, FUNCTION: Callable[..., int]) -> int:
    """out = FUNCTION(a, b, c)"""
    for i in range(count):
        S.sweep.out[i] = FUNCTION(S.sweep.a[i], S.sweep.b[i], S.sweep.c[i])
    return 0


LOOPS = (one, two, three)


def sweep(function: Callable[..., int], *operands: Iterable[int]) -> list[int]:
    """The results of both engines, which are the same."""
    columns = [array.array("q", column) for column in operands]
    entry = Entry("sweep", LOOPS[len(columns) - 1], {"FUNCTION": function})
    expected = _run(ReferenceEngine([entry], _RECORD), columns)
    assert _run(_checked(entry, function), columns) == expected
    return expected


def _checked(entry: Entry, function: Callable[..., int]) -> CompiledEngine:
    key = f"{function.__module__}.{function.__qualname__}"
    if key not in _compiled:
        lowered = lower([entry], LAYOUT, checked=True)
        code = tuple(jit.compile_object(ir, jit.FULL) for ir in lowered.modules)
        built = Built(f"sweep {key}", code, lowered.sites, jit.FULL)
        _compiled[key] = CompiledEngine([entry], _RECORD, built)
    return _compiled[key]


def _run(engine: ReferenceEngine | CompiledEngine, columns: list[array.array[int]]) -> list[int]:
    for name, column in zip("abc", columns, strict=False):
        _RECORD.row(LAYOUT.slot("sweep", name))[: 8 * len(column)] = column.tobytes()
    count = len(columns[0])
    out = _RECORD.row(LAYOUT.slot("sweep", "out"))[: 8 * count]
    out[:] = bytes(8 * count)
    engine.call("sweep", count)
    return list(out.cast("q"))
