# SPDX-License-Identifier: Apache-2.0
"""The way in: a word or a text of any of the four machines, explained.

explain("STALLWAIT block=B3, wait=C10")              Blackhole, unless another is named
explain("0xa2040400", "wormhole")
explain("s_waitcnt vmcnt(0)")                        a text that only one machine has
"""

from __future__ import annotations

import re

from core.explanation.explanation import Explanation
from core.explanation.other_machines import explain_gfx9, explain_visa
from core.explanation.tensix import explain_tensix
from core.isa.architecture import DIALECTS
from core.isa.text import parse
from core.waits import gfx9, visa

MACHINES = (*DIALECTS, "gfx9", "visa")
_NUMBER = re.compile(r"(0x[0-9a-f]+|0b[01]+|\d+)$", re.I)
_OF_ONE_MACHINE = (
    (re.compile(r"\s*s_waitcnt\b", re.I), "gfx9"),
    (re.compile(r"\s*wait\b", re.I), "visa"),
)


def machine_of(text: str) -> str:
    """The machine whose instruction `text` looks like."""
    for pattern, machine in _OF_ONE_MACHINE:
        if pattern.match(text):
            return machine
    return "blackhole"


def explain(text: str, machine: str = "") -> Explanation:
    """Explain an instruction; TextError or WaitError with one sentence when there is none."""
    text = text.strip()
    machine = machine or machine_of(text)
    number = int(text, 0) if _NUMBER.match(text) else None
    match machine:
        case "gfx9":
            return explain_gfx9(gfx9.parse(text) if number is None else gfx9.decode(number))
        case "visa":
            return explain_visa(visa.parse(text) if number is None else visa.decode(number))
    dialect = DIALECTS[machine]
    word = parse(f".word {text}" if number is not None else text, dialect)
    return explain_tensix(word, dialect.arch)
