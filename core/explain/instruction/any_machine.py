# SPDX-License-Identifier: Apache-2.0
"""The way in: a word or a text of any of the machines, explained.

explain("STALLWAIT block=B3, wait=C10")              Blackhole, unless another is named
explain("0xa2040400", "wormhole")
explain("s_waitcnt vmcnt(0)")                        a text that only one machine has
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from tensix_gdb.core.assembly.tensix_text import TextError, parse, show, undefined
from tensix_gdb.core.explain.instruction.explanation import Explanation
from tensix_gdb.core.explain.instruction.other_machines import explain_gfx9, explain_visa
from tensix_gdb.core.explain.instruction.tensix import explain_tensix
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.isa.expression import number_of
from tensix_gdb.core.isa.schema import MASK32
from tensix_gdb.core.waits import gfx9, visa
from tensix_gdb.core.waits.wait import WaitError

MACHINES = (*DIALECTS, "gfx9", "visa", "riscv")
RISCV_LOW_BITS = 3
_OF_ONE_MACHINE = (
    (re.compile(r"\s*s_waitcnt\b", re.I), "gfx9"),
    (re.compile(r"\s*wait\b", re.I), "visa"),
    (re.compile(r"\s*\.ttinsn\b", re.I), "riscv"),
)


class ExplainError(ValueError):
    """There is nothing to explain; one sentence says why."""


def machine_of(text: str) -> str:
    """The machine that has an instruction like `text`."""
    for pattern, machine in _OF_ONE_MACHINE:
        if pattern.match(text):
            return machine
    return "blackhole"


def explain(text: str, machine: str = "") -> Explanation:
    """Explain an instruction; ExplainError with one sentence when there is none."""
    text = text.strip()
    try:
        return _explain(text, machine or machine_of(text))
    except (TextError, WaitError) as error:
        problem = str(error)
    if not machine:
        # A text of a hart's program: its names differ from Tensix's.
        with suppress(TextError):
            return _explain(text, "riscv")
    raise ExplainError(problem)


def _explain(text: str, machine: str) -> Explanation:
    number = number_of(text)
    if number is not None and not 0 <= number < 1 << 32:
        raise ExplainError(f"{text} does not fit 32 bits")
    match machine:
        case "gfx9":
            return explain_gfx9(gfx9.parse(text) if number is None else gfx9.decode(number))
        case "visa":
            return explain_visa(visa.parse(text) if number is None else visa.decode(number))
        case "riscv":
            # RISC-V's tables take a while, and few ask for them.
            from tensix_gdb.core.explain.instruction.riscv import explain_riscv, parse_riscv

            return explain_riscv(parse_riscv(text) if number is None else number)
    dialect = DIALECTS[machine]
    word = parse(f".word {text}" if number is not None else text, dialect)
    explanation = explain_tensix(word, dialect.arch)
    if not explanation.facts:
        explanation.warnings += _meant_for_others(word)
    return explanation


def _meant_for_others(word: int) -> Iterator[str]:
    """What a word that is no Tensix instruction is elsewhere."""
    if gfx9.ENCODING.matches(word):
        yield f"on gfx9 it is {gfx9.decode(word).show()}; say --arch gfx9"
    elif word & RISCV_LOW_BITS != RISCV_LOW_BITS:
        pushed = (word >> 2 | word << 30) & MASK32
        if not undefined(pushed, Arch.BLACKHOLE):
            yield f"in a hart's program it pushes {show(pushed)}; say --arch riscv"
