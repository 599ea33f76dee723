# SPDX-License-Identifier: Apache-2.0
"""Code by the name of a function: its own, and where it was inlined.

With link-time optimization the main function of a kernel has no code of its own, and no symbol: it
is in its caller.
"""

from __future__ import annotations

from pathlib import PurePath

from tensix_gdb.core.dwarf.blocks import CodeBlock
from tensix_gdb.core.dwarf.info import DebugInfo


def called(info: DebugInfo, text: str) -> list[CodeBlock]:
    """Return the code of `NAME` or `FILE:NAME`, where FILE is the one that declares it, or the end
    of its path."""
    file, _, name = text.rpartition(":") if "::" not in text else ("", "", text)
    name = name.rpartition("::")[2]
    found = [block for block in (*info.functions, *info.inlined(name)) if block.name == name]
    wanted = PurePath(file).parts
    if wanted:
        found = [
            block
            for block in found
            if PurePath(info.declared(block)[1]).parts[-len(wanted) :] == wanted
        ]
    return sorted(found, key=lambda block: block.low)


def called_at(info: DebugInfo, file: str, line: int) -> list[CodeBlock]:
    """Return what was inlined at a line; `file` may be the end of a path."""
    wanted = PurePath(file).parts
    found = [
        block
        for block in info.all_inlined()
        if block.call_line == line and PurePath(block.call_file).parts[-len(wanted) :] == wanted
    ]
    return sorted(found, key=lambda block: block.low)


def entries(info: DebugInfo, text: str) -> list[int]:
    """Return where the code of `NAME` or `FILE:NAME` begins: after the prologue of a function, at
    the first line of one that was inlined."""
    return [
        block.low if block.inlined else info.after_prologue(block) for block in called(info, text)
    ]


def line_entries(info: DebugInfo, file: str, line: int) -> tuple[int, list[int]]:
    """Return where `file:line` begins, once in each function, and which line that is, as
    `DebugInfo.addresses`; of a line that has only what was inlined there, where that begins."""
    actual, addresses = info.addresses(file, line)
    if actual == line:
        return actual, addresses
    firsts: dict[int, int] = {}
    for block in called_at(info, file, line):
        function = info.function_at(block.low)
        firsts.setdefault(function.low if function else block.low, block.low)
    return (line, sorted(firsts.values())) if firsts else (actual, addresses)
