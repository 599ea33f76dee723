# SPDX-License-Identifier: Apache-2.0
"""Calls: of other subset functions, of dispatch tables (a real switch), min, max, abs, bit_length.

`int.bit_length(x)` is the one operation that Python and processors have and loops are slow at.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Mapping, Sequence
from copy import deepcopy
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tensix_gdb.core.engine.dependencies import MISSING
from tensix_gdb.core.engine.entry import is_constant_name
from tensix_gdb.core.engine.lowering import rows
from tensix_gdb.core.engine.lowering.ir_builder import Value, Word
from tensix_gdb.core.engine.lowering.ranges import Range
from tensix_gdb.core.engine.lowering.scope import Static

if TYPE_CHECKING:
    from tensix_gdb.core.engine.lowering.expressions import Expressions
    from tensix_gdb.core.engine.lowering.function import FunctionLowering, Instance

# An argument is an operand or, for an ALL-CAPS parameter, what it is bound to.
Argument = str | tuple[Static]


class Numbered(ast.NodeTransformer):
    """Puts a number where a name is read."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.name:
            return node
        return ast.copy_location(ast.Constant(self.number), node)


class Calls:
    """Calls written in one function instance."""

    def __init__(self, function: FunctionLowering, expressions: Expressions) -> None:
        self.function = function
        self.scope = function.scope
        self.body = function.body
        self.expressions = expressions

    def call(self, node: ast.Call, *, wanted: bool) -> Value:
        """Call; `wanted` if the result is used."""
        if isinstance(node.func, ast.Subscript):
            return self.dispatch(node, node.func, wanted=wanted)
        callee = self.scope.static(node.func)
        if callee in (builtins.min, builtins.max, builtins.abs, int.bit_length):
            return self.builtin(node, callee.__name__)
        target, bound = self.target(node, callee, ast.unparse(node.func))
        instance = self.bind(node, target, bound, self.arguments(node, target))
        self.check_wanted(node, instance, wanted)
        if self.function.loop_depth:
            self.function.module.called_in_loops.add(instance[0].symbol)
        if self.function.repetitions:
            self.function.module.repeated.add(instance[0].symbol)
        # A call would keep a loop over lanes from becoming vectors, however many callers it has.
        inlined = " alwaysinline" if self.function.lane_depth else ""
        if inlined:
            self.function.module.inlined.add(instance[0].symbol)
        operands = self.function.met(*instance)
        self.function.has_called = True
        text = f"call i64 {instance[0].symbol}({', '.join(operands)}){inlined}"
        return self.body.word(text, instance[0].result)

    def builtin(self, node: ast.Call, name: str) -> Value:
        values = [self.expressions.value(argument) for argument in self.written_out(node.args)]
        if name in ("abs", "bit_length"):
            if len(values) != 1:
                raise self.scope.error(node, f"{name} takes one argument")
            arithmetic = self.expressions.arithmetic
            one = arithmetic.absolute if name == "abs" else arithmetic.bit_length
            return one(node, values[0])
        if len(values) < 2:
            raise self.scope.error(node, f"{name} takes two or more numbers")
        result = self.body.as_word(values[0])
        choose = min if name == "min" else max
        for value in values[1:]:
            other = self.body.as_word(value)
            a, b = self.body.range_of(result), self.body.range_of(other)
            result = self.body.word(
                f"call i64 @llvm.s{name}.i64(i64 {result}, i64 {other})",
                (choose(a[0], b[0]), choose(a[1], b[1])),
            )
        return Word(result)

    # -- what is called
    def target(
        self, node: ast.Call, callee: Any, name: str
    ) -> tuple[FunctionType, Mapping[str, Static]]:
        """The function behind a callee, and the ALL-CAPS parameters that a partial binds."""
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
        parameters = self.function.module.parameters(target)
        given = self.written_out(node.args)
        result: list[Argument] = []
        if parameters[:1] == ["S"]:
            if not given or not self.scope.is_record(given[0]):
                raise self.scope.error(node, f"the first argument of {target.__name__} must be S")
            given, parameters = given[1:], parameters[1:]
        if len(given) > len(parameters):
            raise self.scope.error(node, f"too many arguments for {target.__name__}")
        for argument, parameter in zip(given, parameters, strict=False):
            if is_constant_name(parameter):
                result.append((self.constant(argument, parameter, target),))
            else:
                result.append(self.expressions.word(argument))
        return result

    def written_out(self, given: Sequence[ast.expr]) -> list[ast.expr]:
        """The arguments, with `*(f(i) for i in range(N))` as the N that it stands for."""
        match given:
            case [*first, ast.Starred(value=ast.GeneratorExp(elt=each, generators=[over]))]:
                assert isinstance(over.target, ast.Name)  # subset.py has looked at its form
                assert isinstance(over.iter, ast.Call)
                count = self.scope.fold(over.iter.args[0])
                if count is None:
                    raise self.scope.error(each, f"{ast.unparse(over.iter)} is not constant")
                name = over.target.id
                return [*first, *(Numbered(name, i).visit(deepcopy(each)) for i in range(count))]
        return list(given)

    def constant(self, node: ast.expr, parameter: str, target: FunctionType) -> Static:
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
        """The instance for these constants, and the operands to call it with."""
        parameters = [name for name in self.function.module.parameters(target) if name != "S"]
        constants = dict(bound)
        operands = ["ptr %S"]
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
                operands.append(f"i64 {argument}")
        missing = [name for name in parameters[len(arguments) :] if name not in constants]
        unknown = [name for name in constants if name not in parameters]
        if missing or unknown:
            problem = f"does not get {missing[0]}" if missing else f"has no parameter {unknown[0]}"
            raise self.scope.error(node, f"{target.__name__} {problem}")
        instance = self.function.module.instance(target, constants, self.scope, node)
        self.function.calls.add(instance.symbol)
        return instance, operands

    def check_wanted(
        self, node: ast.Call, instance: tuple[Instance, list[str]], wanted: bool
    ) -> None:
        if wanted and not instance[0].gives_value:
            raise self.scope.error(
                node, f"{instance[0].name} returns nothing, so its result cannot be used"
            )

    # -- dispatch tables
    def dispatch(self, node: ast.Call, func: ast.Subscript, *, wanted: bool) -> Value:
        """`TABLE[op](S, a, b)`: a switch with one case for each distinct entry."""
        name = ast.unparse(func.value)
        table = self.scope.static(func.value)
        if not isinstance(table, tuple) or not table:
            raise self.scope.error(func, f"{name} is not a module-level tuple of functions")
        entries = [self.target(node, entry, f"{name}[{i}]") for i, entry in enumerate(table)]
        index = self.expressions.value(func.slice)
        # Checked before the arguments are evaluated, as in Python.
        what = f"{name}[{len(table)}]"
        self.expressions.check_known(func, index, len(table), what)
        at = rows.bound(self.body, self.function, func, index, len(table), what)
        arguments = self.arguments(node, entries[0][0])
        cases: dict[Instance, tuple[list[int], list[str]]] = {}
        for number, (target, bound) in enumerate(entries):
            if isinstance(index, int) and number != index:
                continue
            instance, operands = self.bind(node, target, bound, arguments)
            self.check_wanted(node, (instance, operands), wanted)
            cases.setdefault(instance, ([], operands))[0].append(number)
        return self.switch(at, cases)

    def switch(self, index: str, cases: Mapping[Instance, tuple[list[int], list[str]]]) -> Value:
        """`index` is one of the numbers; every instance is one case.

        A dispatch inside a loop is what the loop is for: its functions become part of it, however
        many other callers they have, which LLVM alone would count against them.
        """
        body = self.body
        inlined = " alwaysinline" if self.function.loop_depth else " noinline"
        if self.function.loop_depth:
            self.function.module.dispatched_in_loops.update(instance.symbol for instance in cases)
        labels = {instance: body.label() for instance in cases}
        end, never = body.label(), body.label()
        for label in labels.values():
            body.arrive(label)
        arms = " ".join(
            f"i64 {number}, label %{labels[instance]}"
            for instance, (numbers, _) in cases.items()
            for number in numbers
        )
        body.line(f"switch i64 {index}, label %{never} [ {arms} ]")
        body.alive = False
        body.cold += [f"{never}:", "  unreachable"]
        ways: list[tuple[Value, str, Range]] = []
        for instance, (_, operands) in cases.items():
            body.place(labels[instance])
            operands = self.function.met(instance, operands)
            got = body.word(f"call i64 {instance.symbol}({', '.join(operands)}){inlined}")
            ways.append((got, body.at, instance.result))
            body.jump(end)
        body.place(end)
        return body.phi(ways)
