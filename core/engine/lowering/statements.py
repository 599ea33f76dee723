# SPDX-License-Identifier: Apache-2.0
"""Statements of the subset as blocks of LLVM IR, and the whole function."""

from __future__ import annotations

import ast

from tensix_gdb.core.engine.entry import SubsetError
from tensix_gdb.core.engine.ir import Block
from tensix_gdb.core.engine.lowering import ranges, rows
from tensix_gdb.core.engine.lowering.facts import Value, Word
from tensix_gdb.core.engine.lowering.program import LIMITS
from tensix_gdb.core.engine.lowering.ranges import Range, union
from tensix_gdb.core.engine.lowering.threads import Threads
from tensix_gdb.core.record.layout import Slot


class Statements(Threads):
    """Lowers statements."""

    gives_value: bool | None = None
    result: Range | None = None  # of all values that are returned

    def function(self) -> list[Block]:
        """Lower the whole function; `problems` says what is wrong with it."""
        for name in self.parameters:
            self.builder.add_fact(name, Word(f"%p.{name}"))
            if name in self.scope.assigned:
                self.builder.store_variable(name, f"%p.{name}")
        has_docstring = ast.get_docstring(self.node, clean=False) is not None
        self.block(self.node.body[has_docstring:])
        if self.builder.reachable and not self.problems:
            try:
                self.note_return(self.node, False)
            except SubsetError as error:
                self.problems += error.problems
            self.leave("0")
        return self.builder.finish(self.loaded)

    def check_fixed(self, node: ast.AST) -> None:
        """At an entry: the rows that the code has as constants have these values."""
        builder = self.builder
        for (part, name), value in self.program.fixed.items():
            slot = self.program.layout.slot(part, name)
            found = rows.load(
                builder, slot, rows.address(builder, slot, []), self.program.tag(slot)
            )
            sentence = f"{slot.path} is {{value}}, and this code is for {value}"
            fine = builder.flag(f"icmp eq i64 {found}, {value}")
            builder.guard(fine, self.defects.record(node, sentence, found))

    # -- assignments
    def visit_Assign(self, node: ast.Assign) -> None:
        self.assign(node.targets[0], self.value(node.value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            raise self.scope.unknown(node)
        self.assign(node.target, self.value(node.value))

    def assign(self, target: ast.expr, value: Value) -> None:
        """Store `value` in a variable or a row."""
        if isinstance(target, ast.Name):
            self.write(target, target.id, value)
            return
        slot, at, tag = self.stored_element(target)
        limit = LIMITS.get(slot.field.kind)
        if isinstance(value, int) and limit is not None and not 0 <= value <= limit:
            raise self.scope.error(
                target, f"{int(value)} does not fit {slot.path} ({slot.field.kind})"
            )
        rows.store(self.builder, self.defects, target, slot, at, value, tag)
        rows.stamp(self.builder, self.program, slot, at)

    def stored_element(self, target: ast.expr) -> tuple[Slot, str, int]:
        """As `element`, of a row that is stored to."""
        slot, at, tag = self.element(target)
        if (slot.part, slot.field.name) in self.program.fixed:
            raise self.scope.error(target, f"{slot.path} is fixed, and cannot be stored to")
        return slot, at, tag

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """`x += y`: the old value is read before `y` is evaluated, an index evaluated once."""
        if isinstance(node.target, ast.Name):
            name = ast.copy_location(ast.Name(node.target.id), node.target)
            old = self.value(name)
            new = self.binary(node, node.op, old, self.value(node.value))
            self.write(node.target, node.target.id, new)
            return
        slot, at, tag = self.stored_element(node.target)
        old = rows.load(self.builder, slot, at, tag)
        new = self.binary(node, node.op, old, self.value(node.value))
        rows.store(self.builder, self.defects, node.target, slot, at, new, tag)
        rows.stamp(self.builder, self.program, slot, at)

    # -- calls, nothing, the way out
    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Call):
            raise self.scope.unknown(node)
        self.call(node.value, wanted=False)

    def visit_Pass(self, node: ast.Pass) -> None:
        pass

    def visit_Return(self, node: ast.Return) -> None:
        if self.threaded is not None:
            raise self.scope.error(node, "no return in a threaded loop; break, and return after it")
        self.note_return(node, node.value is not None)
        self.leave("0" if node.value is None else self.word(node.value))

    def note_return(self, node: ast.AST, value: bool) -> None:
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

    def leave(self, result: str) -> None:
        """Return from the function."""
        known = self.builder.range_of(result)
        self.result = known if self.result is None else union(self.result, known)
        self.builder.leave(result)

    # -- branches
    def visit_If(self, node: ast.If) -> None:
        known = self.scope.fold(node.test)
        if known is not None:
            self.block(node.body if known else node.orelse)
            return
        yes, no, end = self.builder.label(), self.builder.label(), self.builder.label()
        if node.orelse:
            self.branch(node.test, yes, no)
            self.arms([(yes, node.body), (no, node.orelse)], end)
            return
        self.branch(node.test, yes, end)
        self.arms([(yes, node.body)], end, self.assigned)

    def arms(
        self,
        arms: list[tuple[str, list[ast.stmt]]],
        end: str,
        past: frozenset[str] | None = None,
    ) -> None:
        """Lower alternatives that start at their labels and meet at `end`.

        `past` is what has a value where a path goes past all of them; None if there is none.
        """
        before = self.assigned
        after: list[frozenset[str]] = [] if past is None else [past]
        for label, statements in arms:
            self.builder.position_at(label)
            self.assigned = before
            self.block(statements)
            if self.builder.reachable:
                after.append(self.assigned)
            self.builder.jump(end)
        self.builder.position_at(end)
        self.assigned = frozenset.intersection(*after) if after else before

    def visit_Match(self, node: ast.Match) -> None:
        """A real switch. The first case that names a number wins; a second one is an error."""
        subject = self.value(node.subject)
        seen: set[int] = set()
        numbers = [self.pattern(case.pattern, seen) for case in node.cases]
        if isinstance(subject, int):
            for case, values in zip(node.cases, numbers, strict=True):
                if values is None or int(subject) in values:
                    self.block(case.body)
                    return
            return
        builder = self.builder
        end = builder.label()
        labels = [builder.label() for _ in node.cases]
        has_default = numbers[-1] is None
        default = labels[-1] if has_default else builder.label()
        operand = builder.as_word(subject)
        for values, label in zip(numbers, labels, strict=True):
            known = (min(values), max(values)) if values else ranges.FULL
            builder.add_edge(label, builder.refined(subject, known))
        if not has_default:
            builder.add_edge(default)
        cases = zip(numbers, labels, strict=True)
        builder.switch(operand, [(n, label) for ns, label in cases for n in ns or ()], default)
        arms = [(label, case.body) for label, case in zip(labels, node.cases, strict=True)]
        self.arms(arms if has_default else [*arms, (default, [])], end)

    def pattern(self, node: ast.pattern, seen: set[int]) -> list[int] | None:
        """Return the numbers of a case; None for `_`."""
        match node:
            case ast.MatchValue(value=value):
                number = self.scope.fold(value)
                if number is None:
                    raise self.scope.error(node, f"{ast.unparse(value)} is not a constant number")
                if int(number) in seen:
                    raise self.scope.error(node, f"case {int(number)} appears twice in this match")
                seen.add(int(number))
                return [int(number)]
            case ast.MatchOr(patterns=patterns):
                alternatives = [self.pattern(each, seen) for each in patterns]
                return (
                    None
                    if None in alternatives
                    else [n for values in alternatives for n in values or ()]
                )
            case ast.MatchAs(pattern=None, name=None):
                return None
        raise self.scope.unknown(node)
