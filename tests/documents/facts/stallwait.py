# SPDX-License-Identifier: Apache-2.0
"""STALLWAIT of Blackhole: operands, how a wait begins, lasts and ends."""

from __future__ import annotations

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import undefined
from tensix_gdb.core.isa.architecture import Dialect
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.gate.latch import NONE, STALLWAIT
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.table import by_mnemonic
from tests.documents.facts.fact import Fact
from tests.documents.facts.runs import (
    MATRIX,
    MISC,
    SCALAR,
    SYNC,
    UNPACKER_0,
    first_cycle,
    marks,
    more,
    passed,
)
from tests.documents.facts.texts import (
    BH,
    WH,
    fact_of,
    highest_accepted,
    notes,
    place_of,
)
from tests.documents.on_the_machine import after

NEVER_OVER = "STALLWAIT block=B6, wait=C1"  # while Unpacker 0 is busy
TWO_BUSY = {"busy.unpacker[0,0]": 1, "busy.packer[0]": 1}


def latched(text: str, *before: str) -> Record:
    """The record with a wait latched that is never over."""
    return after(20, [*((0, one) for one in before), (0, text)], UNPACKER_0)


def again_and_again() -> list[int]:
    """The latch, first with both units busy, then with one, the other, both, and none."""
    record = after(10, [(0, "STALLWAIT block=B6, wait=C1|C3")], TWO_BUSY)
    kinds = [int(record.S.latch.kind[0])]
    for unpacker, packer in ((0, 1), (1, 0), (1, 1), (0, 0)):
        more(record, 5, {"busy.unpacker[0,0]": unpacker, "busy.packer[0]": packer})
        kinds.append(int(record.S.latch.kind[0]))
    return kinds


def after_it_is_over(cycles: int) -> set[str]:
    """The marks of a thread so many cycles after the condition of its wait was met."""
    program = [(0, "STALLWAIT block=B0, wait=C1"), (0, MISC), (0, SCALAR), (0, SYNC)]
    return marks(more(after(10, program, UNPACKER_0), cycles, {"busy.unpacker[0,0]": 0}))


def delay_of_a_met_wait() -> int:
    """Return how many cycles a wait that is met at once costs the instruction after it, over a
    NOP."""
    wait = [(0, "STALLWAIT block=B0, wait=C1"), (0, MISC)]
    return first_cycle(wait, MISC) - first_cycle([(0, "NOP"), (0, MISC)], MISC)


BEGINNING = [
    Fact(
        "STALLWAIT chooses with one mask what it waits for, and with another what it blocks.",
        lambda: list(by_mnemonic(BH)["STALLWAIT"][0].encoding.fields),
        ["block_mask", "condition_mask"],
    ),
    Fact(
        "The thread that issued it continues with instructions that the block mask leaves alone.",
        lambda: passed([(0, NEVER_OVER), (0, MISC), (0, SYNC)], UNPACKER_0),
        {MISC, SYNC},
    ),
    Fact(
        "The first instruction that is blocked ends that: the thread waits there.",
        lambda: passed([(0, NEVER_OVER), (0, SYNC), (0, MATRIX), (0, MISC)], UNPACKER_0),
        {SYNC},
    ),
    Fact(
        "The thread waits until all chosen conditions are met in one and the same cycle.",
        again_and_again,
        [STALLWAIT, STALLWAIT, STALLWAIT, STALLWAIT, NONE],
    ),
    Fact(
        "The Sync Unit executes it.",
        lambda: (by_mnemonic(BH)["STALLWAIT"][0].unit, fact_of("STALLWAIT", "Unit")),
        (Unit.SYNC, "Sync Unit"),
    ),
    Fact(
        "Blackhole's condition bits have other numbers than Wormhole's.",
        lambda: [parse("STALLWAIT wait=MATH", Dialect(arch)) & 0x7FFF for arch in (BH, WH)],
        [1 << 4, 1 << 7],
    ),
    Fact(
        "Names spare a program that difference: one text fits both architectures.",
        lambda: [
            [parse(f"STALLWAIT wait={name}", Dialect(arch)) & 0x7FFF for arch in (BH, WH)]
            for name in ("THCON", "XMOV", "TRISC_CFG", "WAIT_SFPU")
        ],
        [[1, 1], [1 << 9, 1 << 12], [1 << 10, 1 << 13], [1 << 11, 1 << 14]],
    ),
    Fact(
        "The macro TT_STALLWAIT has the block mask first and the condition mask second.",
        lambda: parse("TT_STALLWAIT(0x101, 0x1002)"),
        0xA2000000 | 0x101 << 15 | 0x1002,
    ),
    Fact(
        "The block mask is a number of nine bits.",
        lambda: highest_accepted("STALLWAIT block={}"),
        0x1FF,
    ),
    Fact(
        "The condition mask is a number of 13 bits.",
        lambda: highest_accepted("STALLWAIT wait={}"),
        0x1FFF,
    ),
    Fact(
        "The word has an opcode and both masks in places of their own.",
        lambda: (
            parse("STALLWAIT") >> 24,
            place_of("STALLWAIT", "block_mask"),
            place_of("STALLWAIT", "condition_mask"),
        ),
        (0xA2, "23:15", "12:0"),
    ),
    Fact(
        "The two bits between the masks belong to neither.",
        lambda: [b for b in range(24) if undefined(0xA2000000 | 1 << b, BH)],
        [13, 14],
    ),
]

LATCHING = [
    Fact(
        "It is complete once it has left a latched wait at its thread's gate: one cycle.",
        lambda: (fact_of("STALLWAIT", "Latency"), latched(NEVER_OVER).S.fifo.count[0, 2]),
        ("1 cycle", 0),
    ),
    Fact(
        "The latch knows that the wait is a STALLWAIT.",
        lambda: latched(NEVER_OVER).S.latch.kind[0],
        STALLWAIT,
    ),
    Fact(
        "Each thread has a latch of its own.",
        lambda: list(after(20, [(1, NEVER_OVER)], {"busy.unpacker[0,1]": 1}).S.latch.kind),
        [NONE, STALLWAIT, NONE],
    ),
    Fact(
        "The latch has the condition mask.",
        lambda: latched("STALLWAIT block=B6, wait=0x1802").S.latch.conditions[0],
        0x1802,
    ),
    Fact(
        "A condition mask of 0 is latched as C0 to C3.",
        lambda: latched("STALLWAIT block=B8, wait=0").S.latch.conditions[0],
        0x0F,
    ),
    Fact(
        "The latch has the block mask.",
        lambda: latched("STALLWAIT block=0x1a5, wait=C1").S.latch.block[0],
        0x1A5,
    ),
    Fact(
        "A block mask of 0 is latched as B6.",
        lambda: latched("STALLWAIT block=0, wait=C1").S.latch.block[0],
        1 << 6,
    ),
    Fact(
        "The latch names no semaphore, also where a SEMWAIT was latched before.",
        lambda: latched(
            NEVER_OVER,
            "SEMINIT max_value=15, init_value=1, sem=S2",
            "SEMWAIT block=B8, sem=S2, wait=C0",
        ).S.latch.semaphores[0],
        0,
    ),
    Fact(
        "The gate looks at the conditions again in every cycle.",
        lambda: [n for n in range(1, 5) if after_it_is_over(n)],
        [2, 3, 4],
    ),
    Fact(
        "When all conditions are met the gate forgets the wait.",
        lambda: more(latched(NEVER_OVER), 5, {"busy.unpacker[0,0]": 0}).S.latch.kind[0],
        NONE,
    ),
    Fact(
        "From then on it blocks nothing.",
        lambda: after_it_is_over(20),
        {MISC, SCALAR, SYNC},
    ),
    Fact(
        "The wait counts at once: already the next instruction can be held by it.",
        lambda: (
            passed([(0, "STALLWAIT block=B0, wait=C1"), (0, MISC)], UNPACKER_0),
            notes("STALLWAIT", "begins", says="at once"),
        ),
        (set(), True),
    ),
    Fact(
        "The mask goes a cycle later than the conditions are met.",
        lambda: (
            [MISC in after_it_is_over(n) for n in (1, 2)],
            notes("STALLWAIT", "ends", says="one cycle after the conditions are met"),
        ),
        ([False, True], True),
    ),
    Fact(
        "The next instruction, if it is blocked, loses a cycle even to a wait that is met already.",
        lambda: (
            delay_of_a_met_wait(),
            notes("STALLWAIT", "ends", says="at least one cycle even if they are met already"),
        ),
        (1, True),
    ),
]
