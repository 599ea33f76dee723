# SPDX-License-Identifier: Apache-2.0
"""A plan says what to compile; it compiles that once and keeps the files in the cache.

    KEY.index    by what was asked for: entries, layout, build, engine sources, Python, processor.
                 Holds every global the code depends on, the defect sites, the keys of the objects.
    KEY.object   by a hash of a module's IR and the processor: machine code.

A warm start reads the index, sees that every global still has the value it had (a function counts
with its code), and loads the objects without making any IR.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import itertools
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.cache import Cache, open_cache
from tensix_gdb.core.engine.dependencies import MISSING, Uses, canonical, look_up
from tensix_gdb.core.engine.entry import Entry, Fixed, definition_of
from tensix_gdb.core.record import layout as layout_module
from tensix_gdb.core.record.layout import Field, Layout, Part, Tag

# What makes code is imported where code is made: a warm start does without.
if TYPE_CHECKING:
    from tensix_gdb.core.engine.compile_workers import Workers
    from tensix_gdb.core.engine.ir import Module
    from tensix_gdb.core.engine.lower import Lowered


@dataclass(frozen=True, slots=True)
class Built:
    """Machine code that is ready to load, the sentences of its defect sites, and the globals that
    it depends on with their values."""

    key: str
    code: tuple[bytes, ...]
    sites: tuple[str, ...]
    level: int
    globals: dict[str, dict[str, str]] = field(default_factory=dict)

    def is_current(self) -> bool:
        """True if every global still has that value."""
        return Uses(self.globals).is_current()

    # -- to another process
    def to_bytes(self) -> bytes:
        head = {
            "key": self.key,
            "level": self.level,
            "sites": self.sites,
            "globals": self.globals,
            "sizes": [len(each) for each in self.code],
        }
        return b"\n".join((json.dumps(head).encode(), b"".join(self.code)))

    @staticmethod
    def from_bytes(content: bytes) -> Built:
        first, _, rest = content.partition(b"\n")
        head: dict[str, Any] = json.loads(first)
        ends = list(itertools.accumulate(head["sizes"], initial=0))
        code = tuple(rest[a:b] for a, b in itertools.pairwise(ends))
        return Built(head["key"], code, tuple(head["sites"]), head["level"], head["globals"])


@dataclass(frozen=True, slots=True)
class Plan:
    """Entries on a layout; `checked` with the traps of the checked build, `stamped` with the cycle
    of each store beside it (core/origin); for a record in which `fixed` rows never change."""

    entries: tuple[Entry, ...]
    layout: Layout
    checked: bool = False
    stamped: bool = False
    fixed: Fixed = ()

    def key(self, level: int) -> str:
        """Return the name of the index file: everything the code depends on except globals."""
        rows = [
            (part, slot.field.kind, slot.field.shape, slot.field.alias, slot.offset, field)
            for (part, field), slot in self.layout.slots.items()
        ]
        asked = (
            _engine_sources(),
            sys.version,
            jit.target(),
            [(e.name, canonical(e.function), _bound(e)) for e in self.entries],
            rows,
            self.layout.size,
            self.checked,
            self.stamped,
            self.fixed,
            level,
        )
        return _hash(repr(asked))

    def find(self, cache: Cache, level: int) -> Built | None:
        """Return what the cache has for this plan."""
        content = cache.read(self.key(level), ".index")
        if content is None:
            return None
        try:
            index = json.loads(content)
            if not Uses(index["globals"]).is_current():
                return None
            names, sites = list(map(str, index["objects"])), tuple(map(str, index["sites"]))
        except (ValueError, KeyError, TypeError):
            return None
        code = [cache.read(name, ".object") for name in names]
        whole = tuple(each for each in code if each is not None)
        if len(whole) < len(names):
            return None
        return Built(_key_of(names), whole, sites, level, index["globals"])

    def lower(self) -> Lowered:
        """Make the IR."""
        from tensix_gdb.core.engine.lower import lower

        return lower(
            self.entries,
            self.layout,
            checked=self.checked,
            stamped=self.stamped,
            fixed=self.fixed,
        )

    def build(
        self,
        cache: Cache,
        level: int,
        lowered: Lowered | None = None,
        workers: Workers | None = None,
    ) -> Built:
        """Find or make the code of this plan, one process at a time. SubsetError, or what llvmlite
        raises."""
        built = self.find(cache, level)
        if built is not None:
            return built
        with cache.lock(self.key(level)):
            return self.make(cache, level, lowered, workers)

    def make(
        self,
        cache: Cache,
        level: int,
        lowered: Lowered | None = None,
        workers: Workers | None = None,
        made: Callable[[int, int], object] = lambda done, of: None,
    ) -> Built:
        """As `build`, of a process that has its turn (`Cache.turn`). What was compiled is kept unit
        by unit, so that a process that is ended has not worked for nothing; `made` is told how many
        of how many there are."""
        built = self.find(cache, level)  # another process may have made it meanwhile
        if built is not None:
            return built
        from tensix_gdb.core.engine import compile_workers as processes

        lowered = lowered or self.lower()
        names = [_name_of(module, level) for module in lowered.modules]
        code = {name: cache.read(name, ".object") for name in names}
        modules = zip(names, lowered.modules, strict=True)
        new = {name: module for name, module in modules if not code[name]}

        def keep(number: int, content: bytes) -> None:
            name = list(new)[number]
            cache.write(name, ".object", content)
            code[name] = content
            made(sum(each is not None for each in code.values()), len(code))

        if new:
            with contextlib.nullcontext(workers) if workers else processes.Workers() as at_work:
                at_work.compile(list(new.values()), level, keep)
        index = {"objects": names, "sites": lowered.sites, "globals": lowered.uses.globals}
        cache.write(self.key(level), ".index", json.dumps(index).encode())
        whole = tuple(code[name] or b"" for name in names)
        return Built(_key_of(names), whole, lowered.sites, level, lowered.uses.globals)

    # -- to another process
    def to_json(self) -> str:
        """Write the plan; functions by name, so none may be bound to a constant."""
        entries = []
        for entry in self.entries:
            function = definition_of(entry)
            constants = {}
            for name, value in entry.constants.items():
                if not isinstance(value, int):
                    raise TypeError(f"{entry.name} binds {name} to a function, not a number")
                constants[name] = int(value)
            entries.append((entry.name, function.__module__, function.__name__, constants))
        parts = [
            (
                part.name,
                [(f.name, f.kind, f.shape, f.tag.value, f.alias, f.first) for f in part.fields],
            )
            for part in self.layout.parts
        ]
        build = {"checked": self.checked, "stamped": self.stamped, "fixed": self.fixed}
        return json.dumps({"entries": entries, "parts": parts, **build})

    @staticmethod
    def from_json(text: str) -> Plan:
        """Read the plan of another process, with the functions of this one."""
        told: dict[str, Any] = json.loads(text)
        entries = []
        for name, module, function, constants in told["entries"]:
            entry = look_up(vars(importlib.import_module(module)), function)
            if entry is MISSING:
                raise LookupError(f"{module} has no {function}")
            entries.append(Entry(name, entry, constants))
        parts = [
            Part(name, tuple(_field(*field) for field in fields)) for name, fields in told["parts"]
        ]
        fixed = tuple((part, row, value) for part, row, value in told["fixed"])
        layout = Layout(tuple(parts))
        return Plan(tuple(entries), layout, told["checked"], told["stamped"], fixed)


def plan_for(
    entries: Sequence[Entry],
    layout: Layout,
    *,
    checked: bool = False,
    stamped: bool = False,
    fixed: Fixed = (),
) -> Plan:
    """Return the plan to compile `entries`."""
    return Plan(tuple(entries), layout, checked, stamped, fixed)


def _bound(entry: Entry) -> list[tuple[str, str]]:
    return [(name, canonical(value)) for name, value in sorted(entry.constants.items())]


def _field(name: str, kind: str, shape: list[int], tag: str, alias: str, first: int) -> Field:
    return Field(name, kind, tuple(shape), Tag(tag), "", alias, first)


def _key_of(objects: Sequence[str]) -> str:
    """Return the key of all objects together."""
    return objects[0] if len(objects) == 1 else _hash(" ".join(objects))


def kept_object(module: Module) -> bytes:
    """Return the object code of a module that is in no plan: from the cache, if it is there."""
    cache, name = open_cache(), _name_of(module, jit.FULL)
    found = cache.read(name, ".object")
    if found is None:
        found = jit.compile_object(module)
        cache.write(name, ".object", found)
    return found


def _name_of(module: Module, level: int) -> str:
    """Return the name of the object of one module."""
    return _hash(f"{jit.target()}\n{jit.level_of(module, level)}\n{module.text}")


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=20).hexdigest()


@functools.cache
def _engine_sources() -> str:
    """Return a digest of the files that turn functions into code."""
    here = Path(__file__).parent
    files = sorted([*here.rglob("*.py"), Path(layout_module.__file__)])
    return _hash("\n".join(path.read_text(encoding="utf-8") for path in files))
