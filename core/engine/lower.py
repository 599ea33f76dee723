# SPDX-License-Identifier: Apache-2.0
"""Lower subset functions to LLVM IR modules.

    entries ─► Lowering.instance ─► Statements (the visitor) ─► IRBuilder ─► ir.Function
                     ▲                       │                                    │
                     └── one for each call ──┘          codegen_units ─► ir.Module (text)

A function is lowered once for each combination of its ALL-CAPS constants, and only if an entry
reaches it. Everything except the entries has internal linkage, so LLVM inlines what is called from
one place. The text is the same for the same input: its hash names the object in the cache.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Mapping, Sequence
from types import FunctionType

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine import source, subset
from tensix_gdb.core.engine.codegen_units import units
from tensix_gdb.core.engine.dependencies import Uses, canonical, look_up
from tensix_gdb.core.engine.entry import Entry, Fixed, SubsetError, definition_of, is_constant_name
from tensix_gdb.core.engine.ir import Attributes, Call, CallSite, Function, Linkage, Module
from tensix_gdb.core.engine.lowering.instance import Instance
from tensix_gdb.core.engine.lowering.problems import Frame, Problems, place_of, spell
from tensix_gdb.core.engine.lowering.program import NOTHING_KEPT, Kept, Program
from tensix_gdb.core.engine.lowering.ranges import FULL
from tensix_gdb.core.engine.lowering.scope import Scope, Static
from tensix_gdb.core.engine.lowering.statements import Statements
from tensix_gdb.core.record.layout import Layout

__all__ = ["Lowered", "Lowering", "SubsetError", "lower"]

COLD = "COLD"
NARROW = "NARROW"
INLINED = "INLINED"


@dataclass(frozen=True, slots=True)
class Lowered:
    """Modules that call each other, what their defect sites say, and what they were made from."""

    modules: tuple[Module, ...]
    sites: tuple[str, ...]
    uses: Uses

    @property
    def ir(self) -> str:
        """All text, to look at: a module only where there is one."""
        return "\n".join(module.text for module in self.modules)


def lower(
    entries: Sequence[Entry],
    layout: Layout,
    *,
    checked: bool = False,
    stamped: bool = False,
    fixed: Fixed = (),
) -> Lowered:
    """Lower `entries` and everything they reach. Entry `e` becomes the symbol `entry.e`. `stamped`
    code notes beside each store in which cycle it was (core/origin). `fixed` rows have these
    values whenever an entry is called: what another value would reach is left out.

    SubsetError with all problems that were found.
    """
    lowering = Lowering(layout, checked=checked, stamped=stamped, fixed=fixed)
    # Nothing that is made here goes away before the end: looking for what does takes a third.
    collects = gc.isenabled()
    gc.disable()
    try:
        for entry in entries:
            lowering.entry(entry)
        lowering.problems.raise_if_any()
        return Lowered(lowering.modules(), tuple(lowering.program.sites), lowering.uses)
    finally:
        if collects:
            gc.enable()


class Lowering:
    """The functions of one program while they are lowered."""

    def __init__(
        self,
        layout: Layout,
        *,
        checked: bool,
        kept: Kept = NOTHING_KEPT,
        stamped: bool = False,
        fixed: Fixed = (),
    ) -> None:
        self.program = Program(layout, checked=checked, kept=kept, stamped=stamped, fixed=fixed)
        self.uses = Uses()
        self.problems = Problems()
        self.functions: list[Function] = []  # what a function calls comes before it
        self._instances: dict[tuple[str, str], Instance] = {}
        self._definitions: dict[FunctionType, tuple[str, ast.FunctionDef] | SubsetError] = {}
        self._parameters: dict[FunctionType, list[str]] = {}
        self._same: dict[tuple[object, ...], Instance] = {}
        self._symbols: set[str] = set()
        self._open: list[Frame] = []

    # -- entries
    def entry(self, entry: Entry) -> None:
        """Lower an entry and the external function that stands for it."""
        function = definition_of(entry)
        frame = Frame(function, entry.constants, f"the entry {entry.name}")
        try:
            self._entry(entry, frame)
        except SubsetError as error:
            self.problems.add(error, [frame])

    def _entry(self, entry: Entry, frame: Frame) -> None:
        function = frame.function
        label, node = self.definition(function)
        scope = Scope(label, node, function, {}, self.uses, self.program.fixed)
        wanted = {name for name in scope.parameters if is_constant_name(name)}
        if wanted != set(entry.constants):
            needs = ", ".join(sorted(wanted)) or "none"
            raise scope.error(node, f"entry {entry.name} must bind the constants {needs}")
        instance = self._instances.get(_key(function, entry.constants)) or self._new(frame)
        outside = Statements(self.program, self, scope, node, entry.constants)
        outside.defects.has_called = True  # there is no caller to push a check to
        outside.check_fixed(node)
        given = [f"%p.{name}" for name in instance.parameters]
        operands = outside.defects.checked_operands(instance.preconditions, given)
        outside.leave(outside.emit_call(instance, operands, CallSite.PLAIN))
        self.functions.append(
            Function(
                f'@"entry.{entry.name}"',
                self._with_types(instance.parameters, has_record=True),
                outside.builder.finish(()),
                Linkage.EXTERNAL,
            )
        )

    def part(self, function: FunctionType, constants: Mapping[str, Static]) -> Instance:
        """Lower a function for code that the caller writes. SubsetError if that cannot be done."""
        known = self._instances.get(_key(function, constants))
        instance = known or self._new(Frame(function, constants, "a translation"))
        self.problems.raise_if_any()
        return instance

    # -- functions
    def definition(self, function: FunctionType) -> tuple[str, ast.FunctionDef]:
        """Return the checked syntax tree of `function`, and the label of its file."""
        known = self._definitions.get(function)
        if known is None:
            try:
                module, node = source.find(function)
                subset.check(module.label, node)
                known = module.label, node
            except SubsetError as error:
                known = error
            self._definitions[function] = known
        if isinstance(known, SubsetError):
            raise known
        return known

    def parameters(self, function: FunctionType) -> list[str]:
        """Return the names of all parameters."""
        known = self._parameters.get(function)
        if known is None:
            code = function.__code__
            known = self._parameters[function] = list(code.co_varnames[: code.co_argcount])
        return known

    def instance(
        self, function: FunctionType, constants: Mapping[str, Static], caller: Scope, node: ast.AST
    ) -> Instance:
        """Return the instance of `function` with these constants, lowered now if it is new."""
        known = self._instances.get(_key(function, constants))
        if known is not None:
            return known
        if any(frame.function is function for frame in self._open):
            raise caller.error(node, f"{function.__name__} calls itself; recursion is not allowed")
        return self._new(Frame(function, constants, place_of(caller.label, node)))

    def _new(self, frame: Frame) -> Instance:
        """Lower a function, or note what is wrong with it."""
        self._open.append(frame)
        try:
            instance = self._lowered(frame)
        except SubsetError as error:
            self.problems.add(error, self._open)
            # Its callers can be looked at all the same.
            instance = Instance("", frame.function.__name__, (), gives_value=True)
        self._open.pop()
        self._instances[_key(frame.function, frame.constants)] = instance
        return instance

    def _lowered(self, frame: Frame) -> Instance:
        function, constants = frame.function, frame.constants
        label, definition = self.definition(function)
        scope = Scope(label, definition, function, constants, self.uses, self.program.fixed)
        visitor = Statements(self.program, self, scope, definition, constants)
        visitor.arithmetic.is_narrow = self._says(function, NARROW)
        blocks = visitor.function()
        if visitor.problems:
            raise SubsetError(*visitor.problems)
        made = Function(
            "",
            self._with_types(visitor.parameters, has_record=scope.has_record),
            blocks,
            parts=visitor.parts,
        )
        preconditions = tuple(visitor.defects.preconditions)
        # Constants that make no difference (CHECKED, to most instructions) make no second copy.
        same = (function, made.parameters, made.body, preconditions)
        instance = self._same.get(same)
        if instance is None:
            made.symbol = self._symbol(function, constants)
            made.is_cold = self._says(function, COLD)
            made.is_inlined = self._is_inlined(function)
            if made.is_inlined or (self.program.kept and scope.has_record):
                made.attributes = Attributes.ALWAYS_INLINE
            self.functions.append(made)
            instance = self._same[same] = Instance(
                made.symbol,
                function.__name__,
                visitor.parameters,
                bool(visitor.gives_value),
                visitor.result or FULL,
                preconditions,
                scope.has_record,
            )
        return instance

    def _says(self, function: FunctionType, name: str) -> bool:
        """True if the module of a function says `COLD = True` (what is in it seldom runs) or
        `NARROW = True` (arithmetic is to be in 32 bits where ranges allow it)."""
        value = look_up(function.__globals__, name)
        self.uses.note(function.__module__, name, value)
        return value is True

    def _is_inlined(self, function: FunctionType) -> bool:
        """True if the module of a function has it in `INLINED`: it runs in every cycle or so, and
        is to be a part of each function that calls it."""
        value = look_up(function.__globals__, INLINED)
        self.uses.note(function.__module__, INLINED, value)
        return isinstance(value, tuple) and function in value

    def _symbol(self, function: FunctionType, constants: Mapping[str, Static]) -> str:
        name = f"{function.__module__}.{function.__name__}"
        if constants:
            name += f"{{{spell(constants)}}}"
        while name in self._symbols:
            name += "'"
        self._symbols.add(name)
        return f'@"{name}"'

    def _with_types(self, parameters: Sequence[str], *, has_record: bool) -> tuple[str, ...]:
        first = self.program.first_parameters(has_record=has_record)
        return (*first, *(f"i64 %p.{name}" for name in parameters))

    # -- the modules
    def modules(self) -> tuple[Module, ...]:
        """Print the functions."""
        calls = [call for each in self.functions for call in each.calls]
        hot = self._hot(calls)
        for function in self.functions:
            if function.symbol in hot and not function.is_inlined:
                function.attributes = Attributes.INLINE_HINT
        return tuple(map(self.program.module, units(self.functions)))

    def _hot(self, calls: Sequence[Call]) -> set[str]:
        """Return what a `while` calls, and all that a dispatch in one reaches: where the time goes,
        LLVM is to inline as it likes, elsewhere little (jit.py)."""
        callees = {each.symbol: each.callees for each in self.functions}
        dispatched = CallSite.DISPATCHED | CallSite.IN_WHILE
        reached = {call.callee for call in calls if dispatched in call.site}
        left = list(reached)
        while left:
            new = callees[left.pop()] - reached
            reached |= new
            left += new
        return reached.union(call.callee for call in calls if CallSite.IN_WHILE in call.site)


def _key(function: FunctionType, constants: Mapping[str, Static]) -> tuple[str, str]:
    bound = ",".join(canonical(value) for _, value in sorted(constants.items()))
    return canonical(function), bound
