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

from tensix_gdb.core.engine.lowering import ranges
from tensix_gdb.core.engine.lowering.defects import Defects
from tensix_gdb.core.engine.lowering.facts import Flag, Value, Word
from tensix_gdb.core.engine.lowering.ir_builder import IRBuilder

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
# Where an i32 has them: the module says `NARROW = True`, and LLVM drops what converts in between.
_SMALL = range(-(1 << 31), 1 << 31)
_SIGNS: dict[type[ast.AST], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


class Arithmetic:
    """Writes operations into one builder."""

    def __init__(self, builder: IRBuilder, defects: Defects) -> None:
        self.builder = builder
        self.defects = defects
        self.is_narrow = False
        self._shifted: dict[str, tuple[str, str]] = {}  # of `<<`: what, and by less than 32

    def binary(self, node: ast.AST, op: type[ast.AST], left: Value, right: Value) -> Value:
        """Write `left op right`; `node` is where to report a defect."""
        if op in (ast.BitAnd, ast.BitOr, ast.BitXor) and _is_flag(left) and _is_flag(right):
            a, b = self.builder.as_flag(left), self.builder.as_flag(right)
            return self.builder.flag(f"{_PLAIN[op]} i1 {a}, {b}")
        a = self.builder.as_word(left)
        if op in (ast.FloorDiv, ast.Mod) and isinstance(right, int) and right > 0:
            return self.divide_by_constant(op, a, int(right))
        b = self.builder.as_word(right)
        if op is ast.FloorDiv or op is ast.Mod:
            return self.divide(node, op, a, b)
        if op is ast.LShift:
            return self.shift_left(node, a, b)
        if op is ast.RShift:
            return self.shift_right(node, a, b)
        known = self.range(op, a, b)
        if op is ast.BitAnd and self.is_narrow and self.masks(a, b):
            if a in self._shifted:
                value, count = self._shifted[a]
                a = self.widened(f"shl i32 {self.small(value)}, {self.small(count)}", ranges.FULL)
            return self.widened(f"and i32 {self.small(a)}, {self.small(b)}", known)
        if op in _OVERFLOWING and self.defects.checked and known is ranges.FULL:
            return self.overflowing(node, _OVERFLOWING[op], _SIGNS[op], a, b)
        return self.written(_PLAIN[op], a, b, known)

    def written(self, name: str, a: str, b: str, known: ranges.Range) -> Word:
        """Write an operation of two operands with a result of this range."""
        if self.is_narrow and known[0] in _SMALL and known[1] in _SMALL and self.are_small(a, b):
            return self.widened(f"{name} i32 {self.small(a)}, {self.small(b)}", known)
        return self.builder.word(f"{name} i64 {a}, {b}", known)

    def are_small(self, *words: str) -> bool:
        """True if an i32 has all of these."""
        found = [self.builder.range_of(each) for each in words]
        return all(low in _SMALL and high in _SMALL for low, high in found)

    def masks(self, a: str, b: str) -> bool:
        """True if one of these has no bits that an i32 has not."""
        found = self.builder.range_of(a), self.builder.range_of(b)
        return any(low >= 0 and high in _SMALL for low, high in found)

    def small(self, word: str) -> str:
        """Return an i64 as i32."""
        if word[0] == "%":
            return self.builder.pointer(f"trunc i64 {word} to i32")
        return str((int(word) & 0xFFFFFFFF ^ 1 << 31) - (1 << 31))

    def widened(self, text: str, known: ranges.Range) -> Word:
        """Write an instruction that makes an i32; its result as i64."""
        return self.builder.word(f"sext i32 {self.builder.pointer(text)} to i64", known)

    def selected(self, flag: str, yes: str, no: str, known: ranges.Range) -> Word:
        """Write a choice."""
        if self.is_narrow and self.are_small(yes, no):
            return self.widened(
                f"select i1 {flag}, i32 {self.small(yes)}, i32 {self.small(no)}", known
            )
        return self.builder.word(f"select i1 {flag}, i64 {yes}, i64 {no}", known)

    def chosen(self, name: str, a: str, b: str, known: ranges.Range) -> Word:
        """Write `smin` or `smax`."""
        if self.is_narrow and self.are_small(a, b):
            text = f"call i32 @llvm.{name}.i32(i32 {self.small(a)}, i32 {self.small(b)})"
            return self.widened(text, known)
        return self.builder.word(f"call i64 @llvm.{name}.i64(i64 {a}, i64 {b})", known)

    def range(self, op: type[ast.AST], a: str, b: str) -> ranges.Range:
        """Return the range of the result."""
        return ranges.of_binary(op, self.builder.range_of(a), self.builder.range_of(b))

    def overflowing(self, node: ast.AST, name: str, sign: str, a: str, b: str) -> Word:
        builder = self.builder
        pair = builder.pointer(f"call {{i64, i1}} @llvm.{name}.with.overflow.i64(i64 {a}, i64 {b})")
        over = builder.flag(f"extractvalue {{i64, i1}} {pair}, 1")
        fine = builder.flag(f"xor i1 {over}, true")
        sentence = f"`{sign}` of {{value}} and another value leaves signed 64 bits"
        builder.guard(fine, self.defects.record(node, sentence, a))
        return builder.word(f"extractvalue {{i64, i1}} {pair}, 0")

    def negate(self, node: ast.AST, value: Value) -> Word:
        a = self.builder.as_word(value)
        if self.defects.checked and self.range(ast.Sub, "0", a) is ranges.FULL:
            return self.overflowing(node, "ssub", "-", "0", a)
        return self.written("sub", "0", a, self.range(ast.Sub, "0", a))

    def absolute(self, node: ast.AST, value: Value) -> Word:
        a = self.builder.as_word(value)
        low, high = self.builder.range_of(a)
        if low >= 0:
            return Word(a)
        if self.defects.checked and low == ranges.FULL[0]:
            fine = self.builder.flag(f"icmp ne i64 {a}, {-(1 << 63)}")
            sentence = "abs of {value} leaves signed 64 bits"
            self.builder.guard(fine, self.defects.record(node, sentence, a))
        known = ranges.fits(0, max(-low, high))
        if self.is_narrow and known[1] in _SMALL:
            return self.widened(f"call i32 @llvm.abs.i32(i32 {self.small(a)}, i1 false)", known)
        return self.builder.word(f"call i64 @llvm.abs.i64(i64 {a}, i1 false)", known)

    def bit_length(self, node: ast.AST, value: Value) -> Word:
        """Count the bits of the magnitude, as Python does."""
        magnitude = self.builder.as_word(value)
        if self.builder.range_of(magnitude)[0] < 0:
            magnitude = self.builder.word(f"call i64 @llvm.abs.i64(i64 {magnitude}, i1 false)")
        if self.is_narrow and self.are_small(magnitude):
            text = f"call i32 @llvm.ctlz.i32(i32 {self.small(magnitude)}, i1 false)"
            most = self.builder.range_of(magnitude)[1].bit_length()
            return self.written("sub", "32", self.widened(text, (0, 32)), (0, most))
        zeros = self.builder.word(f"call i64 @llvm.ctlz.i64(i64 {magnitude}, i1 false)")
        return self.builder.word(f"sub i64 64, {zeros}", (0, 64))

    # -- shifts
    def count(self, node: ast.AST, b: str) -> str:
        """Return a shift count that is not negative."""
        if self.builder.range_of(b)[0] >= 0:
            return b
        fine = self.builder.flag(f"icmp sge i64 {b}, 0")
        cold = self.defects.record(node, "shift count {value} is negative", b)
        return self.builder.guarded(fine, cold, b, (0, ranges.FULL[1]))

    def shift_right(self, node: ast.AST, a: str, b: str) -> Word:
        n = self.count(node, b)
        known = self.range(ast.RShift, a, n)
        if self.is_narrow and self.builder.range_of(n)[1] < 32:
            return self.written("ashr", a, n, known)
        if self.builder.range_of(n)[1] > 63:
            n = self.builder.word(f"call i64 @llvm.umin.i64(i64 {n}, i64 63)")
        return self.builder.word(f"ashr i64 {a}, {n}", known)

    def shift_left(self, node: ast.AST, a: str, b: str) -> Word:
        builder = self.builder
        n = self.count(node, b)
        known = self.range(ast.LShift, a, n)
        if self.is_narrow and builder.range_of(n)[1] < 32:
            result = self.written("shl", a, n, known)
            self._shifted[result] = a, n
        elif builder.range_of(n)[1] < 64:
            result = builder.word(f"shl i64 {a}, {n}", known)
        else:
            small = builder.flag(f"icmp ult i64 {n}, 64")
            n = builder.word(f"and i64 {n}, 63")
            shifted = builder.word(f"shl i64 {a}, {n}")
            result = builder.word(f"select i1 {small}, i64 {shifted}, i64 0")
        if self.defects.checked and known is ranges.FULL:
            undone = builder.word(f"ashr i64 {result}, {n}")
            fine = builder.flag(f"icmp eq i64 {undone}, {a}")
            sentence = "`<<` of {value} leaves signed 64 bits"
            builder.guard(fine, self.defects.record(node, sentence, a))
        return result

    # -- division
    def divide_by_constant(self, op: type[ast.AST], a: str, b: int) -> Word:
        builder = self.builder
        known = self.range(op, a, str(b))
        if b & (b - 1) == 0:
            if op is ast.Mod:
                return builder.word(f"and i64 {a}, {b - 1}", known)
            return builder.word(f"ashr i64 {a}, {b.bit_length() - 1}", known)
        if builder.range_of(a)[0] >= 0:
            return builder.word(f"{'urem' if op is ast.Mod else 'udiv'} i64 {a}, {b}", known)
        rest = builder.word(f"srem i64 {a}, {b}")
        sign = builder.word(f"ashr i64 {rest}, 63")
        if op is ast.Mod:
            return builder.word(f"add i64 {rest}, {builder.word(f'and i64 {sign}, {b}')}", known)
        return builder.word(f"add i64 {builder.word(f'sdiv i64 {a}, {b}')}, {sign}", known)

    def divide(self, node: ast.AST, op: type[ast.AST], a: str, b: str) -> Word:
        """Divide by a value: 0 is a defect, and -1 does not go to the processor's division, which
        traps on the smallest number."""
        builder = self.builder
        if builder.range_of(a)[0] >= 0 and builder.range_of(b)[0] > 0:
            name = "urem" if op is ast.Mod else "udiv"
            return builder.word(f"{name} i64 {a}, {b}", self.range(op, a, b))
        zero = builder.flag(f"icmp eq i64 {b}, 0")
        nonzero = builder.flag(f"xor i1 {zero}, true")
        builder.guard(nonzero, self.defects.record(node, "division by zero", a))
        if self.defects.checked and op is ast.FloorDiv:
            least = builder.flag(f"icmp ne i64 {a}, {-(1 << 63)}")
            other = builder.flag(f"icmp ne i64 {b}, -1")
            fine = builder.flag(f"or i1 {least}, {other}")
            sentence = "`//` of {value} by -1 leaves signed 64 bits"
            builder.guard(fine, self.defects.record(node, sentence, a))
        minus = builder.flag(f"icmp eq i64 {b}, -1")
        special = builder.flag(f"or i1 {zero}, {minus}")
        divisor = builder.word(f"select i1 {special}, i64 1, i64 {b}")
        rest = builder.word(f"srem i64 {a}, {divisor}")
        inexact = builder.flag(f"icmp ne i64 {rest}, 0")
        signs = builder.word(f"xor i64 {rest}, {divisor}")
        opposite = builder.flag(f"icmp slt i64 {signs}, 0")
        adjust = builder.flag(f"and i1 {inexact}, {opposite}")
        if op is ast.Mod:
            add = builder.word(f"select i1 {adjust}, i64 {divisor}, i64 0")
            return builder.word(f"add i64 {rest}, {add}")
        quotient = builder.word(f"sdiv i64 {a}, {divisor}")
        floored = builder.word(f"add i64 {quotient}, {builder.word(f'sext i1 {adjust} to i64')}")
        negated = builder.word(f"sub i64 0, {a}")
        signed = builder.word(f"select i1 {minus}, i64 {negated}, i64 {floored}")
        return builder.word(f"select i1 {zero}, i64 0, i64 {signed}")


def _is_flag(value: Value) -> bool:
    return isinstance(value, Flag | bool)
