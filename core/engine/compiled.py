# SPDX-License-Identifier: Apache-2.0
"""The compiled engine: calls machine code with the record's address.

A defect is recorded by the code in the rows of `engine` while it continues in a memory-safe way
(index 0, result 0); it is raised here when the call returns.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from tensix_gdb.core.engine import jit, shipped
from tensix_gdb.core.engine.cache import Cache, open_cache, say_unkept
from tensix_gdb.core.engine.entry import (
    EngineDefect,
    Entry,
    Fixed,
    RecordLike,
    definition_of,
    is_constant_name,
)
from tensix_gdb.core.engine.plan import Built, plan_for
from tensix_gdb.core.engine.waiting import say_compiles

SIGNED_64 = range(-(1 << 63), 1 << 63)


class CompiledEngine:
    """Calls entries in object code that is already compiled."""

    kind = "compiled"

    def __init__(self, entries: Sequence[Entry], record: RecordLike, built: Built) -> None:
        self._record = record  # keeps the memory at the address alive
        self._entries, self._built = entries, built
        self._address = record.address
        self._sites = built.sites
        rows = (record.layout.slot("engine", name).offset for name in ("defect", "defect_value"))
        self._defect, self._value = (
            ctypes.c_int64.from_address(record.address + offset) for offset in rows
        )
        loaded = jit.load(built.key, built.code, [f"entry.{entry.name}" for entry in entries])
        self._addresses = {entry.name: loaded.address(f"entry.{entry.name}") for entry in entries}
        self._functions = {
            entry.name: loaded.function(f"entry.{entry.name}", len(int_parameters(entry)))
            for entry in entries
        }

    def for_record(self, record: RecordLike) -> CompiledEngine:
        """The same code for another record of the same layout."""
        return CompiledEngine(self._entries, record, self._built)

    def address(self, name: str) -> int:
        """Return the address of an entry's machine code."""
        return self._addresses[name]

    def call(self, name: str, *args: int) -> int:
        """Run an entry; EngineDefect if it broke a rule."""
        for value in args:
            if value not in SIGNED_64:
                raise EngineDefect(f"{name}: the argument {value} leaves signed 64 bits")
        result = self._functions[name](self._address, *args)
        self.check()
        return result

    def check(self) -> None:
        """EngineDefect if the code that ran last broke a rule."""
        if self._defect.value:
            self._raise()

    def _raise(self) -> None:
        site, value = self._defect.value, self._value.value
        self._defect.value = self._value.value = 0
        raise EngineDefect(self._sites[site - 1].format(value=value))

    def poll(self) -> bool:
        return False

    def close(self) -> None:
        self._functions = {}


def int_parameters(entry: Entry) -> list[str]:
    """Return the parameters an entry is called with."""
    code = definition_of(entry).__code__
    names = code.co_varnames[: code.co_argcount]
    return [name for name in names if name != "S" and not is_constant_name(name)]


def compile_now(
    entries: Sequence[Entry],
    record: RecordLike,
    *,
    checked: bool = False,
    stamped: bool = False,
    fixed: Fixed = (),
    level: int = jit.FULL,
    cache: Cache | None = None,
    what: str = "the tile",
) -> CompiledEngine:
    """Compile in this process, or find it compiled. `what` names it if that takes time."""
    plan = plan_for(entries, record.layout, checked=checked, stamped=stamped, fixed=fixed)
    cache = cache or open_cache()
    built = plan.find(cache, level)
    if built is None and level == jit.FULL:
        built = shipped.find(plan)
    if built is None:
        say_compiles(plan, what, cache.directory)
        built = plan.build(cache, level)
    if cache.unkept:
        say_unkept(cache.directory, cache.unkept)
    return CompiledEngine(entries, record, built)
