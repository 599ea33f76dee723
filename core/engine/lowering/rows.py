# SPDX-License-Identifier: Apache-2.0
"""Rows of the record and constant tables: addresses, bounds, loads and stores.

A row's place is known, so an access is the record's pointer plus a constant plus the checked index.
Each row has a TBAA tag of its own (an alias has its owner's), which tells LLVM that a store to one
row leaves the others as they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from tensix_gdb.core.engine.lowering import ranges
from tensix_gdb.core.engine.lowering.arithmetic import Defects
from tensix_gdb.core.engine.lowering.ir_builder import Body, Value, Word
from tensix_gdb.core.record.layout import SIZES, Slot

LLVM_TYPE = {"u8": "i8", "u16": "i16", "u32": "i32", "i64": "i64"}
LIMITS = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}


def bound(body: Body, defects: Defects, node: ast.AST, index: Value, size: int, what: str) -> str:
    """`index` as an operand that is certainly in range(size); 0 after a defect.

    An index known in advance has been checked by the caller.
    """
    i = body.as_word(index)
    if ranges.inside(body.range_of(i), size):
        return i
    sentence = f"index {{value}} is outside {what}"
    if defects.expects(node, sentence, i, size):
        return i
    return guarded(body, i, size, defects.record(node, sentence, i))


def guarded(body: Body, index: str, size: int, cold: str) -> str:
    """`index` where it is in range(size); otherwise `cold` is run, and it is 0."""
    fine = body.flag(f"icmp ult i64 {index}, {size}")
    return body.guard(fine, cold, replace=(index, "0", (0, size - 1)))


def describe(slot: Slot) -> str:
    """`hart.x[5, 32]`"""
    return f"{slot.path}[{', '.join(map(str, slot.field.shape))}]"


def address(body: Body, slot: Slot, indexes: Sequence[str]) -> str:
    """Where the element is; every index is already in range."""
    size = SIZES[slot.field.kind]
    strides = []
    for length in reversed(slot.field.shape):
        strides.append(size)
        size *= length
    fixed = slot.offset
    moving: list[tuple[str, int]] = []
    for index, stride in zip(indexes, reversed(strides), strict=True):
        if index.startswith("%"):
            moving.append((index, stride))
        else:
            fixed += int(index) * stride
    at = body.pointer(f"getelementptr inbounds i8, ptr %S, i64 {fixed}")
    for index, stride in moving:
        at = body.pointer(f"getelementptr inbounds [{stride} x i8], ptr {at}, i64 {index}")
    return at


def load(body: Body, slot: Slot, at: str, tag: int) -> Word:
    kind = LLVM_TYPE[slot.field.kind]
    if kind == "i64":
        return body.word(f"load i64, ptr {at}, !tbaa !{tag}")
    raw = body.pointer(f"load {kind}, ptr {at}, !tbaa !{tag}")
    return body.word(f"zext {kind} {raw} to i64", (0, LIMITS[slot.field.kind]))


def store(
    body: Body, defects: Defects, node: ast.AST, slot: Slot, at: str, value: Value, tag: int
) -> None:
    """Store `value`; the checked build records one that does not fit the row."""
    kind = LLVM_TYPE[slot.field.kind]
    operand = body.as_word(value)
    if kind == "i64":
        body.line(f"store i64 {operand}, ptr {at}, !tbaa !{tag}")
        return
    limit = LIMITS[slot.field.kind]
    if isinstance(value, int):
        body.line(f"store {kind} {int(value)}, ptr {at}, !tbaa !{tag}")
        return
    if defects.checked and not ranges.inside(body.range_of(operand), limit + 1):
        fine = body.flag(f"icmp ule i64 {operand}, {limit}")
        sentence = f"{{value}} does not fit {slot.path} ({slot.field.kind})"
        body.guard(fine, defects.record(node, sentence, operand))
    small = body.pointer(f"trunc i64 {operand} to {kind}")
    body.line(f"store {kind} {small}, ptr {at}, !tbaa !{tag}")


class ConstantTables:
    """Module-level tuples of ints as private constants, one per distinct content."""

    def __init__(self) -> None:
        self.names: dict[tuple[int, ...], tuple[str, str]] = {}

    def add(self, values: tuple[int, ...]) -> tuple[str, str]:
        """(global name, element type) of the table with these values."""
        known = self.names.get(values)
        if known is None:
            low, high = min(values, default=0), max(values, default=0)
            kind = "i64"
            if low >= 0:
                kind = next(
                    (LLVM_TYPE[row] for row, limit in LIMITS.items() if high <= limit), "i64"
                )
            known = self.names[values] = (f"@table.{len(self.names)}", kind)
        return known

    def load(self, body: Body, values: tuple[int, ...], index: str) -> Word:
        name, kind = self.add(values)
        at = body.pointer(
            f"getelementptr inbounds [{len(values)} x {kind}], ptr {name}, i64 0, i64 {index}"
        )
        known = min(values), max(values)
        if kind == "i64":
            return body.word(f"load i64, ptr {at}, !invariant.load !0", known)
        raw = body.pointer(f"load {kind}, ptr {at}, !invariant.load !0")
        return body.word(f"zext {kind} {raw} to i64", known)

    def text(self, functions: str) -> str:
        """The tables that these functions use."""
        used = set(re.findall(r"@table\.\d+", functions))
        return "\n".join(
            f"{name} = private unnamed_addr constant [{len(values)} x {kind}]"
            f" [{', '.join(f'{kind} {value}' for value in values)}]"
            for values, (name, kind) in self.names.items()
            if name in used
        )
