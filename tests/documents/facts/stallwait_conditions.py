# SPDX-License-Identifier: Apache-2.0
"""STALLWAIT of Blackhole: the thirteen conditions, of which thread each is, and the notes on them.

The states are the machine's: what a unit counts for its instructions, and whose a source bank is.
"""

from __future__ import annotations

from collections.abc import Mapping

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.masks import CONDITIONS_BLACKHOLE
from tensix_gdb.core.memory import streams
from tests.documents.facts.fact import Fact
from tests.documents.facts.runs import MEMORY, is_latched, more, outcomes
from tests.documents.facts.texts import notes, waits_while
from tests.documents.on_the_machine import LATER, after

# The banks in the hands of those who work on them, so that C5 to C8 are met.
MET = {
    **{"busy.src_client[0,1]": 1, "busy.src_client[1,1]": 1},
    **{"busy.matrix_bank[0]": 1, "busy.matrix_bank[1]": 1},
}
T0_EMITTED = f"stream.count[{T0},{{}}]"
# For each condition, what it waits for in words of `explain` and as a state of the machine.
CONDITIONS: list[tuple[str, Mapping[str, int]]] = [
    ("the Scalar Unit has memory requests of this thread outstanding", MEMORY),
    ("this thread has an instruction in Unpacker 0", {"busy.unpacker[0,0]": 1}),
    ("this thread has an instruction in Unpacker 1", {"busy.unpacker[1,0]": 1}),
    ("this thread has an instruction in the Packer", {"busy.packer[0]": 1}),
    ("this thread has an instruction in the Matrix Unit", {"busy.matrix[0]": 1}),
    ("Unpacker 0's bank of SrcA does not belong to the unpackers", {"busy.unpack_bank[0]": 1}),
    ("Unpacker 1's bank of SrcB does not belong to the unpackers", {"busy.unpack_bank[1]": 1}),
    ("the Matrix Unit's bank of SrcA does not belong to it", {"busy.matrix_bank[0]": 0}),
    ("the Matrix Unit's bank of SrcB does not belong to it", {"busy.matrix_bank[1]": 0}),
    (
        "the Mover has memory requests of any thread outstanding",
        {"busy.mover": 1, "mover.left": 1, "mover.due": LATER},
    ),
    (
        "the thread's T core has a request to Tensix GPRs, configuration or TDMA-RISC emitted and "
        "not yet processed",
        {T0_EMITTED.format(streams.GPR): 1},
    ),
    ("this thread has an instruction in the Vector Unit", {"busy.vector[0]": 1}),
    ("any thread has an instruction in the Configuration Unit", {}),
]
ADD = "push ADDDMAREG.Reg result_reg=2, left_reg=1, right_reg=0"


def keeps_waiting(mask: int, state: Mapping[str, int], thread: int = 0) -> bool:
    """Is a STALLWAIT with this condition mask still latched after some cycles?"""
    return is_latched([(thread, 0xA2000000 | 1 << 16 | mask)], {**MET, **state}, thread)


def which_keep_waiting(state: Mapping[str, int], thread: int = 0) -> list[int]:
    """The conditions that, each alone, keep on waiting in a state."""
    return [bit for bit in range(13) if keeps_waiting(1 << bit, state, thread)]


def c12_waits(issuer: int, thread: int) -> bool:
    """While one thread has an instruction in the Configuration Unit: does another one wait?"""
    program = [(issuer, "STREAMWRCFG cfg_index=100"), (thread, "STALLWAIT block=B1, wait=C12")]
    kinds = [int(after(n, program).S.latch.kind[thread]) for n in range(1, 12)]
    return sum(map(bool, kinds)) > 3 and not kinds[-1]


def all_at_once() -> list[bool]:
    """Is a wait for C1 and C3 latched: with C1 busy, then C3 instead, then none?"""
    record = after(10, [(0, "STALLWAIT block=B6, wait=C1|C3")], {"busy.unpacker[0,0]": 1})
    found = [bool(record.S.latch.kind[0])]
    for unpacker, packer in ((1, 1), (0, 1), (0, 0)):
        more(record, 5, {"busy.unpacker[0,0]": unpacker, "busy.packer[0]": packer})
        found.append(bool(record.S.latch.kind[0]))
    return found


def condition_fact(bit: int) -> Fact:
    """The row of a condition in the table of meanings: its words, and that it alone waits."""
    text, state = CONDITIONS[bit]

    def found() -> tuple[dict[str, str], list[int]]:
        waiting = [12] * c12_waits(0, 0) if bit == 12 else which_keep_waiting(state)
        return waits_while(f"STALLWAIT wait=C{bit}"), waiting

    return Fact(f"C{bit} waits while {text}.", found, ({f"C{bit}": text}, [bit]))


def of_others(sentence: str, bit: int, state: Mapping[str, int]) -> Fact:
    """A condition that looks at the thread's own work: the same of another thread is none of it."""
    return Fact(sentence, lambda: keeps_waiting(1 << bit, state), False)


MEANINGS = [
    Fact(
        "The condition mask has thirteen bits with a name.",
        lambda: [name.text for name in CONDITIONS_BLACKHOLE.names],
        [f"C{bit}" for bit in range(13)],
    ),
    Fact("C0 is its lowest bit.", lambda: parse("STALLWAIT wait=C0") & 0x1FFF, 1),
    Fact("C12 is its highest bit.", lambda: parse("STALLWAIT wait=C12") & 0x1FFF, 1 << 12),
    *(condition_fact(bit) for bit in range(13)),
    of_others("C0 leaves requests of other threads alone.", 0, {**MEMORY, "thcon.owner[0]": 1}),
    of_others("C1 leaves instructions of other threads alone.", 1, {"busy.unpacker[0,1]": 1}),
    of_others("C2 leaves instructions of other threads alone.", 2, {"busy.unpacker[1,2]": 1}),
    of_others("C3 leaves instructions of other threads alone.", 3, {"busy.packer[1]": 1}),
    Fact(
        "C4 is about the thread's own instructions; `explain` says that a card may wait for more.",
        lambda: (
            keeps_waiting(1 << 4, {"busy.matrix[1]": 1}),
            notes("STALLWAIT wait=C4", "C4", says="may wait longer than necessary while several"),
        ),
        (False, True),
    ),
    Fact(
        "C11 is about the thread's own instructions; `explain` says that a card may wait for more.",
        lambda: (
            keeps_waiting(1 << 11, {"busy.vector[2]": 1}),
            notes("STALLWAIT wait=C11", "C11", says="may wait longer than necessary while several"),
        ),
        (False, True),
    ),
    Fact(
        "C5 is about the bank of SrcA at which Unpacker 0 is, not about the other one.",
        lambda: [
            keeps_waiting(1 << 5, {"busy.unpack_bank[0]": bank, "busy.src_client[0,1]": 1})
            for bank in (0, 1)
        ],
        [False, True],
    ),
    Fact(
        "C6 is about the bank of SrcB at which Unpacker 1 is, not about the other one.",
        lambda: [
            keeps_waiting(1 << 6, {"busy.unpack_bank[1]": bank, "busy.src_client[1,1]": 1})
            for bank in (0, 1)
        ],
        [False, True],
    ),
    Fact(
        "C7 is about the bank of SrcA at which the Matrix Unit is, not about the other one.",
        lambda: [keeps_waiting(1 << 7, {"busy.matrix_bank[0]": bank}) for bank in (0, 1)],
        [True, False],
    ),
    Fact(
        "C8 is about the bank of SrcB at which the Matrix Unit is, not about the other one.",
        lambda: [keeps_waiting(1 << 8, {"busy.matrix_bank[1]": bank}) for bank in (0, 1)],
        [True, False],
    ),
    Fact(
        "C9 counts the Mover's requests of every thread.",
        lambda: [keeps_waiting(1 << 9, CONDITIONS[9][1], thread) for thread in range(3)],
        [True] * 3,
    ),
    Fact(
        "C9 counts the Mover's requests that TDMA-RISC has made.",
        lambda: keeps_waiting(1 << 9, {**CONDITIONS[9][1], "mover.hart": 0, "mover.pc": 0x100}),
    ),
    Fact(
        "C10 counts loads of the T core.",
        lambda: outcomes(
            "lw a0, GPR[1]\npush STALLWAIT block=B5, wait=C10\n"
            "push SETDMAREG.Immediate result_half_reg=2, new_value=5",
            "T0:a0",
        ),
        {0},
    ),
    Fact(
        "C10 counts stores of the T core.",
        lambda: outcomes(f"sw 5, GPR[1]\npush STALLWAIT block=B5, wait=C10\n{ADD}", "T0:GPR[2]"),
        {5},
    ),
    Fact(
        "C10 counts requests to GPRs.",
        lambda: keeps_waiting(1 << 10, {T0_EMITTED.format(streams.GPR): 1}),
    ),
    Fact(
        "C10 counts requests to the configuration.",
        lambda: keeps_waiting(1 << 10, {T0_EMITTED.format(streams.CONFIG): 1}),
    ),
    Fact(
        "C10 counts requests to TDMA-RISC.",
        lambda: keeps_waiting(1 << 10, {T0_EMITTED.format(streams.TDMA): 1}),
    ),
    Fact(
        "C10 counts requests to nothing else.",
        lambda: [
            keeps_waiting(1 << 10, {T0_EMITTED.format(stream): 1})
            for stream in (streams.L1, streams.SEMAPHORE, streams.PUSH)
        ],
        [False] * 3,
    ),
    Fact(
        "C10 of a thread is about its own T core.",
        lambda: [
            keeps_waiting(1 << 10, {f"stream.count[{T0 + core},{streams.GPR}]": 1}, thread)
            for thread in range(3)
            for core in range(3)
        ],
        [thread == core for thread in range(3) for core in range(3)],
    ),
    Fact(
        "C12 is about the Configuration Unit's instructions of every thread.",
        lambda: [c12_waits(1, thread) for thread in (0, 2)],
        [True, True],
    ),
    Fact(
        "Of several chosen conditions one that is not met is enough to keep the wait latched.",
        lambda: [keeps_waiting(1 << 1 | 1 << bit, {"busy.unpacker[0,0]": 1}) for bit in range(13)],
        [True] * 13,
    ),
    Fact(
        "It goes when all chosen conditions are met at once, not each at some time.",
        lambda: (
            all_at_once(),
            notes("STALLWAIT wait=C1|C3", "C1|C3", says="in a cycle in which all of them are met"),
        ),
        ([True, True, True, False], True),
    ),
]
