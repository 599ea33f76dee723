# SPDX-License-Identifier: Apache-2.0
"""Additional Scalar Unit instructions: the section on FLUSHDMA of Blackhole."""

from __future__ import annotations

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tests.core.isa.wheel import macros
from tests.documents.facts.fact import Fact
from tests.documents.facts.flushing import (
    CONDITIONS,
    OF_OTHERS,
    all_at_once,
    any_is_enough,
    beside_a_stallwait,
    default,
    ends,
    is_flushing,
    least_cycles,
    other_thread,
    own_thread,
    same_as_stallwait,
    until_it_is_idle,
    which_wait,
)
from tests.documents.facts.runs import MISC, SCALAR, SYNC, UNPACKER_0, passed
from tests.documents.facts.texts import BH, highest_accepted, place_of, waits_while, warns

NAMES = ("requests of the Scalar Unit", "Unpacker 0", "Unpacker 1", "the packer")


def condition_fact(bit: int) -> Fact:
    """A row of the table of conditions."""
    text, state = CONDITIONS[bit]
    return Fact(
        f"C{bit} of FLUSHDMA waits while {text}.",
        lambda: (waits_while(f"FLUSHDMA wait=C{bit}"), which_wait(state)),
        ({f"C{bit}": text}, [bit]),
    )


def of_others(bit: int) -> Fact:
    """A condition is about the thread of the FLUSHDMA."""
    return Fact(
        f"C{bit} of FLUSHDMA is not about other threads' use of {NAMES[bit]}.",
        lambda: is_flushing(1 << bit, OF_OTHERS[bit]),
        False,
    )


FLUSHDMA = [
    Fact(
        "FLUSHDMA stops the thread that issues it.",
        lambda: own_thread(BH),
        (set(), Held.OWN_SCALAR),
    ),
    Fact(
        "FLUSHDMA stops other threads at their next instruction for the Scalar Unit.",
        lambda: other_thread(BH),
        (set(), Held.UNIT),
    ),
    Fact(
        "`explain` says that STALLWAIT is to be preferred to FLUSHDMA.",
        lambda: warns("FLUSHDMA wait=C1", "prefers STALLWAIT"),
    ),
    Fact(
        "A STALLWAIT for the same leaves the Scalar Unit to other threads.",
        lambda: beside_a_stallwait(BH),
        (set(), {SCALAR, MISC}),
    ),
    Fact("The opcode of FLUSHDMA is 0x46.", lambda: parse("FLUSHDMA") >> 24, 0x46),
    Fact(
        "FLUSHDMA has its opcode in bits 31 to 24.",
        lambda: place_of("FLUSHDMA", "opcode"),
        "31:24",
    ),
    Fact(
        "FLUSHDMA has its condition mask in bits 3 to 0.",
        lambda: (place_of("FLUSHDMA", "condition_mask"), highest_accepted("FLUSHDMA wait={}")),
        ("3:0", 15),
    ),
    Fact(
        "TT_OP_FLUSHDMA takes the mask alone.",
        lambda: (parse("TT_OP_FLUSHDMA(9)"), macros(BH)["FLUSHDMA"](9)),
        (0x46000009, 0x46000009),
    ),
    *(condition_fact(bit) for bit in range(4)),
    *(of_others(bit) for bit in range(4)),
    Fact(
        "A condition mask of 0 chooses all four.",
        lambda: (default(BH), warns("FLUSHDMA", "a condition mask of 0 acts as C0|C1|C2|C3")),
        ((0xF, 0xF), True),
    ),
    Fact(
        "It waits for all chosen conditions at once.", lambda: all_at_once(BH), [True] * 4 + [False]
    ),
    Fact(
        "One chosen condition that is not met is enough to wait.",
        lambda: any_is_enough(BH),
        [True] * 4,
    ),
    Fact(
        "Its bits are the four lowest of STALLWAIT's condition mask.",
        lambda: same_as_stallwait(BH),
        [([f"C{bit}"], [f"C{bit}"]) for bit in range(4)],
    ),
    Fact(
        "It blocks the Scalar Unit for every thread as long as a chosen condition is busy.",
        lambda: {line.name: line.sentence for line in explain("FLUSHDMA").holds},
        {
            "Scalar Unit (ThCon)": "of every thread, because the unit is occupied",
            "this thread": "everything, until it is done",
        },
    ),
    Fact("It takes two cycles at least.", lambda: least_cycles(BH), 2),
    Fact(
        "It takes as much longer as the wait lasts.",
        lambda: {until_it_is_idle(BH, busy) for busy in (10, 11, 30, 100)},
        {1},
    ),
    Fact(
        "In an emulator STALLWAIT with block mask 0x20 does the same.",
        lambda: [
            passed([(0, wait), (0, SYNC)], UNPACKER_0)
            for wait in ("STALLWAIT block=0x20, wait=C1", "FLUSHDMA wait=C1")
        ],
        [{SYNC}, set()],
        "FLUSHDMA.md: the thread that executes it is stalled, so it passes nothing of other units",
    ),
    Fact(
        "That other threads are blocked matters to timing alone.",
        lambda: [ends(wait) for wait in ("STALLWAIT block=ALL, wait=C1", "FLUSHDMA wait=C1")],
        [True, False],
        "FLUSHDMA.md: other threads wait for the Scalar Unit; two threads can deadlock by it",
    ),
]
