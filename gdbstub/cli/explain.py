# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb explain` and `tensix-gdb isa`."""

from __future__ import annotations

import argparse
import fnmatch

from tensix_gdb.core.explain.instruction.any_machine import ExplainError, explain
from tensix_gdb.core.explain.instruction.table import facts_of, table
from tensix_gdb.core.isa.architecture import DIALECTS
from tensix_gdb.core.isa.expression import number_of
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.gdbstub.usage import UsageError


def explain_command(arguments: argparse.Namespace) -> int:
    """`tensix-gdb explain`."""
    if arguments.config:
        return _configuration(arguments)
    try:
        explanation = explain(" ".join(arguments.instruction), arguments.arch or "")
    except ExplainError as problem:
        raise UsageError(str(problem)) from None
    print(_json(explanation.as_json()) if arguments.json else explanation.show().rstrip("\n"))
    return 0


def _configuration(arguments: argparse.Namespace) -> int:
    """`tensix-gdb explain --config`."""
    from tensix_gdb.core.tiles.configuration.text import as_json, overview, setup_named, show
    from tensix_gdb.core.tiles.npy import ArrayError

    words = " ".join(arguments.instruction).split()
    if arguments.arch not in (None, "blackhole"):
        raise UsageError(f"--config: the fields are Blackhole's: leave out --arch {arguments.arch}")
    try:
        if len(words) == 1 and not arguments.json:
            print(overview(words[0]), end="")
            return 0
        setup = setup_named(words)
    except ArrayError as problem:
        raise UsageError(f"--config {' '.join(words)}: {problem}") from None
    print(_json(as_json(setup)) if arguments.json else show(setup).rstrip("\n"))
    return 0


def isa_command(arguments: argparse.Namespace) -> int:
    """`tensix-gdb isa`."""
    arch = DIALECTS[arguments.arch].arch
    rows = [
        row
        for row in rows_of(arch)
        if _is_named(row, arguments.name)
        and (arguments.unit or "").lower() in row.unit.value.lower()
        and (arguments.status or row.status.value) == row.status.value
    ]
    if not rows:
        raise UsageError("there is no such instruction; `tensix-gdb isa` lists all of them")
    if arguments.json:
        print(_json([facts_of(row, arch) for row in rows]))
    else:
        print(table(rows, arch), end="")
    return 0


def _is_named(row: Instruction, patterns: list[str]) -> bool:
    """True if it has one of these names, or opcodes."""
    return not patterns or any(
        fnmatch.fnmatchcase(row.mnemonic, pattern.upper()) or number_of(pattern) == row.opcode
        for pattern in patterns
    )


def _json(value: object) -> str:
    import json  # seldom wanted, and not loaded otherwise

    return json.dumps(value, indent=2)
