# SPDX-License-Identifier: Apache-2.0
"""WAIT of Intel's vISA: opcode, mask, dependency registers."""

from __future__ import annotations

from dataclasses import fields

from tensix_gdb.core.explain.instruction.any_machine import ExplainError, explain
from tensix_gdb.core.waits import visa
from tensix_gdb.core.waits.wait import WaitError
from tests.documents.facts.fact import Fact
from tests.documents.facts.texts import waits_while

EIGHT = range(8)
FIRST = 10  # the threads that are depended on are 10 to 17


def dispatched(*threads: int) -> visa.Threads:
    """The state of a thread that was dispatched with dependencies on others."""
    state = visa.Threads()
    state.depend(*threads)
    return state


def left(mask: int, *ended: int, depends: int = 8) -> list[str]:
    """The registers that are waited for, after some of the threads have ended."""
    state = dispatched(*range(FIRST, FIRST + depends))
    wait = visa.parse(f"WAIT {mask}:ub")
    wait.begin(state)
    for thread in ended:
        state.end(thread)
    return [reason.condition for reason in wait.blocked(state)]


def valid_after(mask: int) -> list[int]:
    """The registers that are valid after a WAIT has begun, all having been."""
    state = dispatched(*range(FIRST, FIRST + 8))
    visa.ThreadWait(mask).begin(state)
    return [number for number, register in enumerate(state.registers) if register.valid]


def accepted(text: str) -> bool:
    try:
        visa.parse(text)
    except WaitError:
        return False
    return True


def explained(text: str) -> bool:
    try:
        explain(text, "visa")
    except ExplainError:
        return False
    return True


def second_wait() -> list[str]:
    """Return what a WAIT 0 waits for that comes after a WAIT that has cleared four registers."""
    state = dispatched(*range(FIRST, FIRST + 8))
    visa.ThreadWait(0xF0).begin(state)
    second = visa.ThreadWait(0)
    second.begin(state)
    return [reason.condition for reason in second.blocked(state)]


def registers(*numbers: int) -> list[str]:
    return [f"TDR{number}" for number in numbers]


def one_by_one() -> list[int]:
    """Return how many registers are waited for while the eight threads end."""
    return [len(left(0, *range(FIRST, FIRST + n))) for n in range(9)]


WAIT = [
    Fact(
        "The text of the page is under a licence of Intel's.",
        reason="a notice about the page; no sentence of it is kept here",
    ),
    Fact("The opcode of WAIT is 0x5b.", lambda: visa.OPCODE, 0x5B),
    Fact(
        "The bytes 0x5b and a mask are a WAIT; with another first byte they are none.",
        lambda: [explained(f"{first:#x}") for first in (0x035B, 0x035A, 0x035C)],
        [True, False, False],
    ),
    Fact(
        "It has an opcode and a mask, in that order.",
        lambda: [visa.ThreadWait(mask).encode() for mask in (0, 1, 0xFF)],
        [0x005B, 0x015B, 0xFF5B],
    ),
    Fact(
        "Each mask can be read back from its bytes.",
        lambda: [visa.decode(0x5B | mask << 8).mask for mask in range(256)],
        list(range(256)),
    ),
    Fact(
        "A dependency register is a valid bit and a thread.",
        lambda: [field.name for field in fields(visa.DependencyRegister)],
        ["valid", "thread"],
    ),
    Fact(
        "Dispatch fills the registers.",
        lambda: [(r.valid, r.thread) for r in dispatched(7, 9).registers[:3]],
        [(True, 7), (True, 9), (False, 0)],
    ),
    Fact("There are eight registers.", lambda: len(visa.Threads().registers), 8),
    *(
        Fact(
            f"Bit {bit} of the mask clears the valid bit of register {bit} and of no other.",
            lambda bit=bit: valid_after(1 << bit),  # type: ignore[misc]
            [number for number in EIGHT if number != bit],
        )
        for bit in EIGHT
    ),
    Fact("A mask of 0 clears none.", lambda: valid_after(0), list(EIGHT)),
    Fact(
        "It waits for the thread of each register that is valid.",
        lambda: left(0),
        registers(*EIGHT),
    ),
    Fact(
        "It does not wait for a register that was never valid.",
        lambda: left(0, depends=3),
        registers(0, 1, 2),
    ),
    Fact(
        "A register is cleared before it is looked at, so its thread is not waited for.",
        lambda: left(0x55),
        registers(1, 3, 5, 7),
    ),
    Fact("The registers are gone through from 0 to 7.", lambda: left(0x0F), registers(4, 5, 6, 7)),
    Fact(
        "Without dependencies from the creation of the thread space it waits for nothing.",
        lambda: left(0, depends=0),
        [],
    ),
    Fact(
        "It is over when the last of the threads has ended.",
        one_by_one,
        [8, 7, 6, 5, 4, 3, 2, 1, 0],
    ),
    Fact(
        "The thread itself waits until then.",
        lambda: {line.name: line.sentence for line in explain("WAIT 0").facts}["Holds"],
        "the whole thread",
    ),
    Fact(
        "What is cleared stays cleared for a later WAIT.",
        second_wait,
        registers(0, 1, 2, 3),
    ),
    Fact("With all bits set it waits for nothing.", lambda: left(0xFF), []),
    Fact(
        "The mask has eight bits.",
        lambda: [accepted(f"WAIT {mask}") for mask in (0, 255, 256, -1)],
        [True, True, False, False],
    ),
    Fact(
        "`explain` names the registers that a set bit clears.",
        lambda: explain("WAIT 0x81").fields[0].meaning,
        "dependencies that are cleared: 0, 7",
    ),
    Fact(
        "`explain` names the registers that are left to wait for.",
        lambda: list(waits_while("WAIT 0x81")),
        registers(1, 2, 3, 4, 5, 6),
    ),
    Fact(
        "The mask is one number, not a vector.",
        lambda: [accepted(text) for text in ("WAIT 1", "WAIT 1 2", "WAIT 1, 2", "WAIT")],
        [True, False, False, False],
    ),
    Fact(
        "The type of the mask is UB.",
        lambda: [accepted(f"WAIT 1:{kind}") for kind in ("ub", "UB", "b", "uw", "ud")],
        [True, True, False, False, False],
    ),
    Fact(
        "Its text is the name and the mask.",
        lambda: (visa.parse("WAIT 0x12").mask, visa.parse(visa.ThreadWait(0x12).show()).mask),
        (0x12, 0x12),
    ),
    Fact(
        "It is for kernels of the global thread space only, as `explain` says.",
        lambda: explain("WAIT 1").warnings[-1],
        "only for kernels of the global thread space execution model",
    ),
]
