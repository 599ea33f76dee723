# SPDX-License-Identifier: Apache-2.0
"""Loops of the subset: `while`, `for` over range, and `for` over lanes, which LLVM is to turn into
vectors."""

from __future__ import annotations

import ast

from tensix_gdb.core.engine.dependencies import look_up
from tensix_gdb.core.engine.lowering.facts import Value
from tensix_gdb.core.engine.lowering.native_calls import NativeCalls
from tensix_gdb.core.engine.lowering.program import Unrolling
from tensix_gdb.core.engine.lowering.ranges import SIGNED_64
from tensix_gdb.core.engine.lowering.tree import contains_lanes, is_over_lanes, stored_in
from tensix_gdb.core.engine.lowering.visitor import Loop


class Loops(NativeCalls):
    """Lowers loops."""

    def visit_Break(self, node: ast.Break) -> None:
        self.loops[-1].breaks.append(self.assigned)
        self.builder.jump(self.loops[-1].end)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.builder.jump(self.loops[-1].again)

    def visit_While(self, node: ast.While) -> None:
        if self.scope.fold(node.test) == 0:
            return
        builder = self.builder
        head, inside, end = builder.label(), builder.label(), builder.label()
        before = self.assigned
        loop = Loop(head, end, stored_in(node), is_while=True)
        self.loops.append(loop)
        # The condition is written first, before anything is known about the body's assignments,
        # so it sees only what had a value before the loop.
        builder.position_at_head(head, loop.stores)
        self.branch(node.test, inside, end)
        ends_by_test = builder.has_edge(end)
        builder.position_at(inside)
        self.body(loop, node)
        builder.jump(head, self.metadata(node))
        self.after(loop, before if ends_by_test else None)

    def visit_For(self, node: ast.For) -> None:
        """The variable takes the range's values one by one; assigning to it does not change
        what comes next, and after the loop it keeps the last value, as in Python."""
        assert isinstance(node.iter, ast.Call)
        assert isinstance(node.target, ast.Name)
        values = [self.value(argument) for argument in node.iter.args]
        start: Value = 0 if len(values) == 1 else values[0]
        stop = values[0] if len(values) == 1 else values[1]
        step = values[2] if len(values) == 3 else 1
        if not isinstance(step, int) or step == 0:
            raise self.scope.error(node.iter, "the step of a range is a constant other than 0")
        builder = self.builder
        first, last = builder.as_word(start), builder.as_word(stop)
        a, b = builder.range_of(first), builder.range_of(last)
        within = (a[0], b[1] - 1) if step > 0 else (b[0] + 1, a[1])
        fits = within[0] + step in SIGNED_64 and within[1] + step in SIGNED_64
        trips = None if fits else builder.allocate("trips")
        counter = builder.allocate("next")
        builder.effect(f"store i64 {first}, ptr {counter}")
        if trips is not None:
            builder.effect(f"store i64 {self.trip_count(first, last, int(step))}, ptr {trips}")
        head, inside, again, end = (builder.label() for _ in range(4))
        before = self.assigned
        loop = Loop(again, end, stored_in(node), is_over_lanes=is_over_lanes(node))
        self.loops.append(loop)
        builder.position_at_head(head, loop.stores)
        now = builder.word(f"load i64, ptr {counter}", within)
        if trips is None:
            order = "slt" if step > 0 else "sgt"
            builder.branch(builder.flag(f"icmp {order} i64 {now}, {last}"), inside, end)
            builder.position_at(inside)
        else:
            left = builder.word(f"load i64, ptr {trips}")
            builder.branch(builder.flag(f"icmp ne i64 {left}, 0"), inside, end)
            builder.position_at(inside)
            builder.effect(f"store i64 {builder.word(f'sub i64 {left}, 1')}, ptr {trips}")
        self.write(node.target, node.target.id, now)
        builder.effect(f"store i64 {builder.word(f'add i64 {now}, {int(step)}')}, ptr {counter}")
        self.body(loop, node)
        builder.jump(again)
        builder.position_at(again)
        builder.jump(head, self.metadata(node))
        self.after(loop, before)

    def body(self, loop: Loop, node: ast.For | ast.While) -> None:
        """Lower the body of a loop."""
        loop.in_body = True
        self.block(node.body)

    def after(self, loop: Loop, by_test: frozenset[str] | None) -> None:
        """Continue after a loop; `by_test` is what has a value where its condition ends it."""
        self.loops.pop()
        self.builder.position_at(loop.end)
        ways = loop.breaks if by_test is None else [by_test, *loop.breaks]
        self.assigned = frozenset.intersection(*ways) if ways else frozenset()

    def metadata(self, node: ast.For | ast.While) -> str:
        """Say what LLVM may do with the loop, for the jump at the end of its body.

        A loop over lanes becomes vectors, no other does. It is not unrolled before that; then it
        may be (program.py). A loop around it is not, which would only make it long. One in it is,
        whatever its length, because LLVM makes vectors of innermost loops only.
        """
        vectorised = is_over_lanes(node)
        if is_over_lanes(node) and look_up(self.scope.function.__globals__, "lanes") is not range:
            raise self.scope.error(node.iter, "lanes is not that of core/engine/lanes.py")
        unrolling = Unrolling.NEVER if contains_lanes(node) else Unrolling.FREE
        if any(loop.is_over_lanes for loop in self.loops[:-1]):
            unrolling = Unrolling.WHOLE
        return self.program.loop(vectorised=vectorised, unrolling=unrolling)

    def trip_count(self, first: str, last: str, step: int) -> str:
        """Return how often the body runs, as an unsigned 64-bit number: it cannot overflow, as the
        number after the last one can."""
        builder = self.builder
        low, high = (first, last) if step > 0 else (last, first)
        some = builder.flag(f"icmp slt i64 {low}, {high}")
        distance = builder.word(f"sub i64 {high}, {low}")
        if abs(step) > 1:
            less = builder.word(f"sub i64 {distance}, 1")
            quotient = builder.word(f"udiv i64 {less}, {abs(step)}")
            distance = builder.word(f"add i64 {quotient}, 1")
        return builder.word(f"select i1 {some}, i64 {distance}, i64 0")
