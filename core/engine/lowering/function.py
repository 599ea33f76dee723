# SPDX-License-Identifier: Apache-2.0
"""One instance of a subset function: its text in LLVM IR, with its constants bound.

Every instance takes the record first, also where the Python function does not, because that is
where defects are recorded.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.engine.lowering.body import Body, Value, Word
from core.engine.lowering.scope import Scope, Static
from core.engine.lowering.statements import Statements

if TYPE_CHECKING:
    from core.engine.lower import Lowering

# `preserve_most` keeps the cold call from costing registers on the hot path; the TBAA tag on the
# call tells LLVM that it writes to the engine's rows and to nothing else.
RECORD = "call preserve_mostcc void @defect(ptr %S, i64 {site}, i64 {value}), !tbaa !{tag}"


@dataclass(frozen=True, slots=True)
class Instance:
    """A function with its constants, as callers see it."""

    symbol: str
    name: str
    parameters: tuple[str, ...]
    gives_value: bool


class FunctionLowering:
    """Lowers one instance."""

    def __init__(
        self, module: Lowering, scope: Scope, node: ast.FunctionDef, constants: Mapping[str, Static]
    ) -> None:
        self.module = module
        self.checked = module.checked
        self.scope = scope
        self.node = node
        self.body = Body()
        self.assigned: frozenset[str] = frozenset()
        self.gives_value: bool | None = None
        self.calls: set[str] = set()  # symbols
        self._places: dict[str, str] = {}
        self.parameters = tuple(
            name for name in scope.parameters if name != "S" and name not in constants
        )

    def text(self, symbol: str) -> str:
        """The definition of this instance."""
        statements = self.node.body
        self.assigned = frozenset(self.parameters)
        self.loop_depth = 0
        self.lane_depth = 0
        for name in self.parameters:
            if name in self.scope.assigned:
                self.body.line(f"store i64 %p.{name}, ptr {self.place(name)}")
        Statements(self).block(statements)
        if self.body.alive:
            self.returns(self.node, False)
            self.body.line("ret i64 0")
        takes = ", ".join(["ptr %S", *(f"i64 %p.{name}" for name in self.parameters)])
        return f"define internal i64 {symbol}({takes}) #0 {{\nentry:\n{self.body.text()}\n}}\n"

    # -- variables
    def place(self, name: str) -> str:
        known = self._places.get(name)
        if known is None:
            known = self._places[name] = f"%v.{name}"
            self.body.variables.append(f"  {known} = alloca i64")
        return known

    def read(self, name: str) -> Value:
        if name not in self.scope.assigned:
            return Word(f"%p.{name}")
        return self.body.word(f"load i64, ptr {self.place(name)}")

    def write(self, name: str, value: Value) -> None:
        self.body.line(f"store i64 {self.body.as_word(value)}, ptr {self.place(name)}")
        self.assigned = self.assigned | {name}

    # -- rules of the whole function
    def returns(self, node: ast.AST, value: bool) -> None:
        """Note a way out; all of them give a value or none does."""
        if self.gives_value is None:
            self.gives_value = value
        elif self.gives_value is not value:
            if node is self.node:
                raise self.scope.error(
                    self.node.body[-1],
                    f"{self.node.name} can end here without a value; end with `return 0`",
                )
            raise self.scope.error(
                node, f"{self.node.name} returns a value in one place and nothing in another"
            )

    def record(self, node: ast.AST, sentence: str, value: str) -> str:
        """The instruction that records a defect at `node`."""
        site = self.module.site(self.scope.label, getattr(node, "lineno", 0), sentence)
        return RECORD.format(site=site, value=value, tag=self.module.engine_tag)
