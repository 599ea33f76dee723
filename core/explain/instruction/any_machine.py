# SPDX-License-Identifier: Apache-2.0
"""The way in: a word or a text of any of the machines, explained.

explain("STALLWAIT block=B3, wait=C10")              Blackhole, unless another is named
explain("0xa2040400", "wormhole")
explain("s_waitcnt vmcnt(0)")                        a text that only one machine has
explain_forms("SHIFTDMAREG")                         each form, because the text does not say which
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tensix_gdb.core.assembly.tensix_names import near_names, spellings
from tensix_gdb.core.assembly.tensix_read import TextError, parse_forms
from tensix_gdb.core.assembly.tensix_text import show, undefined
from tensix_gdb.core.explain.instruction.explanation import WIDTH, Explanation
from tensix_gdb.core.explain.instruction.other_machines import explain_gfx9, explain_visa
from tensix_gdb.core.explain.instruction.tensix import explain_tensix
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.isa.expression import number_of
from tensix_gdb.core.isa.schema import MASK32
from tensix_gdb.core.waits import gfx9, visa
from tensix_gdb.core.waits.wait import WaitError

MACHINES = (*DIALECTS, "gfx9", "visa", "riscv")
RISCV_LOW_BITS = 3
NO_INSTRUCTION = f"is no {Arch.BLACKHOLE.title} instruction"  # as tensix_text says it
_OF_ONE_MACHINE = (
    (re.compile(r"\s*s_waitcnt\b", re.I), "gfx9"),
    (re.compile(r"\s*wait\b", re.I), "visa"),
    (re.compile(r"\s*\.ttinsn\b", re.I), "riscv"),
)


class ExplainError(ValueError):
    """There is nothing to explain; one sentence says why."""


def machine_of(text: str) -> str:
    """Return the machine that has an instruction like `text`."""
    for pattern, machine in _OF_ONE_MACHINE:
        if pattern.match(text):
            return machine
    return "blackhole"


def explain(text: str, machine: str = "") -> Explanation:
    """Explain an instruction; ExplainError with one sentence if there is none, or are several."""
    found = explain_forms(text, machine)
    if len(found) > 1:
        raise ExplainError(f"say which is meant: {' or '.join(names_of(found))}")
    return found[0]


def names_of(found: Iterable[Explanation]) -> list[str]:
    """Return the name of each instruction, with its form."""
    return [explanation.text.partition(" ")[0] for explanation in found]


def show_forms(found: Sequence[Explanation], width: int = WIDTH) -> str:
    """Return the text of each in this width, after a line that says that there are several."""
    shown = [explanation.show(width) for explanation in found]
    if len(found) > 1:
        shown.insert(0, f"This text has {len(found)} forms: {', '.join(names_of(found))}.\n")
    return "\n".join(shown)


def explain_forms(text: str, machine: str = "") -> list[Explanation]:
    """Explain an instruction, and each of its forms where the text does not say which."""
    text = text.strip()
    try:
        return _explain(text, machine or machine_of(text))
    except (TextError, WaitError) as error:
        problem = str(error)
    if not machine:
        # A text of a hart's program: its names differ from Tensix's.
        try:
            return _explain(text, "riscv")
        except TextError as error:
            problem = _likelier(text, problem, str(error))
    raise ExplainError(problem)


def _likelier(text: str, of_tensix: str, of_harts: str) -> str:
    """Return the harts' sentence if the text begins with one of their names, else Tensix's with a
    hint."""
    from tensix_gdb.core.assembly.rv32_read import known, knows

    name = text.partition(" ")[0].lower()
    if knows(name):
        return of_harts
    sentence, unknown, _ = of_tensix.partition(NO_INSTRUCTION)
    if not unknown or not name:
        return of_tensix
    elsewhere = {"s_waitcnt": "gfx9", "wait": "vISA", **dict.fromkeys(known(), "the harts")}
    names = {one.lower(): one for one in spellings(Arch.BLACKHOLE)}
    names |= {one: f"{one} of {machine}" for one, machine in elsewhere.items()}
    near = [names[one] for one in near_names(name, names)]
    hint = f"; is it {' or '.join(near)}?" if near else ""
    return f"{sentence}{unknown}{hint}"


def _explain(text: str, machine: str) -> list[Explanation]:
    number = number_of(text)
    if number is not None and not 0 <= number < 1 << 32:
        raise ExplainError(f"{text} does not fit 32 bits; 0xffffffff is the largest")
    match machine:
        case "gfx9":
            return [explain_gfx9(gfx9.parse(text) if number is None else gfx9.decode(number))]
        case "visa":
            return [explain_visa(visa.parse(text) if number is None else visa.decode(number))]
        case "riscv":
            # RISC-V's tables take a while, and few ask for them.
            from tensix_gdb.core.explain.instruction.riscv import explain_riscv, parse_riscv

            return [explain_riscv(parse_riscv(text) if number is None else number)]
    dialect = DIALECTS[machine]
    words = parse_forms(f".word {text}" if number is not None else text, dialect)
    return [_explain_word(word, dialect.arch) for word in words.values()]


def _explain_word(word: int, arch: Arch) -> Explanation:
    explanation = explain_tensix(word, arch)
    if not explanation.facts:
        explanation.warnings += _meant_for_others(word)
    return explanation


def _meant_for_others(word: int) -> Iterator[str]:
    """Yield what a word that is no Tensix instruction means on other machines."""
    if gfx9.ENCODING.matches(word):
        yield f"on gfx9 it is {gfx9.decode(word).show()}; say --arch gfx9"
    elif word & RISCV_LOW_BITS != RISCV_LOW_BITS:
        pushed = (word >> 2 | word << 30) & MASK32
        if not undefined(pushed, Arch.BLACKHOLE):
            yield f"in a hart's program it pushes {show(pushed)}; say --arch riscv"
