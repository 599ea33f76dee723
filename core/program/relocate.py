# SPDX-License-Identifier: Apache-2.0
"""Code that runs elsewhere than it was linked for: absolute addresses in it, corrected.

A linker that was asked to (`--emit-relocs`, as tt-metal links its kernels) leaves a list of the
places that depend on addresses. What moves is what the file has for L1; local RAM, registers and
what other files define stay where they are. Numbers and fields are those of the RISC-V ELF psABI.

Without such a list the code is taken as it is, and has to be position independent.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence

from tensix_gdb.core.dataclass import dataclass

MASK32 = 0xFFFFFFFF
IMM_I = 0xFFF << 20
IMM_S = 0x7F << 25 | 0x1F << 7
IMM_U = 0xFFFFF << 12


class Kind(enum.IntEnum):
    """The relocations that matter here; those of other kinds change nothing when code moves."""

    WORD = 1
    BRANCH = 16
    JAL = 17
    CALL = 18
    CALL_PLT = 19
    PCREL_HI20 = 23
    PCREL_LO12_I = 24
    PCREL_LO12_S = 25
    HI20 = 26
    LO12_I = 27
    LO12_S = 28


class RelocationError(ValueError):
    """The code cannot be moved; the message says why, without the name of the file."""


@dataclass(frozen=True, slots=True)
class Relocation:
    """One place: `target` is symbol plus addend, `moves` whether the symbol moves with the file."""

    kind: int
    addr: int
    target: int
    moves: bool


def relocate(
    relocations: Sequence[Relocation],
    bias: int,
    read: Callable[[int], int],
    write: Callable[[int, int], None],
) -> None:
    """Correct the words that depend on addresses, for code `bias` bytes from where it was linked.

    `read` and `write` are a word of the file by its address there. RelocationError for code that
    reaches relatively what does not move.
    """
    halves = {
        relocation.addr: relocation
        for relocation in relocations
        if relocation.kind == Kind.PCREL_HI20
    }
    for relocation in relocations:
        here = relocation.addr
        target = relocation.target + (bias if relocation.moves else 0)
        match relocation.kind:
            case Kind.WORD if relocation.moves:
                write(here, target & MASK32)
            case Kind.HI20 if relocation.moves:
                write(here, with_upper(read(here), target))
            case Kind.LO12_I if relocation.moves:
                write(here, with_lower_i(read(here), target))
            case Kind.LO12_S if relocation.moves:
                write(here, with_lower_s(read(here), target))
            case Kind.PCREL_HI20 if not relocation.moves:
                write(here, with_upper(read(here), target - (here + bias)))
            case Kind.PCREL_LO12_I | Kind.PCREL_LO12_S:
                # The symbol is the place of the upper half: the lower half ends its distance.
                upper = halves.get(relocation.target)
                if upper is not None and not upper.moves:
                    distance = upper.target - (upper.addr + bias)
                    put = with_lower_i if relocation.kind == Kind.PCREL_LO12_I else with_lower_s
                    write(here, put(read(here), distance))
            case Kind.BRANCH | Kind.JAL | Kind.CALL | Kind.CALL_PLT if not relocation.moves:
                raise RelocationError(
                    f"the jump at {here:#010x} goes to {relocation.target:#010x}, "
                    "which stays where it is"
                )


def with_upper(word: int, value: int) -> int:
    """lui, auipc: the upper 20 bits, rounded for the signed lower half."""
    return (word & ~IMM_U & MASK32) | ((value + 0x800) & MASK32 & IMM_U)


def with_lower_i(word: int, value: int) -> int:
    """addi, loads: the lower 12 bits."""
    return (word & ~IMM_I & MASK32) | (value & 0xFFF) << 20


def with_lower_s(word: int, value: int) -> int:
    """Stores: the lower 12 bits in two parts."""
    return (word & ~IMM_S & MASK32) | (value >> 5 & 0x7F) << 25 | (value & 0x1F) << 7
