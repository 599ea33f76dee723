# SPDX-License-Identifier: Apache-2.0
"""One instance of a subset function: its text in LLVM IR, with its constants bound.

Every instance takes the record first, also where the Python function does not, because that is
where defects are recorded.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tensix_gdb.core.engine.lowering import ranges, rows
from tensix_gdb.core.engine.lowering.ir_builder import Body, Flag, Value, Word
from tensix_gdb.core.engine.lowering.ranges import FULL, Range, union
from tensix_gdb.core.engine.lowering.scope import Scope, Static
from tensix_gdb.core.engine.lowering.statements import Statements

if TYPE_CHECKING:
    from tensix_gdb.core.engine.lower import Lowering

# `preserve_most` keeps the cold call from costing registers on the hot path; the TBAA tag on the
# call tells LLVM that it writes to the engine's rows and to nothing else.
RECORD = "call preserve_mostcc void @defect(ptr %S, i64 {site}, i64 {value}), !tbaa !{tag}"


@dataclass(frozen=True, slots=True)
class Need:
    """An argument has to be in range(size); `site` is where that is needed."""

    argument: int
    size: int
    site: int


@dataclass(frozen=True, slots=True)
class Instance:
    """A function with its constants, as callers see it."""

    symbol: str
    name: str
    parameters: tuple[str, ...]
    gives_value: bool
    result: Range = FULL  # between which numbers what it returns is
    needs: tuple[Need, ...] = ()  # what callers have to see to, in this order


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
        self.result: Range | None = None
        self.calls: set[str] = set()  # symbols
        self.needs: list[Need] = []
        self.has_called = False
        self._places: dict[str, str] = {}
        self._read: set[str] = set()  # variables that are read from where they are kept
        self.parameters = tuple(
            name for name in scope.parameters if name != "S" and name not in constants
        )

    def text(self, symbol: str) -> str:
        """The definition of this instance."""
        statements = self.node.body
        self.assigned = frozenset(self.parameters)
        self.loop_depth = 0  # of `while`
        self.repetitions = 0  # loops of both kinds
        self.lane_depth = 0
        for name in self.parameters:
            self.body.learn(name, Word(f"%p.{name}"))
            if name in self.scope.assigned:
                self.body.line(f"store i64 %p.{name}, ptr {self.place(name)}")
        Statements(self).block(statements)
        if self.body.alive:
            self.returns(self.node, False)
            self.leave("0")
        takes = ", ".join(["ptr %S", *(f"i64 %p.{name}" for name in self.parameters)])
        return f"define internal i64 {symbol}({takes}) #0 {{\nentry:\n{self.without_unread()}\n}}\n"

    # -- variables
    def place(self, name: str) -> str:
        known = self._places.get(name)
        if known is None:
            known = self._places[name] = f"%v.{name}"
        return known

    def read(self, name: str) -> Value:
        known = self.body.facts.get(name)
        if isinstance(known, Word | Flag):
            return known
        if name not in self.scope.assigned:
            return Word(f"%p.{name}")
        self._read.add(name)
        value = self.body.word(f"load i64, ptr {self.place(name)}", known or FULL)
        self.body.learn(name, value)
        return value

    def write(self, name: str, value: Value) -> None:
        word = Word(self.body.as_word(value))
        self.body.line(f"store i64 {word}, ptr {self.place(name)}")
        self.assigned = self.assigned | {name}
        self.body.learn(name, value if isinstance(value, Flag) else word)

    def without_unread(self) -> str:
        """The blocks, without what keeps a variable for later that nobody reads there."""
        body = self.body
        body.variables += [f"  %v.{name} = alloca i64" for name in sorted(self._read)]
        unread = tuple(
            f", ptr {place}" for name, place in self._places.items() if name not in self._read
        )
        if unread:
            body.lines = [
                line
                for line in body.lines
                if not (line.endswith(unread) and line.startswith("  store i64 "))
            ]
        return body.text()

    # -- the way out
    def leave(self, result: str) -> None:
        known = self.body.range_of(result)
        self.result = known if self.result is None else union(self.result, known)
        self.body.line(f"ret i64 {result}")
        self.body.alive = False

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
        return self.recorded(self.site(node, sentence), value)

    def recorded(self, site: int, value: str) -> str:
        return RECORD.format(site=site, value=value, tag=self.module.engine_tag)

    def site(self, node: ast.AST, sentence: str) -> int:
        return self.module.site(self.scope.label, getattr(node, "lineno", 0), sentence)

    # -- what callers have to see to
    def expects(self, node: ast.AST, sentence: str, value: str, size: int) -> bool:
        """Is `value` a parameter, and may whoever calls see to it that it is in range(size)?

        Where nothing can have happened before, it makes no difference who looks; and who calls
        knows as a rule, or can ask its own callers: two of five guards go.
        """
        return self._can_ask(value) and self._ask(value, size, self.site(node, sentence))

    def _can_ask(self, value: str) -> bool:
        return self.body.at == "entry" and not self.has_called and value.startswith("%p.")

    def _ask(self, value: str, size: int, site: int) -> bool:
        self.needs.append(Need(self.parameters.index(value.removeprefix("%p.")), size, site))
        self.body.assume(value, (0, size - 1))
        return True

    def met(self, instance: Instance, operands: Sequence[str]) -> list[str]:
        """The operands for a call here, in the ranges that the instance needs."""
        given = [operand.removeprefix("i64 ") for operand in operands]
        for need in instance.needs:
            at = need.argument + 1  # the record is first
            value, size = given[at], need.size
            if ranges.inside(self.body.range_of(value), size):
                continue
            if self._can_ask(value):
                self._ask(value, size, need.site)
            else:
                given[at] = rows.guarded(self.body, value, size, self.recorded(need.site, value))
        return [given[0], *(f"i64 {value}" for value in given[1:])]
