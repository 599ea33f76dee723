# SPDX-License-Identifier: Apache-2.0
"""Calls by address and of other records, and memory outside the record (native.py)."""

from __future__ import annotations

import ast
import re
from typing import Any

from tensix_gdb.core.engine.lowering.calls import Calls
from tensix_gdb.core.engine.lowering.facts import Value, Word
from tensix_gdb.core.engine.native import (
    call_code,
    call_on,
    copy_bytes,
    fill_bytes,
    load_word,
    on,
    store_word,
)

# Memory outside the record, by address: what is written for each of the functions of native.py.
_MEMORY = {
    copy_bytes: "call void @llvm.memmove.p0.p0.i64(ptr {0}, ptr {1}, i64 {2}, i1 false)",
    fill_bytes: "call void @llvm.memset.p0.i64(ptr {0}, i8 {1}, i64 {2}, i1 false)",
    load_word: "load i64, ptr {0}",
    store_word: "store i64 {1}, ptr {0}",
}
_POINTERS = {copy_bytes: 2, fill_bytes: 1, load_word: 1, store_word: 1}  # arguments


class NativeCalls(Calls):
    """Lowers them."""

    def call(self, node: ast.Call, *, wanted: bool) -> Value:
        """Call; `wanted` if the result is used."""
        callee = None if isinstance(node.func, ast.Subscript) else self.scope.static(node.func)
        if callee is call_code:
            return self.call_address(node)
        if callee is on or callee is call_on:
            return self.call_of_other(node, callee is on, wanted=wanted)
        if callee in (copy_bytes, fill_bytes, load_word, store_word):
            return self.memory(node, callee)
        return super().call(node, wanted=wanted)

    def call_address(self, node: ast.Call) -> Word:
        """Write `call_code(S, code, a, b)`."""
        first, *given = node.args
        if not self.scope.is_record(first) or not given:
            raise self.scope.error(node, "call_code takes S, an address and integers")
        code, *operands = [self.word(argument) for argument in given]
        at = self.builder.pointer(f"inttoptr i64 {code} to ptr")
        name = Word(self.builder.name())
        types = ", ".join(["ptr %S", *(f"i64 {each}" for each in operands)])
        self.builder.effect(f"{name} = call i64 {at}({types})")
        self.defects.has_called = True
        return name

    def call_of_other(self, node: ast.Call, is_known: bool, *, wanted: bool) -> Word:
        """Write `on(record, function, a, b)` or `call_on(record, code, a, b)`."""
        if len(node.args) < 2 or self.program.kept:
            raise self.scope.error(node, "a call of another record takes it, a function, integers")
        record, callee, *given = node.args
        at = self.builder.pointer(f"inttoptr i64 {self.word(record)} to ptr")
        if not is_known:
            code = self.builder.pointer(f"inttoptr i64 {self.word(callee)} to ptr")
            types = ", ".join([f"ptr {at}", *(f"i64 {self.word(each)}" for each in given)])
            name = Word(self.builder.name())
            self.builder.effect(f"{name} = call i64 {code}({types})")
            self.defects.has_called = True
            return name
        target, bound = self.target(node, self.scope.static(callee), ast.unparse(callee))
        parameters = self.instances.parameters(target)
        if parameters[:1] != ["S"]:
            raise self.scope.error(node, f"{target.__name__} takes no record")
        arguments = self.in_order(node, target, self.written_out(given), parameters[1:])
        instance, operands = self.bind(node, target, bound, arguments)
        self.check_wanted(node, instance, wanted)
        operands = self.defects.checked_operands(instance.preconditions, operands)
        self.defects.has_called = True
        return self.emit_call(instance, operands, self.call_site(), record=at)

    def memory(self, node: ast.Call, callee: Any) -> Value:
        """Write an access to memory by its address."""
        pointers, form = _POINTERS[callee], _MEMORY[callee]
        operands = [str(self.word(each)) for each in node.args]
        if len(operands) != len(set(re.findall(r"{(\d)}", form))):
            raise self.scope.error(node, f"{callee.__name__} gets another number of arguments")
        for i in range(pointers):
            operands[i] = self.builder.pointer(f"inttoptr i64 {operands[i]} to ptr")
        if callee is fill_bytes:
            operands[1] = self.builder.pointer(f"trunc i64 {operands[1]} to i8")
        self.defects.has_called = True
        if callee is load_word:
            name = Word(self.builder.name())
            self.builder.effect(f"{name} = {form.format(*operands)}")
            return name
        self.builder.effect(form.format(*operands))
        return 0
