# SPDX-License-Identifier: Apache-2.0
"""Run the same functions over the record by CPython, or compiled by LLVM.

    engine = open_engine("auto", [Entry("run", clock.run, {"CHECKED": 0})], record)
    engine.call("run", 1000)

"reference" runs the functions as they are, "compiled" waits for the compiler, "auto" starts as the
reference and moves up when a child process has compiled them (README.md). Importing this package
is cheap: LLVM is loaded when compiled code is.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.engine.entry import Engine, EngineDefect, Entry, Fixed, RecordLike, SubsetError

__all__ = ["Engine", "EngineDefect", "Entry", "Fixed", "RecordLike", "SubsetError", "open_engine"]


def open_engine(
    kind: str | Engine,
    entries: Sequence[Entry],
    record: RecordLike,
    *,
    checked: bool = False,
    fixed: Fixed = (),
) -> Engine:
    """Return an engine of this kind for `record`; `kind` may also be the compiled engine of another
    record of the same layout and the same `fixed` rows, the code of which serves this one.
    `checked` compiles the traps of the checked build."""
    from tensix_gdb.core.engine.reference import ReferenceEngine

    if not isinstance(kind, str):
        from tensix_gdb.core.engine.compiled import CompiledEngine

        assert isinstance(kind, CompiledEngine)
        return kind.for_record(record)
    if kind == "reference":
        return ReferenceEngine(entries, record)
    if kind == "compiled":
        from tensix_gdb.core.engine.compiled import compile_now

        return compile_now(entries, record, checked=checked, fixed=fixed)
    if kind == "auto":
        from tensix_gdb.core.engine.background import BackgroundEngine

        return BackgroundEngine(entries, record, fixed)
    raise ValueError(f'there is no engine "{kind}"; choose reference, compiled or auto')
