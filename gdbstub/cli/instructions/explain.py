# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb explain` and `tensix-gdb isa`."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import asdict

from tensix_gdb.core.assembly.tensix_names import mnemonics_called, nearby, spellings
from tensix_gdb.core.explain.instruction.any_machine import (
    ExplainError,
    explain_forms,
    show_forms,
)
from tensix_gdb.core.explain.instruction.explanation import WIDTH
from tensix_gdb.core.explain.instruction.table import facts_of, table
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.isa.expression import number_of
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.gdbstub.cli.instructions.as_json import as_json
from tensix_gdb.gdbstub.cli.options.instructions import ExplainOptions, IsaOptions
from tensix_gdb.gdbstub.cli.terminal.fitted import fitted
from tensix_gdb.gdbstub.cli.terminal.width import say, width_of_output, width_of_terminal
from tensix_gdb.gdbstub.usage import UsageError


def explain_command(options: ExplainOptions) -> int:
    """`tensix-gdb explain`."""
    if options.c and not options.config:
        raise UsageError("--c needs --config, as in explain --config unpack bf16 --c")
    if options.config:
        return _configuration(options)
    if options.time:
        return _time(options)
    try:
        found = explain_forms(" ".join(options.instruction), options.arch or "")
    except ExplainError as problem:
        raise UsageError(str(problem)) from None
    if options.json:
        parts = [explanation.as_json() for explanation in found]
        print(as_json(parts[0] if len(parts) == 1 else parts))
    else:
        say(show_forms(found, min(WIDTH, width_of_terminal() or WIDTH)).splitlines())
    return 0


def _configuration(options: ExplainOptions) -> int:
    """`tensix-gdb explain --config`."""
    from tensix_gdb.core.tiles.configuration import text
    from tensix_gdb.core.tiles.npy import ArrayError

    words = " ".join(options.instruction).split()
    name = options.arch or "blackhole"
    if name not in DIALECTS:
        raise UsageError(f"--config knows {' and '.join(DIALECTS)}: leave out --arch {name}")
    arch = DIALECTS[name].arch
    try:
        if len(words) == 1 and not options.json and not options.c:
            print(text.overview(words[0], width_of_output(), arch), end="")
            return 0
        setup = text.setup_named(words, arch)
    except ArrayError as problem:
        raise UsageError(f"--config {' '.join(words)}: {problem}") from None
    if options.c:
        from tensix_gdb.gdbstub.kernels import as_c

        print("\n".join(as_c.lines(setup)))
        return 0
    if options.json:
        print(as_json(text.as_json(setup)))
    else:
        width = width_of_output()
        print("\n".join(fitted(text.show(setup, width).rstrip("\n"), width)))
    return 0


def _time(options: ExplainOptions) -> int:
    """`tensix-gdb explain --time`."""
    from tensix_gdb.core.explain import time
    from tensix_gdb.core.machine import parts  # the rows are beside the code of the machine

    assert parts.PARTS
    if options.arch not in (None, "blackhole"):
        raise UsageError(f"--time knows Blackhole only: leave out --arch {options.arch}")
    text = " ".join(options.instruction)
    rows = time.table() if text == "all" else time.rows_of(text) or time.rows_about(text)
    if not rows:
        raise UsageError(
            f"no number of time is about {text!r}: `tensix-gdb explain --time all` lists them"
        )
    if options.json:
        print(as_json([{**asdict(row), "trust": row.trust.value} for row in rows]))
    else:
        print(time.show(rows), end="")
    return 0


def isa_command(options: IsaOptions) -> int:
    """`tensix-gdb isa`."""
    arch = DIALECTS[options.arch].arch
    wanted = [name for pattern in options.name for name in _as_here(pattern, arch)]
    rows = [
        row
        for row in rows_of(arch)
        if _is_named(row, wanted)
        and (options.unit or "").lower() in row.unit.value.lower()
        and (options.status or row.status.value) == row.status.value
    ]
    if not rows:
        raise UsageError(_none_such(options.name, arch))
    if options.json:
        print(as_json([facts_of(row, arch) for row in rows]))
    else:
        print(table(rows, arch), end="")
    return 0


def _as_here(pattern: str, arch: Arch) -> tuple[str, ...]:
    """Return the table's names of the instructions that a page calls so, or the text as it is."""
    return mnemonics_called(pattern, arch) or (pattern,)


def _none_such(names: Sequence[str], arch: Arch) -> str:
    near = nearby(names[0].upper(), spellings(arch)) if len(names) == 1 else ""
    return f"there is no such instruction{near or '; `tensix-gdb isa` lists all of them'}"


def _is_named(row: Instruction, patterns: Sequence[str]) -> bool:
    """True if it has one of these names, or opcodes."""
    return not patterns or any(
        fnmatch.fnmatchcase(row.mnemonic, pattern.upper()) or number_of(pattern) == row.opcode
        for pattern in patterns
    )
