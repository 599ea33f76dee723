# SPDX-License-Identifier: Apache-2.0
"""`while THREADED and …` (core/engine/native.py): functions that call each other at their ends.

    while THREADED and n < budget:       head   the condition, what comes before the dispatch, and
        d = S.decoded.word[pc]                  a jump to the arm that the table has for the index
        npc = TABLE[d & 0xFF](S, pc, d)  arms   one for each distinct entry: its call, what comes
        if npc < 0:                             after the dispatch, and the head (inlined)
            break                        end    the variables go to the frame; back to the function
        pc = npc
        n += 1

The variables that have a value before the loop, and those that the head gives to what comes after
the dispatch, are arguments. What the loop changes is in the frame when it is over. In the checked
build it is a loop as any other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine.ir import Attributes, CallSite, Function, Instruction
from tensix_gdb.core.engine.jit import TAIL_CALLED
from tensix_gdb.core.engine.lowering.arithmetic import Arithmetic
from tensix_gdb.core.engine.lowering.defects import Defects
from tensix_gdb.core.engine.lowering.facts import Value, Word
from tensix_gdb.core.engine.lowering.instance import Instance
from tensix_gdb.core.engine.lowering.ir_builder import IRBuilder
from tensix_gdb.core.engine.lowering.loops import Loops
from tensix_gdb.core.engine.lowering.ranges import FULL, SIGNED_64, Range
from tensix_gdb.core.engine.lowering.tree import is_threaded, names_in, stored_in, stored_in_all
from tensix_gdb.core.engine.lowering.visitor import Loop

SITE = CallSite.DISPATCHED | CallSite.IN_WHILE | CallSite.REPEATED


@dataclass(slots=True)
class Threaded:
    """One such loop."""

    node: ast.While
    symbol: str
    changed: tuple[str, ...]  # in the frame when it is over
    carried: tuple[str, ...]  # have a value at the head
    given: tuple[str, ...]  # what the head gives to what comes after the dispatch
    ranges: dict[str, Range] = field(default_factory=dict)

    @property
    def passed(self) -> tuple[str, ...]:
        """The variables that are arguments of every function, in their order."""
        return self.carried + self.given


class Threads(Loops):
    """Lowers threaded loops."""

    threaded: Threaded | None = None

    def visit_While(self, node: ast.While) -> None:
        if not is_threaded(node) or self.program.checked or self.program.kept:
            super().visit_While(node)
            return
        if self.loops:
            raise self.scope.error(node, "a threaded loop cannot be in another loop")
        place = next((i for i, each in enumerate(node.body) if _is_dispatch(each)), None)
        if place is None:
            raise self.scope.error(node, "a threaded loop has `name = TABLE[i](…)` in its body")
        first, dispatch, rest = node.body[:place], node.body[place], node.body[place + 1 :]
        assert isinstance(dispatch, ast.Assign)
        stored = stored_in(node)
        carried = sorted(self.assigned & names_in(node))
        given = sorted(stored_in_all(first) & names_in(dispatch, *rest) - set(carried))
        self.threaded = Threaded(
            node,
            f"threaded.{self.program.next_threaded()}",
            tuple(name for name in carried if name in stored),
            tuple(carried),
            tuple(given),
            {
                name: self.builder.range_of(self.read(name))
                for name in carried
                if name not in stored
            },
        )
        self._enter(self.threaded)
        try:
            cases = self._head(self.threaded, first, dispatch)
            for number, (instance, operands) in enumerate(cases):
                self._arm(self.threaded, number, instance, operands, dispatch, rest)
        finally:
            self.threaded = None

    def visit_Continue(self, node: ast.Continue) -> None:
        if self.loops[-1].is_threaded:
            self._go_on()
        else:
            super().visit_Continue(node)

    # -- the function that has the loop
    def _enter(self, loop: Threaded) -> None:
        """Call the head; afterwards take what has changed out of the frame."""
        builder = self.builder
        frame = builder.name()
        builder.allocations.append(Instruction(f"{frame} = alloca [{len(loop.changed)} x i64]"))
        given = {name: builder.as_word(self.read(name)) for name in loop.carried}
        builder.effect(self._call(loop, frame, given))
        self.defects.has_called = True
        builder.forget(stored_in(loop.node))
        for number, name in enumerate(loop.changed):
            at = builder.pointer(f"getelementptr inbounds i8, ptr {frame}, i64 {8 * number}")
            value = builder.word(f"load i64, ptr {at}")
            builder.store_variable(name, value)
            builder.add_fact(name, value)

    def _call(self, loop: Threaded, frame: str, given: dict[str, str], callee: str = "") -> str:
        """Return a call of a part of the loop, the head if nothing else is said."""
        arguments = [f"i64 {given.get(name, 'poison')}" for name in loop.passed]
        listed = ", ".join(["ptr %S", f"ptr {frame}", *arguments])
        return f"call {TAIL_CALLED}i64 {callee or _symbol(loop.symbol)}({listed})"

    # -- its parts
    def _head(
        self, loop: Threaded, first: Sequence[ast.stmt], dispatch: ast.Assign
    ) -> list[tuple[Instance, list[str]]]:
        """Lower the head; return what each arm is to call."""
        cases: dict[Instance, list[str]] = {}
        with self._part(loop, "", Attributes.ALWAYS_INLINE) as before:
            builder = self.builder
            inside = builder.label()
            self.branch(loop.node.test, inside, self.loops[-1].end)
            builder.position_at(inside)
            self.loops[-1].in_body = True
            self.block(first)
            if builder.reachable:
                values = {name: self.read(name) for name in loop.passed}
                at, numbers = self._cases(dispatch, values, cases)
                loop.ranges = {name: builder.range_of(value) for name, value in values.items()}
                arms = ", ".join(f"ptr {_symbol(f'{loop.symbol}.{n}')}" for n in numbers)
                kind, name = f"[{len(numbers)} x ptr]", _symbol(f"{loop.symbol}.arms")
                before.append(f"{name} = internal unnamed_addr constant {kind} [{arms}]\n")
                place = f"getelementptr inbounds {kind}, ptr {name}, i64 0, i64 {at}"
                arm = builder.pointer(f"load ptr, ptr {builder.pointer(place)}, !invariant.load !0")
                given = {name: builder.as_word(value) for name, value in values.items()}
                self._last_act(loop, given, arm)
        return list(cases.items())

    def _cases(
        self, dispatch: ast.Assign, values: Mapping[str, Value], cases: dict[Instance, list[str]]
    ) -> tuple[str, list[int]]:
        """Fill `cases` with what the arms call, and the operands as an arm has them. Return the
        index of a dispatch, and which case each entry of its table is."""
        call = dispatch.value
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Subscript)
        names = {str(value): name for name, value in values.items()}
        table, at = self.entries(call, call.func)
        numbers: dict[Instance, int] = {}
        found = []
        for entry in table:
            instance, operands = self.bind(call, *entry, self.arguments(call, entry[0]))
            self.check_wanted(call, instance, wanted=True)
            if any(each[0] == "%" and each not in names for each in operands):
                raise self.scope.error(
                    call, "a threaded loop's dispatch is called with variables and constants"
                )
            known = [f"%p.{names[each]}" if each[0] == "%" else each for each in operands]
            cases.setdefault(instance, known)
            found.append(numbers.setdefault(instance, len(numbers)))
        return at, found

    def _arm(
        self,
        loop: Threaded,
        number: int,
        instance: Instance,
        operands: list[str],
        dispatch: ast.Assign,
        rest: Sequence[ast.stmt],
    ) -> None:
        with self._part(loop, f".{number}", Attributes.PLAIN):
            self.loops[-1].in_body = True
            target = dispatch.targets[0]
            assert isinstance(target, ast.Name)
            operands = self.defects.checked_operands(instance.preconditions, operands)
            result = self.emit_call(instance, operands, SITE, " alwaysinline")
            self.write(target, target.id, result)
            self.block(rest)
            if self.builder.reachable:
                self._go_on()

    def _go_on(self) -> None:
        """Go to the head with what the variables are here."""
        loop = self.threaded
        assert loop is not None
        given = {name: self.builder.as_word(self.read(name)) for name in loop.carried}
        self._last_act(loop, given)

    def _last_act(self, loop: Threaded, given: dict[str, str], callee: str = "") -> None:
        builder = self.builder
        result = builder.name()
        builder.effect(f"{result} = musttail {self._call(loop, '%F', given, callee)}")
        builder.leave(result)

    @contextmanager
    def _part(self, loop: Threaded, suffix: str, attributes: Attributes) -> Iterator[list[str]]:
        """Lower into a function of its own; its end is where `break` goes. What the list gets is
        printed before it."""
        kept = self.builder, self.defects, self.arithmetic, self.loaded
        outside = self.assigned, self.loops
        builder = self.builder = IRBuilder()
        self.defects = Defects(self.program, builder, self.scope.label, self.parameters)
        self.defects.has_called = True  # no caller checks anything
        narrow, self.arithmetic = self.arithmetic.is_narrow, Arithmetic(builder, self.defects)
        self.arithmetic.is_narrow = narrow
        self.loaded = set()
        self.assigned = self.assigned | set(loop.passed)
        end = builder.unlikely = builder.label()
        self.loops = [Loop("", end, stored_in(loop.node), is_while=True, is_threaded=True)]
        for name in loop.passed:
            parameter = Word(f"%p.{name}")
            self._assume(parameter, loop.ranges.get(name, FULL))
            builder.add_fact(name, parameter)
            if name in self.scope.assigned:
                builder.store_variable(name, parameter)
        before: list[str] = []
        try:
            yield before
            builder.position_at(end)
            if builder.reachable:
                for number, name in enumerate(loop.changed):
                    at = builder.pointer(f"getelementptr inbounds i8, ptr %F, i64 {8 * number}")
                    builder.effect(f"store i64 {builder.as_word(self.read(name))}, ptr {at}")
                builder.leave("0")
            types = ("ptr %S", "ptr %F", *(f"i64 %p.{name}" for name in loop.passed))
            made = Function(
                _symbol(loop.symbol + suffix),
                types,
                builder.finish(self.loaded),
                attributes=attributes,
                convention=TAIL_CALLED,
                before="".join(before),
            )
            self.parts.append(made)
        finally:
            self.builder, self.defects, self.arithmetic, self.loaded = kept
            self.assigned, self.loops = outside

    def _assume(self, parameter: Word, known: Range) -> None:
        """Assume in a part what is known where it is called."""
        self.builder.assume(parameter, known)
        if known[0] >= 0 and known[1] + 1 in SIGNED_64:
            fine = self.builder.flag(f"icmp ult i64 {parameter}, {known[1] + 1}")
            self.builder.effect(f"call void @llvm.assume(i1 {fine})")


def _symbol(name: str) -> str:
    return f'@"{name}"'


def _is_dispatch(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Subscript())):
            return True
    return False
