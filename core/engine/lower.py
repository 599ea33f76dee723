# SPDX-License-Identifier: Apache-2.0
"""Lower subset functions to the text of one LLVM IR module.

    entries ─► Lowering.instance ─► FunctionLowering ─► Statements ─► Expressions ─► Body (text)

A function is lowered once for each combination of its ALL-CAPS constants, and only if an entry
reaches it. Everything except the entries has internal linkage, so LLVM inlines what is called from
one place. The text is the same for the same input: its hash names the object in the cache.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType

from tensix_gdb.core.engine import source, subset
from tensix_gdb.core.engine.codegen_units import Lines, pieces
from tensix_gdb.core.engine.dependencies import Uses, canonical, look_up
from tensix_gdb.core.engine.entry import Entry, SubsetError, definition_of, is_constant_name
from tensix_gdb.core.engine.jit import SELDOM_LINE
from tensix_gdb.core.engine.lowering.function import FunctionLowering, Instance, Need
from tensix_gdb.core.engine.lowering.ranges import FULL
from tensix_gdb.core.engine.lowering.rows import ConstantTables
from tensix_gdb.core.engine.lowering.scope import Scope, Static
from tensix_gdb.core.record.layout import Layout, Slot

__all__ = ["Lowered", "Lowering", "SubsetError", "lower"]

_INTRINSICS = """\
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
"""
_ATTRIBUTES = """\
attributes #0 = { nounwind }
attributes #1 = { nounwind cold noinline }
attributes #2 = { nounwind inlinehint }"""
SELDOM = "SELDOM"
_SYMBOL = "@?"  # of a function whose text is being made
_FIRST_LOOP = 100_000  # !100000 not to be vectorised, !100001 not to be unrolled
_FIRST_TAG = 3  # !0 nothing, !1 branch weights, !2 root of the TBAA tree


@dataclass(frozen=True, slots=True)
class Lowered:
    """IR as modules that call each other, what their defect sites say, and what they were made
    from."""

    modules: tuple[str, ...]
    sites: tuple[str, ...]
    uses: Uses

    @property
    def ir(self) -> str:
        """All of it, to look at: a module only where there is one."""
        return "\n".join(self.modules)


def lower(entries: Sequence[Entry], layout: Layout, *, checked: bool = False) -> Lowered:
    """Lower `entries` and everything they reach. Entry `e` becomes the symbol `entry.e`."""
    module = Lowering(layout, checked=checked)
    # Nothing that is made here goes away before the end: looking for what does takes a third.
    collects = gc.isenabled()
    gc.disable()
    try:
        for entry in entries:
            module.entry(entry)
        return Lowered(tuple(module.modules()), tuple(module.sites), module.uses)
    finally:
        if collects:
            gc.enable()


class Lowering:
    """One LLVM module while it is made."""

    def __init__(self, layout: Layout, *, checked: bool) -> None:
        self.layout = layout
        self.checked = checked
        self.uses = Uses()
        self.tables = ConstantTables()
        self.sites: dict[str, int] = {}
        self.texts: list[tuple[str, str]] = []  # symbol and definition
        self._instances: dict[tuple[str, str], Instance] = {}
        self._definitions: dict[FunctionType, tuple[str, ast.FunctionDef]] = {}
        self._parameters: dict[FunctionType, list[str]] = {}
        self._same: dict[tuple[FunctionType, str, tuple[Need, ...]], Instance] = {}
        self._calls: dict[str, set[str]] = {}
        self._entries: set[str] = set()
        self._seldom: set[str] = set()
        self.called_in_loops: set[str] = set()  # `while`
        self.repeated: set[str] = set()  # called in a loop of any kind
        self.inlined: set[str] = set()  # wherever they are called in a loop over lanes
        self.dispatched_in_loops: set[str] = set()
        self._symbols: set[str] = set()
        self._open: list[FunctionType] = []
        self._tags: dict[tuple[str, str], int] = {}
        self._loops: list[tuple[bool, bool]] = []  # vectorised, unrolled
        self.engine_tag = self._tag("engine", "")

    # -- functions
    def entry(self, entry: Entry) -> None:
        """Lower an entry and the external function that stands for it."""
        label, node = self.definition(definition_of(entry))
        scope = Scope(label, node, definition_of(entry), {}, self.uses)
        wanted = {name for name in scope.parameters if is_constant_name(name)}
        if wanted != set(entry.constants):
            needs = ", ".join(sorted(wanted)) or "none"
            raise scope.error(node, f"entry {entry.name} must bind the constants {needs}")
        instance = self.instance(definition_of(entry), entry.constants, scope, node)
        takes = ["ptr %S", *(f"i64 %p.{name}" for name in instance.parameters)]
        outside = FunctionLowering(self, scope, node, entry.constants)
        outside.has_called = True  # nobody in front of it can be asked
        given = ", ".join(outside.met(instance, takes))
        outside.leave(outside.body.word(f"call i64 {instance.symbol}({given})"))
        symbol = f'@"entry.{entry.name}"'
        text = f"define i64 {symbol}({', '.join(takes)}) #0 {{\nentry:\n{outside.body.text()}\n}}\n"
        self.texts.append((symbol, text))
        self._calls[symbol] = {instance.symbol}
        self._entries.add(symbol)

    def definition(self, function: FunctionType) -> tuple[str, ast.FunctionDef]:
        """The checked syntax tree of `function`, and the label of its file."""
        known = self._definitions.get(function)
        if known is None:
            found, node = source.find(function)
            subset.check(found.label, node)
            known = self._definitions[function] = (found.label, node)
        return known

    def parameters(self, function: FunctionType) -> list[str]:
        known = self._parameters.get(function)
        if known is None:
            known = [arg.arg for arg in self.definition(function)[1].args.args]
            self._parameters[function] = known
        return known

    def instance(
        self, function: FunctionType, constants: Mapping[str, Static], caller: Scope, node: ast.AST
    ) -> Instance:
        """The instance of `function` with these constants, lowered now if it is new."""
        bound = ",".join(f"{name}={_spell(value)}" for name, value in sorted(constants.items()))
        key = (canonical(function), ",".join(canonical(v) for _, v in sorted(constants.items())))
        known = self._instances.get(key)
        if known is not None:
            return known
        if function in self._open:
            raise caller.error(node, f"{function.__name__} calls itself; recursion is not allowed")
        label, definition = self.definition(function)
        scope = Scope(label, definition, function, constants, self.uses)
        lowering = FunctionLowering(self, scope, definition, constants)
        self._open.append(function)
        text = lowering.text(_SYMBOL)
        self._open.pop()
        # Constants that make no difference (CHECKED, to most instructions) make no second copy.
        same = (function, text, tuple(lowering.needs))
        instance = self._same.get(same)
        if instance is None:
            symbol = self._symbol(f"{function.__module__}.{function.__name__}", bound)
            self.texts.append((symbol, text.replace(_SYMBOL, symbol, 1)))
            instance = self._same[same] = Instance(
                symbol,
                function.__name__,
                lowering.parameters,
                bool(lowering.gives_value),
                lowering.result or FULL,
                tuple(lowering.needs),
            )
            self._calls[symbol] = lowering.calls
            if self._says_seldom(function):
                self._seldom.add(symbol)
        self._instances[key] = instance
        return instance

    def _says_seldom(self, function: FunctionType) -> bool:
        """Does the module of a function say `SELDOM = True`: what is here seldom runs?"""
        value = look_up(function.__globals__, SELDOM)
        self.uses.note(function.__module__, SELDOM, value)
        return value is True

    def _symbol(self, path: str, bound: str) -> str:
        name = f"{path}{{{bound}}}" if bound else path
        while name in self._symbols:
            name += "'"
        self._symbols.add(name)
        return f'@"{name}"'

    # -- defect sites, TBAA tags
    def site(self, label: str, line: int, sentence: str) -> int:
        """The number of a place where a defect can be recorded, counted from 1."""
        return self.sites.setdefault(f"{label}:{line}: {sentence}", len(self.sites) + 1)

    def tag(self, slot: Slot) -> int:
        """The TBAA tag of a row: its own, its owner's for an alias, one for all of `engine`."""
        if slot.part == "engine":
            return self.engine_tag
        return self._tag(slot.part, slot.field.alias or slot.field.name)

    def _tag(self, part: str, field: str) -> int:
        return self._tags.setdefault((part, field), _FIRST_TAG + 2 * len(self._tags) + 1)

    def loop(self, *, vectorised: bool, unrolled: bool) -> int:
        """The name of one more loop, and what LLVM may do with it."""
        self._loops.append((vectorised, unrolled))
        return _FIRST_LOOP + 1 + len(self._loops)

    # -- the modules
    def modules(self) -> list[str]:
        """What every module has, around the functions of each."""
        metadata = ["!0 = !{}", '!1 = !{!"branch_weights", i32 4000, i32 1}', '!2 = !{!"record"}']
        for (part, field), tag in self._tags.items():
            metadata.append(f'!{tag - 1} = !{{!"{part}.{field}", !2, i64 0}}')
            metadata.append(f"!{tag} = !{{!{tag - 1}, !{tag - 1}, i64 0}}")
        metadata.append(f'!{_FIRST_LOOP} = !{{!"llvm.loop.vectorize.enable", i1 false}}')
        metadata.append(f'!{_FIRST_LOOP + 1} = !{{!"llvm.loop.unroll.disable"}}')
        for loop, (vectorised, unrolled) in enumerate(self._loops, _FIRST_LOOP + 2):
            wishes = "" if vectorised else f", !{_FIRST_LOOP}"
            wishes += "" if unrolled else f", !{_FIRST_LOOP + 1}"
            metadata.append(f"!{loop} = distinct !{{!{loop}{wishes}}}")
        head, tail = _INTRINSICS + self._defect(), "\n".join([_ATTRIBUTES, *metadata, ""])
        modules = []
        for functions in pieces(self._functions()):
            tables = self.tables.text(functions)
            first = SELDOM_LINE if functions.startswith(SELDOM_LINE) else ""
            modules.append(first + "\n".join([head, tables, functions, tail]))
        return modules

    def _functions(self) -> list[Lines]:
        """All functions. Where the time goes LLVM is to inline as it likes, elsewhere little
        (jit.py): that is what a `while` calls, and all that a dispatch in one reaches."""
        hot = set(self.dispatched_in_loops)
        left = list(hot)
        while left:
            new = self._calls[left.pop()] - hot
            hot |= new
            left += new
        hot |= self.called_in_loops
        inlined = self.called_in_loops | self.dispatched_in_loops | self.inlined
        return [
            Lines(
                symbol,
                text.replace(") #0 {", ") #2 {", 1) if symbol in hot else text,
                frozenset(self._calls[symbol]),
                symbol in self._entries,
                symbol in inlined,
                symbol in self._seldom,
                symbol in self.repeated,
            )
            for symbol, text in self.texts
        ]

    def _defect(self) -> str:
        """`defect(S, site, value)`: keep the first."""
        site = self.layout.slot("engine", "defect").offset
        value = self.layout.slot("engine", "defect_value").offset
        tag = f"!tbaa !{self.engine_tag}"
        return f"""\
define internal preserve_mostcc void @defect(ptr %S, i64 %site, i64 %value) #1 {{
  %at = getelementptr i8, ptr %S, i64 {site}
  %old = load i64, ptr %at, {tag}
  %first = icmp eq i64 %old, 0
  br i1 %first, label %keep, label %done
keep:
  store i64 %site, ptr %at, {tag}
  %to = getelementptr i8, ptr %S, i64 {value}
  store i64 %value, ptr %to, {tag}
  br label %done
done:
  ret void
}}
"""


def _spell(value: Static) -> str:
    return value.__name__ if isinstance(value, FunctionType) else canonical(value)
