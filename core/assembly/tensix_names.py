# SPDX-License-Identifier: Apache-2.0
"""Names of Tensix instructions as pages, documents and LLK spell them, and what a name may mean."""

from __future__ import annotations

from collections.abc import Iterable

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.schema import Field
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import by_mnemonic

# What a field is called in text, where the page's name is long for something so frequent.
SHORT = {"block_mask": "block", "condition_mask": "wait", "semaphore_mask": "sem"}
# Mnemonics that a page spells otherwise than LLK does.
ALIASES = {"SFPSTOCHRND": "SFP_STOCH_RND"}
# One name of the pages for opcodes that LLK tells apart by a digit.
FAMILIES = {"RMWCIB": ("RMWCIB0", "RMWCIB1", "RMWCIB2", "RMWCIB3")}
MOST_NEAR = 4


def mnemonics_called(name: str, arch: Arch) -> tuple[str, ...]:
    """Return the mnemonics that a name of a page stands for; none if it is no instruction's."""
    name = name.upper()
    known = by_mnemonic(arch)
    return tuple(one for one in FAMILIES.get(name, (ALIASES.get(name, name),)) if one in known)


def spellings(arch: Arch) -> tuple[str, ...]:
    """Return every name of an instruction, those of pages too."""
    return (*by_mnemonic(arch), *ALIASES, *FAMILIES)


def nearby(name: str, known: Iterable[str]) -> str:
    """Return a question with names that begin like `name` or look alike; empty if there are
    none."""
    near = near_names(name, known)
    return f"; is it {' or '.join(near)}?" if near else ""


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the names that begin with `name`, or else those that look alike, the likeliest
    first."""
    import difflib  # takes longer to load than most words to explain

    known = tuple(known)
    near = sorted(known_name for known_name in known if known_name.startswith(name))[:MOST_NEAR]
    return near or difflib.get_close_matches(name, known, n=3)


def operands_of(row: Instruction) -> str:
    """Return the names of its fields as text has them."""
    return ", ".join(SHORT.get(name, name) for name in row.encoding.fields) or "no operands"


def values_of(row: Instruction, name: str, field: Field) -> str:
    """Return the values that a field takes: `B0 to B8, ALL, or a number up to 511`."""
    low, high = field.limits
    number = f"a number from {low} to {high}"
    names = row.operands[name].kind.known(high)
    return f"{names}, or {number}" if names else number
