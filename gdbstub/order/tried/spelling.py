# SPDX-License-Identifier: Apache-2.0
"""A remedy as a source writes it: with the macros of LLK, of tt-metal, of this project's headers,
or without any.

    llk        TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG);
    by name    TTINSN(STALLWAIT | STALLWAIT_block_B3 | STALLWAIT_wait_C10);
    numbers    TTINSN(0xa2040400u); /* STALLWAIT block=B3, wait=C10 */
    none       the same as the assembler takes it
"""

from __future__ import annotations

import enum
import re

from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.masks import BLOCK_MASK, CONDITIONS_SEMWAIT
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind
from tensix_gdb.gdbstub.order.tried import words

USE = '__asm__ volatile("and zero, %0, zero" : : "r"({0}) : "memory");'
SYNC = (
    "{{ volatile unsigned *all_done = (volatile unsigned *){0:#x}; *all_done = 0; "
    'unsigned value = *all_done; __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory"); '
    "}}"
)
CONDITIONS = 13
RMWCIB = 0xB3  # the opcode of that of the lowest byte
# Operands that LLK's headers have no name for, or another one.
OPERANDS = {
    "MOD1_IMM16_IS_VALUE": "1", "SFPLOADI_MOD0_LOWER": "10", "SFPLOADI_MOD0_UPPER": "8",
}  # fmt: skip
_LLK = re.compile(r"\bTTI_[A-Z]|\bp_stall::|\bckernel\b")


class NoPatch(Exception):
    """The remedy cannot be written into the source; the message says why."""


class Style(enum.Enum):
    """The macros that a source has."""

    LLK = "llk"
    BY_NAME = "by name"
    NUMBERS = "numbers"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Known:
    """The names that a source can use: the text of it and of what it includes."""

    text: str

    def has(self, name: str) -> bool:
        """True if it has a name."""
        return re.search(rf"\b{re.escape(name)}\b", self.text) is not None

    @property
    def style(self) -> Style:
        """The macros for Tensix instructions."""
        if _LLK.search(self.text):
            return Style.LLK
        if self.has("STALLWAIT_block_B3") or self.has("tensix_by_name.h"):
            return Style.BY_NAME
        return Style.NUMBERS if self.has("TTINSN") else Style.NONE


def spelled(remedy: Remedy, known: Known, instruction: int | None) -> str:
    """Return the statement for an instruction that is pushed, or for a call. NoPatch with a
    sentence."""
    match remedy.kind:
        case RemedyKind.STALLWAIT | RemedyKind.NOP | RemedyKind.SEMWAIT | RemedyKind.RESTORE:
            assert instruction is not None
            return _pushed(remedy, known, instruction)
        case RemedyKind.SYNC:
            if known.has("tensix_sync"):
                return "tensix_sync();"
            if known.style is Style.BY_NAME or known.has("wait_for_tensix"):
                return "wait_for_tensix();"
            return SYNC.format(words.DONE_CHECK)
        case RemedyKind.FENCE:
            if known.has("invalidate_l1_cache"):
                return "invalidate_l1_cache();"
            return '__asm__ volatile("fence" : : : "memory");'
        case RemedyKind.BARRIER:
            name = (remedy.macro or "noc_async_full_barrier()").partition("(")[0]
            if known.has(name):
                return f"{name}();"
            raise NoPatch(f"the source does not include tt-metal's {name}()")
    raise NoPatch("it is no statement at one place")


def spelled_of(instruction: int, known: Known, remedy: Remedy) -> str:
    """Return the statement for an RMWCIB that a T core makes of its byte of `whole`."""
    byte, mask = (instruction >> 24) - RMWCIB, instruction >> 16 & 0xFF
    shifted = f"whole >> {8 * byte}" if byte else "whole"
    name = f"TT_RMWCIB{byte}"
    if known.style is Style.LLK and known.has(name):
        word = _llk(remedy, instruction).rpartition(", ")[2].removesuffix(");")
        return f"    {name}({mask:#x}, {shifted} & {mask:#x}, {word});"
    text = show(instruction, Dialect(remedy.arch))
    return (
        f"    *(volatile unsigned *){words.PUSH:#x} = "
        f"{instruction:#x}u | ({shifted} & {mask:#x}) << 8; /* {text} */"
    )


def used(expression: str, known: Known, *, is_stored: bool) -> str:
    """Return the statement that waits for a value: of a variable that was loaded, or of a place
    that was stored to, which is loaded again."""
    if not is_stored:
        return USE.format(expression)
    if known.has("load_blocking"):
        return f"ckernel::load_blocking(&({expression}));"
    return USE.format(f"*(volatile __typeof__({expression}) *)&({expression})")


def _pushed(remedy: Remedy, known: Known, instruction: int) -> str:
    if known.style is Style.LLK:
        return _llk(remedy, instruction)
    has_names = known.style is Style.BY_NAME and remedy.arch is Arch.BLACKHOLE
    if has_names and (named := _by_name(instruction)):
        return f"TTINSN({' | '.join(named)});"
    text = show(instruction, Dialect(remedy.arch))
    if known.style is Style.NONE:
        word = (instruction << 2 | instruction >> 30) & 0xFFFFFFFF
        halves = f".insn 2, {word & 0xFFFF:#x}\\n\\t.half {word >> 16:#x}"
        return f'__asm__ volatile("{halves}"); /* {text} */'
    return f"TTINSN({instruction:#x}u); /* {text} */"


def _by_name(instruction: int) -> list[str]:
    """Return the names of tensix_isa.h for a wait or a semaphore; none for others."""
    code = instruction >> 24
    semaphores = [f"sem_S{n}" for n in range(8) if instruction >> n + 2 & 1]
    blocks = [f"block_B{n}" for n in range(9) if instruction >> n + 15 & 1]
    match code:
        case words.STALLWAIT:
            waits = [f"wait_C{n}" for n in range(CONDITIONS) if instruction >> n & 1]
            return _names("STALLWAIT", blocks + waits)
        case words.SEMWAIT:
            on = [f"wait_C{n}" for n in range(2) if instruction >> n & 1]
            return _names("SEMWAIT", [*blocks, *semaphores, *on])
        case words.SEMPOST:
            return _names("SEMPOST", semaphores)
        case words.SEMGET:
            return _names("SEMGET", semaphores)
        case words.SEMINIT:
            limit, value = instruction >> 20 & 15, instruction >> 16 & 15
            return _names("SEMINIT", [f"new_max({limit})", f"new_value({value})", *semaphores])
    return []


def _names(mnemonic: str, fields: list[str]) -> list[str]:
    return [mnemonic, *(f"{mnemonic}_{field}" for field in fields)]


def _llk(remedy: Remedy, instruction: int) -> str:
    if remedy.kind is RemedyKind.NOP:
        return "TTI_NOP;"
    if remedy.kind is RemedyKind.STALLWAIT:
        return f"{remedy.text};"
    semaphore = f"semaphore::t6_sem({remedy.semaphore})"
    match instruction >> 24:
        case words.SEMPOST:
            return f"TTI_SEMPOST({semaphore});"
        case words.SEMGET:
            return f"TTI_SEMGET({semaphore});"
        case words.SEMINIT:
            limit, value = instruction >> 20 & 15, instruction >> 16 & 15
            return f"TTI_SEMINIT({limit}, {value}, {semaphore});"
        case words.SEMWAIT:
            llk = Dialect(remedy.arch, llk=True)
            block = BLOCK_MASK.show(instruction >> 15 & 0x1FF, llk)
            on = CONDITIONS_SEMWAIT.show(instruction & 3, llk)
            return f"TTI_SEMWAIT({block}, {semaphore}, {on});"
    if remedy.kind is RemedyKind.RESTORE and instruction >> 24 != words.STALLWAIT:
        text = show(instruction, Dialect(remedy.arch, llk=True))
        for name, number in OPERANDS.items():
            text = text.replace(name, number)
        return f"{text};"
    stall = Remedy(RemedyKind.STALLWAIT, "", (), "TTI_STALLWAIT",
                   instruction >> 15 & 0x1FF, instruction & 0x7FFF, arch=remedy.arch)  # fmt: skip
    return f"{stall.text};"
