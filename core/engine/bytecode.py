# SPDX-License-Identifier: Apache-2.0
"""Bytecode of the machine's modules: the files in which Python keeps it, and comparing two pieces.

Patch releases of one Python share these files, but they compile differently: 3.11.7 lets a jump
lead past another jump where 3.11.2 jumps twice. So two pieces of code from one text may have
different bytes.
"""

from __future__ import annotations

import dis
import importlib.util
import marshal
from collections.abc import Mapping
from pathlib import Path
from types import CodeType

from tensix_gdb.core.dataclass import dataclass

_HEADER = 16  # magic number, flags, and either time and size of the source or its hash
_TIMED, _UNCHECKED = 0, 1  # flags: the source is known by its time and size; it is not looked at
_NOTHING = {"NOP", "NOT_TAKEN", "CACHE", "EXTENDED_ARG"}
_ALWAYS = {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"}
_ENDS = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"}


@dataclass(frozen=True, slots=True)
class Kept:
    """A file of bytecode, when it was written, and what it says about its source."""

    path: Path
    mtime_ns: int
    header: bytes
    code: CodeType

    def is_loaded(self, mtime_ns: int, size: int) -> bool:
        """True if Python takes this code for that of the source with this time and size."""
        told = (_TIMED, mtime_ns // 10**9 & 0xFFFFFFFF, size & 0xFFFFFFFF)
        flags = int.from_bytes(self.header[:4], "little")
        return flags == _UNCHECKED or self.header == b"".join(n.to_bytes(4, "little") for n in told)

    def is_of(self, mtime_ns: int, size: int) -> bool:
        """True if it is certain that this code was made from that source.

        The header has the time to the second only (PEP 552). So the file must be younger by more
        than that: a later edit of the source is then seen by the time that it has.
        """
        flags = int.from_bytes(self.header[:4], "little")
        return (
            flags == _TIMED
            and self.is_loaded(mtime_ns, size)
            and self.mtime_ns >= mtime_ns + 2 * 10**9
        )


def bytecode_file(path: str) -> Kept | None:
    """Return Python's bytecode file for the source at `path`; None if it could not load one."""
    try:
        file = Path(importlib.util.cache_from_source(path))
        mtime_ns, content = file.stat().st_mtime_ns, file.read_bytes()
        magic = importlib.util.MAGIC_NUMBER
        code = marshal.loads(content[_HEADER:]) if content.startswith(magic) else None
    except (OSError, NotImplementedError, ValueError, EOFError, TypeError):
        return None
    if not isinstance(code, CodeType):
        return None
    return Kept(file, mtime_ns, content[len(magic) : _HEADER], code)


def same_program(first: CodeType, second: CodeType) -> bool:
    """True if two functions of the subset do the same, however the compiler has laid them out.

    Follow both from their beginnings: each instruction must have its equal in the other one, and
    so must all that may come after it. Jumps that are always taken are only a way to get there.
    """
    if _signature(first) != _signature(second):
        return False
    left, right = _instructions(first), _instructions(second)
    open_pairs, seen = [(0, 0)], set[tuple[int, int]]()
    while open_pairs:
        a, b = (_arrive(*way) for way in zip((left, right), open_pairs.pop(), strict=True))
        if (a, b) in seen:
            continue
        seen.add((a, b))
        if (a in left) != (b in right):
            return False
        if a in left:
            if not _same(left[a], right[b]):
                return False
            open_pairs += zip(left[a].next, right[b].next, strict=True)
    return True


def functions_of(code: CodeType) -> dict[tuple[str, int], CodeType]:
    """Return the functions at the top level of a module, by name and first line."""
    return {(c.co_name, c.co_firstlineno): c for c in code.co_consts if isinstance(c, CodeType)}


@dataclass(frozen=True, slots=True)
class _Instruction:
    name: str
    operand: object
    jumps: bool  # always, and does nothing else
    next: tuple[int, ...]


def _instructions(code: CodeType) -> dict[int, _Instruction]:
    """Return the instructions by offset, each with the offsets that may come after it."""
    instructions: dict[int, _Instruction] = {}
    listed = list(dis.get_instructions(code))
    after = [*(each.offset for each in listed[1:]), len(code.co_code)]
    for each, following in zip(listed, after, strict=True):
        ways = [following]
        operand: object = each.argrepr or each.arg
        if each.opname in _ALWAYS | _ENDS:
            ways = []
        if each.opcode in dis.hasjrel or each.opcode in dis.hasjabs:
            ways, operand = [*ways, each.argval], None
        elif isinstance(each.argval, CodeType):
            operand = each.argval
        instructions[each.offset] = _Instruction(
            each.opname.replace("_FORWARD", "").replace("_BACKWARD", ""),
            operand,
            each.opname in _ALWAYS | _NOTHING,
            tuple(ways),
        )
    return instructions


def _arrive(code: Mapping[int, _Instruction], at: int) -> int:
    """Return the offset of the first instruction from `at` on that does something; -1 in a loop of
    nothing."""
    visited = set[int]()
    while at in code and code[at].jumps:
        if at in visited:
            return -1
        visited.add(at)
        (at,) = code[at].next
    return at


def _same(left: _Instruction, right: _Instruction) -> bool:
    if left.name != right.name or len(left.next) != len(right.next):
        return False
    if isinstance(left.operand, CodeType) and isinstance(right.operand, CodeType):
        return same_program(left.operand, right.operand)
    return left.operand == right.operand


def _signature(code: CodeType) -> tuple[object, ...]:
    """Return the parts of a function that a caller sees, and its variables by their numbers."""
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    names = (code.co_varnames, code.co_cellvars, code.co_freevars)
    return (code.co_name, code.co_flags, counts, names)
