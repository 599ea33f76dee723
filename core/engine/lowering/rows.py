# SPDX-License-Identifier: Apache-2.0
"""Rows of the record and constant tables: addresses, bounds, loads and stores.

A row's place is known, so an access is the record's pointer plus a constant plus the checked index.
Each row has a TBAA tag of its own (an alias has its owner's), which tells LLVM that a store to one
row leaves the others as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tensix_gdb.core.engine.ir import TableAddress
from tensix_gdb.core.engine.lowering import ranges
from tensix_gdb.core.engine.lowering.defects import Defects
from tensix_gdb.core.engine.lowering.facts import Value, Word
from tensix_gdb.core.engine.lowering.ir_builder import IRBuilder
from tensix_gdb.core.engine.lowering.program import LIMITS, LLVM_TYPE, Program
from tensix_gdb.core.record.layout import SIZES, Slot, Tag


def bound(
    builder: IRBuilder, defects: Defects, node: ast.AST, index: Value, size: int, what: str
) -> str:
    """Return `index` as an operand that is certainly in range(size); 0 after a defect.

    The caller has checked an index that is known in advance.
    """
    operand = builder.as_word(index)
    if ranges.inside(builder.range_of(operand), size):
        return operand
    sentence = f"index {{value}} is outside {what}"
    if defects.push_to_caller(node, sentence, operand, size):
        return operand
    return builder.guarded_index(operand, size, defects.record(node, sentence, operand))


def describe(slot: Slot) -> str:
    """Name a row and its shape: `hart.x[5, 32]`."""
    return f"{slot.path}[{', '.join(map(str, slot.field.shape))}]"


def address(
    builder: IRBuilder, slot: Slot, indexes: Sequence[str], kept_at: int | None = None
) -> str:
    """Return the address of an element; every index is already in range. `kept_at` is where the
    row begins in the caller's block of memory, if it is there (program.py)."""
    base = "%S" if kept_at is None else "%K"
    if kept_at is not None and len(indexes) > 1:
        indexes = ["0", *indexes[1:]]
    size = SIZES[slot.field.kind]
    strides = []
    for length in reversed(slot.field.shape):
        strides.append(size)
        size *= length
    fixed = slot.offset if kept_at is None else kept_at
    moving: list[tuple[str, int]] = []
    for index, stride in zip(indexes, reversed(strides), strict=True):
        if index.startswith("%"):
            moving.append((index, stride))
        else:
            fixed += int(index) * stride
    at = base
    for index, stride in moving:
        at = builder.pointer(f"getelementptr inbounds [{stride} x i8], ptr {at}, i64 {index}")
    return builder.pointer(f"getelementptr inbounds i8, ptr {at}, i64 {fixed}")


def load(builder: IRBuilder, slot: Slot, at: str, tag: int) -> Word:
    """Load an element."""
    kind = LLVM_TYPE[slot.field.kind]
    if kind == "i64":
        return builder.word(f"load i64, ptr {at}, !tbaa !{tag}")
    raw = builder.pointer(f"load {kind}, ptr {at}, !tbaa !{tag}")
    return builder.word(f"zext {kind} {raw} to i64", (0, LIMITS[slot.field.kind]))


def store(
    builder: IRBuilder,
    defects: Defects,
    node: ast.AST,
    slot: Slot,
    at: str,
    value: Value,
    tag: int,
) -> None:
    """Store `value`; the checked build records one that does not fit the row."""
    kind = LLVM_TYPE[slot.field.kind]
    operand = builder.as_word(value)
    if kind == "i64":
        builder.effect(f"store i64 {operand}, ptr {at}, !tbaa !{tag}")
        return
    limit = LIMITS[slot.field.kind]
    if isinstance(value, int):
        builder.effect(f"store {kind} {int(value)}, ptr {at}, !tbaa !{tag}")
        return
    if defects.checked and not ranges.inside(builder.range_of(operand), limit + 1):
        fine = builder.flag(f"icmp ule i64 {operand}, {limit}")
        sentence = f"{{value}} does not fit {slot.path} ({slot.field.kind})"
        builder.guard(fine, defects.record(node, sentence, operand))
    small = builder.pointer(f"trunc i64 {operand} to {kind}")
    builder.effect(f"store {kind} {small}, ptr {at}, !tbaa !{tag}")


def stamp(builder: IRBuilder, program: Program, slot: Slot, at: str) -> None:
    """In the stamped build, note the cycle beside each byte that has just been stored at `at`: 1 +
    its low 32 bits. Only rows that software can see have stamps."""
    stamps, cycle = program.stamps, program.cycle
    if stamps is None or cycle is None or slot.field.tag is not Tag.ARCHITECTURAL:
        return
    size = SIZES[slot.field.kind]
    now = builder.word(f"load i64, ptr {_at(builder, cycle.offset)}, !tbaa !{program.tag(cycle)}")
    small = builder.pointer(f"trunc i64 {now} to i32")
    value = builder.pointer(f"add i32 {small}, 1")
    first = builder.word(f"ptrtoint ptr {at} to i64")
    base = builder.word("ptrtoint ptr %S to i64")
    offset = builder.word(f"sub i64 {first}, {base}")
    row = _at(builder, stamps.offset)
    place = builder.pointer(f"getelementptr inbounds i32, ptr {row}, i64 {offset}")
    tag = program.tag(stamps)
    for byte in range(size):
        to = builder.pointer(f"getelementptr inbounds i32, ptr {place}, i64 {byte}")
        builder.effect(f"store i32 {value}, ptr {to}, !tbaa !{tag}")


def _at(builder: IRBuilder, offset: int) -> str:
    return builder.pointer(f"getelementptr inbounds i8, ptr %S, i64 {offset}")


def load_constant(
    builder: IRBuilder, table: tuple[str, str], values: Sequence[int], index: str
) -> Word:
    """Load an element of a constant table, which `table` (name, element type) holds."""
    name, kind = table
    at = builder.name()
    place = f"getelementptr inbounds [{len(values)} x {kind}], ptr {name}, i64 0, i64 {index}"
    builder.add(TableAddress(f"{at} = {place}", name))
    known = min(values), max(values)
    if kind == "i64":
        return builder.word(f"load i64, ptr {at}, !invariant.load !0", known)
    raw = builder.pointer(f"load {kind}, ptr {at}, !invariant.load !0")
    return builder.word(f"zext {kind} {raw} to i64", known)
