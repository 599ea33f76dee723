# SPDX-License-Identifier: Apache-2.0
"""Calls: of other subset functions, of dispatch tables (a real switch), min, max, abs, bit_length.

`int.bit_length(x)` is the one operation that Python and processors have and loops are slow at.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from tensix_gdb.core.engine.dependencies import MISSING
from tensix_gdb.core.engine.entry import is_constant_name
from tensix_gdb.core.engine.ir import Call, CallSite
from tensix_gdb.core.engine.lowering.expressions import Expressions
from tensix_gdb.core.engine.lowering.facts import Value, Word
from tensix_gdb.core.engine.lowering.instance import Instance
from tensix_gdb.core.engine.lowering.ranges import Range
from tensix_gdb.core.engine.lowering.scope import Static
from tensix_gdb.core.engine.lowering.tree import UnknownNodeError, with_number

# An argument is an operand or, for an ALL-CAPS parameter, what it is bound to.
Argument = str | tuple[Static]


class Calls(Expressions):
    """Lowers calls."""

    def visit_Call(self, node: ast.Call) -> Value:
        """Call for the result."""
        return self.call(node, wanted=True)

    def call(self, node: ast.Call, *, wanted: bool) -> Value:
        """Call; `wanted` if the result is used."""
        if isinstance(node.func, ast.Subscript):
            return self.dispatch(node, node.func, wanted=wanted)
        callee = self.scope.static(node.func)
        if callee in (builtins.min, builtins.max, builtins.abs, int.bit_length):
            return self.builtin(node, callee.__name__)
        target, bound = self.target(node, callee, ast.unparse(node.func))
        instance, operands = self.bind(node, target, bound, self.arguments(node, target))
        self.check_wanted(node, instance, wanted)
        operands = self.defects.checked_operands(instance.preconditions, operands)
        self.defects.has_called = True
        return self.emit_call(instance, operands, self.call_site())

    def call_site(self) -> CallSite:
        """Say what surrounds the insertion point."""
        site = CallSite.REPEATED if any(loop.in_body for loop in self.loops) else CallSite.PLAIN
        site |= CallSite.IN_WHILE if self.is_in_while() else CallSite.PLAIN
        # A call would keep a loop over lanes from becoming vectors, however many callers it has.
        return site | (CallSite.IN_LANES if self.is_in_lanes() else CallSite.PLAIN)

    def emit_call(
        self,
        instance: Instance,
        operands: Sequence[str],
        site: CallSite,
        hint: str = "",
        record: str = "",
    ) -> Word:
        """Write a call of an instance, with this record or another one."""
        if CallSite.IN_LANES in site:
            hint = " alwaysinline"
        name = Word(self.builder.name())
        first: tuple[str, ...] = (f"ptr {record}",)
        if not record:
            first = self.program.first_parameters(has_record=instance.has_record)
        given = ", ".join([*first, *(f"i64 {each}" for each in operands)])
        text = f"{name} = call i64 {instance.symbol}({given}){hint}"
        self.builder.add(Call(text, instance.symbol, site))
        return self.builder.known(name, instance.result)

    def builtin(self, node: ast.Call, name: str) -> Value:
        """Write min, max, abs or bit_length."""
        values = [self.value(argument) for argument in self.written_out(node.args)]
        if name in ("abs", "bit_length"):
            if len(values) != 1:
                raise self.scope.error(node, f"{name} takes one argument")
            of_one = self.arithmetic.absolute if name == "abs" else self.arithmetic.bit_length
            return of_one(node, values[0])
        if len(values) < 2:
            raise self.scope.error(node, f"{name} takes two or more numbers")
        result = self.builder.as_word(values[0])
        choose = min if name == "min" else max
        for value in values[1:]:
            other = self.builder.as_word(value)
            a, b = self.builder.range_of(result), self.builder.range_of(other)
            known = choose(a[0], b[0]), choose(a[1], b[1])
            result = self.arithmetic.chosen(f"s{name}", result, other, known)
        return Word(result)

    # -- what is called
    def target(
        self, node: ast.Call, callee: Any, name: str
    ) -> tuple[FunctionType, Mapping[str, Static]]:
        """Return the function of a callee, and the ALL-CAPS parameters that a partial binds."""
        bound: Mapping[str, Static] = {}
        if isinstance(callee, functools.partial):
            if callee.args:
                raise self.scope.error(node, f"{name}: partial may bind ALL-CAPS parameters only")
            callee, bound = callee.func, callee.keywords
        if not isinstance(callee, FunctionType):
            what = "a variable" if callee is MISSING else f"a {type(callee).__name__}"
            raise self.scope.error(
                node,
                f"{name} is {what}; only subset functions, min, max, abs and"
                f" int.bit_length can be called",
            )
        for key, value in bound.items():
            if not is_constant_name(key) or not isinstance(
                value, int | FunctionType | functools.partial
            ):
                raise self.scope.error(
                    node, f"{name}: partial binds {key}, which is not an ALL-CAPS constant"
                )
        return callee, bound

    def arguments(self, node: ast.Call, target: FunctionType) -> list[Argument]:
        """Evaluate the arguments; those of ALL-CAPS parameters must be known."""
        parameters = self.instances.parameters(target)
        given = self.written_out(node.args)
        if parameters[:1] == ["S"]:
            if not given or not self.scope.is_record(given[0]):
                raise self.scope.error(node, f"the first argument of {target.__name__} must be S")
            given, parameters = given[1:], parameters[1:]
        return self.in_order(node, target, given, parameters)

    def in_order(
        self,
        node: ast.Call,
        target: FunctionType,
        given: Sequence[ast.expr],
        parameters: Sequence[str],
    ) -> list[Argument]:
        """Evaluate the arguments after the record."""
        result: list[Argument] = []
        if len(given) > len(parameters):
            raise self.scope.error(node, f"too many arguments for {target.__name__}")
        for argument, parameter in zip(given, parameters, strict=False):
            if is_constant_name(parameter):
                result.append((self.constant(argument, parameter, target),))
            else:
                result.append(self.word(argument))
        return result

    def written_out(self, given: Sequence[ast.expr]) -> list[ast.expr]:
        """Return the arguments, with `*(f(i) for i in range(N))` as the N that it stands for."""
        match given:
            case [*first, ast.Starred(value=ast.GeneratorExp(elt=each, generators=[over]))]:
                assert isinstance(over.target, ast.Name)  # subset.py has looked at its form
                assert isinstance(over.iter, ast.Call)
                count = self.scope.fold(over.iter.args[0])
                if count is None:
                    raise self.scope.error(each, f"{ast.unparse(over.iter)} is not constant")
                name = over.target.id
                try:
                    return [*first, *(with_number(each, name, i) for i in range(count))]
                except UnknownNodeError as problem:
                    raise self.scope.unknown(problem.node) from None
        return list(given)

    def constant(self, node: ast.expr, parameter: str, target: FunctionType) -> Static:
        """Return what an argument binds an ALL-CAPS parameter to."""
        known = self.scope.fold(node)
        if known is not None:
            return int(known)
        value = self.scope.static(node)
        if isinstance(value, FunctionType | functools.partial):
            return value
        raise self.scope.error(
            node,
            f"{parameter} of {target.__name__} is a compile-time constant; pass a number, a named"
            f" constant or an ALL-CAPS parameter, not {ast.unparse(node)}",
        )

    def bind(
        self,
        node: ast.Call,
        target: FunctionType,
        bound: Mapping[str, Static],
        arguments: Sequence[Argument],
    ) -> tuple[Instance, list[str]]:
        """Return the instance for these constants, and the operands to call it with."""
        parameters = [name for name in self.instances.parameters(target) if name != "S"]
        constants = dict(bound)
        operands = []
        for parameter, argument in zip(parameters, arguments, strict=False):
            if parameter in bound:
                raise self.scope.error(node, f"{target.__name__} gets {parameter} twice")
            if isinstance(argument, tuple):
                constants[parameter] = argument[0]
            elif is_constant_name(parameter):
                raise self.scope.error(
                    node, f"{parameter} of {target.__name__} is a compile-time constant"
                )
            else:
                operands.append(argument)
        missing = [name for name in parameters[len(arguments) :] if name not in constants]
        unknown = [name for name in constants if name not in parameters]
        if missing or unknown:
            problem = f"does not get {missing[0]}" if missing else f"has no parameter {unknown[0]}"
            raise self.scope.error(node, f"{target.__name__} {problem}")
        return self.instances.instance(target, constants, self.scope, node), operands

    def check_wanted(self, node: ast.Call, instance: Instance, wanted: bool) -> None:
        """Refuse to use the result of a function that returns nothing."""
        if wanted and not instance.gives_value:
            raise self.scope.error(
                node, f"{instance.name} returns nothing, so its result cannot be used"
            )

    # -- dispatch tables
    def dispatch(self, node: ast.Call, func: ast.Subscript, *, wanted: bool) -> Value:
        """`TABLE[op](S, a, b)`: a switch with one case for each distinct entry."""
        entries, at = self.entries(node, func)
        arguments = self.arguments(node, entries[0][0])
        least, most = self.builder.range_of(at)
        if least == most:
            instance, operands = self.bind(node, *entries[least], arguments)
            self.check_wanted(node, instance, wanted)
            operands = self.defects.checked_operands(instance.preconditions, operands)
            self.defects.has_called = True
            return self.emit_call(instance, operands, self.call_site())
        cases: dict[Instance, tuple[list[int], list[str]]] = {}
        for number in range(least, most + 1):
            target, bound = entries[number]
            instance, operands = self.bind(node, target, bound, arguments)
            self.check_wanted(node, instance, wanted)
            cases.setdefault(instance, ([], operands))[0].append(number)
        return self.switch(at, cases)

    def entries(
        self, node: ast.Call, func: ast.Subscript
    ) -> tuple[list[tuple[FunctionType, Mapping[str, Static]]], str]:
        """Return what a dispatch may call, and the index of what it does call."""
        name = ast.unparse(func.value)
        table = self.scope.static(func.value)
        if not isinstance(table, tuple) or not table:
            raise self.scope.error(func, f"{name} is not a module-level tuple of functions")
        entries = [self.target(node, entry, f"{name}[{i}]") for i, entry in enumerate(table)]
        index = self.value(func.slice)
        # Checked before the arguments are evaluated, as in Python.
        return entries, self.bound(func, index, len(table), f"{name}[{len(table)}]")

    def switch(self, index: str, cases: Mapping[Instance, tuple[list[int], list[str]]]) -> Value:
        """`index` is one of the numbers; every instance is one case.

        A dispatch inside a `while` is what the loop is for: its functions become part of it,
        however many other callers they have, which LLVM alone would count against them.
        """
        builder = self.builder
        is_in_while = self.is_in_while()
        hint = " alwaysinline" if is_in_while else " noinline"
        site = CallSite.DISPATCHED | (CallSite.IN_WHILE if is_in_while else CallSite.PLAIN)
        labels = {instance: builder.label() for instance in cases}
        end, never = builder.label(), builder.label()
        for label in labels.values():
            builder.add_edge(label)
        arms = [(n, labels[instance]) for instance, (numbers, _) in cases.items() for n in numbers]
        builder.switch(index, arms, never)
        builder.add_unreachable(never)
        ways: list[tuple[Value, str, Range]] = []
        for instance, (_, given) in cases.items():
            builder.position_at(labels[instance])
            operands = self.defects.checked_operands(instance.preconditions, given)
            result = self.emit_call(instance, operands, site, hint)
            ways.append((result, builder.at, instance.result))
            builder.jump(end)
        builder.position_at(end)
        return builder.phi(ways)
