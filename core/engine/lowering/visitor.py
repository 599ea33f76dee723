# SPDX-License-Identifier: Apache-2.0
"""The visitor that lowers one function instance: its state, and how a node finds its method.

    Visitor      state, dispatch, variables        (this module)
    └ Expressions    visit_Name … visit_IfExp, conditions as jumps
      └ Calls            visit_Call: functions, dispatch tables, min, max, abs, bit_length
        └ Loops              visit_While, visit_For, visit_Break, visit_Continue
          └ Threads              visit_While of loops with functions for arms
            └ Statements             visit_Assign … visit_Match; the whole function

One object with one method for each class of node. Each module adds methods to the module above it
and needs no other: a node that lies further down is reached through `value`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine.entry import Problem, SubsetError
from tensix_gdb.core.engine.ir import Function
from tensix_gdb.core.engine.lowering.arithmetic import Arithmetic
from tensix_gdb.core.engine.lowering.defects import Defects
from tensix_gdb.core.engine.lowering.facts import Flag, Value, Word
from tensix_gdb.core.engine.lowering.instance import Instances
from tensix_gdb.core.engine.lowering.ir_builder import IRBuilder
from tensix_gdb.core.engine.lowering.program import Program
from tensix_gdb.core.engine.lowering.ranges import FULL
from tensix_gdb.core.engine.lowering.scope import Scope, Static
from tensix_gdb.core.engine.lowering.tree import stored_in


@dataclass(slots=True)
class Loop:
    """A loop around the insertion point."""

    again: str  # where `continue` goes
    end: str  # where `break` goes
    stores: frozenset[str]  # the variables that its head has forgotten
    is_while: bool = False
    is_over_lanes: bool = False
    is_threaded: bool = False  # threads.py
    in_body: bool = False  # not in its condition
    breaks: list[frozenset[str]] = field(default_factory=list)  # what has a value at each


class Visitor:
    """Lowers one instance.

    `assigned` follows the text: the variables that certainly have a value here. Where paths meet it
    is what they have in common, so that a variable without a value is found when compiling and
    never read when running.
    """

    def __init__(
        self,
        program: Program,
        instances: Instances,
        scope: Scope,
        node: ast.FunctionDef,
        constants: Mapping[str, Static],
    ) -> None:
        self.program = program
        self.instances = instances
        self.scope = scope
        self.node = node
        self.parameters = tuple(
            name for name in scope.parameters if name != "S" and name not in constants
        )
        self.builder = IRBuilder()
        self.defects = Defects(program, self.builder, scope.label, self.parameters)
        self.arithmetic = Arithmetic(self.builder, self.defects)
        self.assigned: frozenset[str] = frozenset(self.parameters)
        self.loops: list[Loop] = []
        self.problems: list[Problem] = []
        self.parts: list[Function] = []  # functions that only this one calls
        self.loaded: set[str] = set()  # variables that are read from the stack

    # -- dispatch
    methods: ClassVar[dict[type[ast.AST], Callable[..., Any]]]

    def __init_subclass__(cls) -> None:
        """Find the methods of a class once, not at each of its nodes."""
        named = {
            name.removeprefix("visit_"): name for name in dir(cls) if name.startswith("visit_")
        }
        cls.methods = {getattr(ast, kind): getattr(cls, name) for kind, name in named.items()}

    def visit(self, node: ast.AST) -> Any:
        """Call the method for the class of `node`; SubsetError if there is none."""
        method = self.methods.get(type(node))
        return self.refuse(node) if method is None else method(self, node)

    def refuse(self, node: ast.AST) -> Value:
        """Refuse what subset.py has let through and no method is for."""
        if isinstance(node, ast.expr):
            raise self.scope.error(node, f"{type(node).__name__} cannot be used as a value")
        raise self.scope.unknown(node)

    def value(self, node: ast.expr) -> Value:
        """Evaluate an expression: a number that is known now, an i64 or an i1."""
        known = self.scope.fold(node)
        if known is not None:
            return known
        value: Value = self.visit(node)
        return value

    def word(self, node: ast.expr) -> str:
        """Evaluate an expression as the operand of an i64 instruction."""
        return self.builder.as_word(self.value(node))

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Lower statements, up to one that nothing comes after.

        A statement that breaks a rule becomes a problem, and the next one is looked at: a program
        with problems is not compiled, but all of them are reported at once.
        """
        depth = len(self.loops)
        for statement in statements:
            if not self.builder.reachable:
                return
            try:
                self.visit(statement)
            except SubsetError as error:
                self.problems += error.problems
                del self.loops[depth:]
                self.assigned |= stored_in(statement)  # so that it is not missed further down
                self.builder.reachable = not isinstance(statement, ast.Return)

    # -- loops
    def is_in_while(self) -> bool:
        """True in the body of a `while`."""
        return any(loop.is_while and loop.in_body for loop in self.loops)

    def is_in_lanes(self) -> bool:
        """True in the body of a loop over lanes."""
        return any(loop.is_over_lanes and loop.in_body for loop in self.loops)

    # -- variables
    def read(self, name: str) -> Value:
        """Return the value of a variable."""
        known = self.builder.facts.get(name)
        if isinstance(known, Word | Flag):
            return known
        if name not in self.scope.assigned:
            return Word(f"%p.{name}")
        self.loaded.add(name)
        value = self.builder.load_variable(name, known or FULL)
        self.builder.add_fact(name, value)
        return value

    def write(self, node: ast.AST, name: str, value: Value) -> None:
        """Assign a variable."""
        for stored in (self.scope.assigned, *(loop.stores for loop in self.loops)):
            if name not in stored:
                # A loop head that has not forgotten it would continue with the old value.
                raise self.scope.error(
                    node, f"{name} is stored here, and lowering/tree.py does not know of it"
                )
        word = Word(self.builder.as_word(value))
        self.builder.store_variable(name, word)
        self.assigned = self.assigned | {name}
        self.builder.add_fact(name, value if isinstance(value, Flag) else word)
