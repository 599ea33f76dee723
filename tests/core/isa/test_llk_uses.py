# SPDX-License-Identifier: Apache-2.0
"""The instructions of LLK's kernels as they are written there: our words are its macros' words."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tensix_gdb.core.assembly.tensix_read import TextError, parse
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.expression import ExpressionError, evaluate
from tests.core.isa.wheel import config_defines, llk_structs, macros, uses

ADDR_MODS = {f"ADDR_MOD_{i}": i for i in range(8)}
# Uses that the pages give no meaning to: UNPACR that counts the context counter on has zeros in its
# other fields there, and not in these macros of LLK's halo loops.
MEANINGLESS = {0x4200208D, 0x4200218D}


def split(arguments: str) -> list[str]:
    parts, depth = [""], 0
    for char in arguments:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts if arguments.strip() else []


@cache
def constants(arch: Arch) -> dict[str, int]:
    """Return what LLK's sources can name."""
    known = {**llk_structs(arch), **ADDR_MODS}
    return known | {f"{name}_ADDR32": word for name, (word, _, _) in config_defines(arch).items()}


def by_macro(arch: Arch, use: str) -> int | None:
    """Return what LLK's own macro and constants give; None where an argument is no constant."""
    found = re.match(r"T(?:TI|T_OP)_(\w+)\((.*)\)$", use)
    if not found or found[1] not in macros(arch):
        return None
    arguments = split(found[2])
    macro = macros(arch)[found[1]]
    if len(arguments) != len(macro.parameters):
        return None
    try:
        return macro(*(evaluate(argument, constants(arch).get) for argument in arguments))
    except ExpressionError:
        return None


@pytest.mark.parametrize(("arch", "least"), [(Arch.BLACKHOLE, 700), (Arch.WORMHOLE, 500)])
def test_uses(arch: Arch, least: int) -> None:
    compared, meaningless = 0, set()
    for use in sorted(uses(arch)):
        expected = by_macro(arch, use)
        if expected is None:
            continue
        if expected in MEANINGLESS:
            with pytest.raises(TextError, match="mean nothing"):
                parse(use, Dialect(arch))
            meaningless.add(expected)
            continue
        word = parse(use, Dialect(arch))
        assert f"{word:#010x}" == f"{expected:#010x}", use
        assert parse(show(word, Dialect(arch)), Dialect(arch)) == word
        compared += 1
    assert compared >= least
    assert meaningless == MEANINGLESS
