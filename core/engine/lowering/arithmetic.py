# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on i64 with the subset's rules, and the same rules on numbers known in advance.

Both builds: // and % floor; >> takes any count ≥ 0; division by zero and negative shift counts are
defects with the result 0. The checked build also records whatever leaves signed 64 bits; the other
build wraps around, and << by 64 or more gives 0.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Protocol

from tensix_gdb.core.engine.lowering import ranges
from tensix_gdb.core.engine.lowering.ir_builder import Body, Flag, Value, Word

FOLD: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
COMPARE: dict[type[ast.AST], tuple[str, Callable[[int, int], bool]]] = {
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
    ast.Lt: ("slt", operator.lt),
    ast.LtE: ("sle", operator.le),
    ast.Gt: ("sgt", operator.gt),
    ast.GtE: ("sge", operator.ge),
}
_OVERFLOWING: dict[type[ast.AST], str] = {ast.Add: "sadd", ast.Sub: "ssub", ast.Mult: "smul"}
_PLAIN: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_SIGNS: dict[type[ast.AST], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


class Defects(Protocol):
    """How an instruction that records a defect is spelled (see function.py)."""

    checked: bool

    def record(self, node: ast.AST, sentence: str, value: str) -> str: ...

    def expects(self, node: ast.AST, sentence: str, value: str, size: int) -> bool: ...


class Arithmetic:
    """Writes operations into one body."""

    def __init__(self, body: Body, defects: Defects) -> None:
        self.body = body
        self.defects = defects

    def binary(self, node: ast.AST, op: type[ast.AST], left: Value, right: Value) -> Value:
        """`left op right`; `node` is where to report a defect."""
        if op in (ast.BitAnd, ast.BitOr, ast.BitXor) and _is_flag(left) and _is_flag(right):
            a, b = self.body.as_flag(left), self.body.as_flag(right)
            return self.body.flag(f"{_PLAIN[op]} i1 {a}, {b}")
        a = self.body.as_word(left)
        if op in (ast.FloorDiv, ast.Mod) and isinstance(right, int) and right > 0:
            return self.divide_by_constant(op, a, int(right))
        b = self.body.as_word(right)
        if op is ast.FloorDiv or op is ast.Mod:
            return self.divide(node, op, a, b)
        if op is ast.LShift:
            return self.shift_left(node, a, b)
        if op is ast.RShift:
            return self.shift_right(node, a, b)
        known = self.range(op, a, b)
        if op in _OVERFLOWING and self.defects.checked and known is ranges.FULL:
            return self.overflowing(node, _OVERFLOWING[op], _SIGNS[op], a, b)
        return self.body.word(f"{_PLAIN[op]} i64 {a}, {b}", known)

    def range(self, op: type[ast.AST], a: str, b: str) -> ranges.Range:
        """Of the result."""
        return ranges.of_binary(op, self.body.range_of(a), self.body.range_of(b))

    def overflowing(self, node: ast.AST, name: str, sign: str, a: str, b: str) -> Word:
        body = self.body
        pair = body.pointer(f"call {{i64, i1}} @llvm.{name}.with.overflow.i64(i64 {a}, i64 {b})")
        over = body.flag(f"extractvalue {{i64, i1}} {pair}, 1")
        fine = body.flag(f"xor i1 {over}, true")
        sentence = f"`{sign}` of {{value}} and another value leaves signed 64 bits"
        body.guard(fine, self.defects.record(node, sentence, a))
        return body.word(f"extractvalue {{i64, i1}} {pair}, 0")

    def negate(self, node: ast.AST, value: Value) -> Word:
        a = self.body.as_word(value)
        if self.defects.checked and self.range(ast.Sub, "0", a) is ranges.FULL:
            return self.overflowing(node, "ssub", "-", "0", a)
        return self.body.word(f"sub i64 0, {a}", self.range(ast.Sub, "0", a))

    def absolute(self, node: ast.AST, value: Value) -> Word:
        a = self.body.as_word(value)
        low, high = self.body.range_of(a)
        if low >= 0:
            return Word(a)
        if self.defects.checked and low == ranges.FULL[0]:
            fine = self.body.flag(f"icmp ne i64 {a}, {-(1 << 63)}")
            sentence = "abs of {value} leaves signed 64 bits"
            self.body.guard(fine, self.defects.record(node, sentence, a))
        known = ranges.fits(0, max(-low, high))
        return self.body.word(f"call i64 @llvm.abs.i64(i64 {a}, i1 false)", known)

    def bit_length(self, node: ast.AST, value: Value) -> Word:
        """Bits of the magnitude, as Python counts them."""
        magnitude = self.body.as_word(value)
        if self.body.range_of(magnitude)[0] < 0:
            magnitude = self.body.word(f"call i64 @llvm.abs.i64(i64 {magnitude}, i1 false)")
        zeros = self.body.word(f"call i64 @llvm.ctlz.i64(i64 {magnitude}, i1 false)")
        return self.body.word(f"sub i64 64, {zeros}", (0, 64))

    # -- shifts
    def count(self, node: ast.AST, b: str) -> str:
        """A shift count that is not negative."""
        if self.body.range_of(b)[0] >= 0:
            return b
        fine = self.body.flag(f"icmp sge i64 {b}, 0")
        cold = self.defects.record(node, "shift count {value} is negative", b)
        return self.body.guard(fine, cold, replace=(b, "0", (0, ranges.FULL[1])))

    def shift_right(self, node: ast.AST, a: str, b: str) -> Word:
        n = self.count(node, b)
        known = self.range(ast.RShift, a, n)
        if self.body.range_of(n)[1] > 63:
            n = self.body.word(f"call i64 @llvm.umin.i64(i64 {n}, i64 63)")
        return self.body.word(f"ashr i64 {a}, {n}", known)

    def shift_left(self, node: ast.AST, a: str, b: str) -> Word:
        body = self.body
        n = self.count(node, b)
        known = self.range(ast.LShift, a, n)
        if body.range_of(n)[1] < 64:
            result = body.word(f"shl i64 {a}, {n}", known)
        else:
            small = body.flag(f"icmp ult i64 {n}, 64")
            n = body.word(f"and i64 {n}, 63")
            shifted = body.word(f"shl i64 {a}, {n}")
            result = body.word(f"select i1 {small}, i64 {shifted}, i64 0")
        if self.defects.checked and known is ranges.FULL:
            undone = body.word(f"ashr i64 {result}, {n}")
            fine = body.flag(f"icmp eq i64 {undone}, {a}")
            sentence = "`<<` of {value} leaves signed 64 bits"
            body.guard(fine, self.defects.record(node, sentence, a))
        return result

    # -- division
    def divide_by_constant(self, op: type[ast.AST], a: str, b: int) -> Word:
        body = self.body
        known = self.range(op, a, str(b))
        if b & (b - 1) == 0:
            if op is ast.Mod:
                return body.word(f"and i64 {a}, {b - 1}", known)
            return body.word(f"ashr i64 {a}, {b.bit_length() - 1}", known)
        if body.range_of(a)[0] >= 0:
            return body.word(f"{'urem' if op is ast.Mod else 'udiv'} i64 {a}, {b}", known)
        rest = body.word(f"srem i64 {a}, {b}")
        sign = body.word(f"ashr i64 {rest}, 63")
        if op is ast.Mod:
            return body.word(f"add i64 {rest}, {body.word(f'and i64 {sign}, {b}')}", known)
        return body.word(f"add i64 {body.word(f'sdiv i64 {a}, {b}')}, {sign}", known)

    def divide(self, node: ast.AST, op: type[ast.AST], a: str, b: str) -> Word:
        """By a value: 0 is a defect, and -1 does not go to the processor's division, which traps
        on the smallest number."""
        body = self.body
        if body.range_of(a)[0] >= 0 and body.range_of(b)[0] > 0:
            name = "urem" if op is ast.Mod else "udiv"
            return body.word(f"{name} i64 {a}, {b}", self.range(op, a, b))
        zero = body.flag(f"icmp eq i64 {b}, 0")
        nonzero = body.flag(f"xor i1 {zero}, true")
        body.guard(nonzero, self.defects.record(node, "division by zero", a))
        if self.defects.checked and op is ast.FloorDiv:
            least = body.flag(f"icmp ne i64 {a}, {-(1 << 63)}")
            other = body.flag(f"icmp ne i64 {b}, -1")
            fine = body.flag(f"or i1 {least}, {other}")
            sentence = "`//` of {value} by -1 leaves signed 64 bits"
            body.guard(fine, self.defects.record(node, sentence, a))
        minus = body.flag(f"icmp eq i64 {b}, -1")
        special = body.flag(f"or i1 {zero}, {minus}")
        divisor = body.word(f"select i1 {special}, i64 1, i64 {b}")
        rest = body.word(f"srem i64 {a}, {divisor}")
        inexact = body.flag(f"icmp ne i64 {rest}, 0")
        signs = body.word(f"xor i64 {rest}, {divisor}")
        opposite = body.flag(f"icmp slt i64 {signs}, 0")
        adjust = body.flag(f"and i1 {inexact}, {opposite}")
        if op is ast.Mod:
            add = body.word(f"select i1 {adjust}, i64 {divisor}, i64 0")
            return body.word(f"add i64 {rest}, {add}")
        quotient = body.word(f"sdiv i64 {a}, {divisor}")
        floored = body.word(f"add i64 {quotient}, {body.word(f'sext i1 {adjust} to i64')}")
        negated = body.word(f"sub i64 0, {a}")
        signed = body.word(f"select i1 {minus}, i64 {negated}, i64 {floored}")
        return body.word(f"select i1 {zero}, i64 0, i64 {signed}")


def _is_flag(value: Value) -> bool:
    return isinstance(value, Flag | bool)
