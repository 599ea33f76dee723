# SPDX-License-Identifier: Apache-2.0
"""FLUSHDMA on the machine, as two documents ask for it: of Blackhole, and of Wormhole."""

from __future__ import annotations

from collections.abc import Mapping

from tensix_gdb.core.litmus.data_path_setup import READY
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.scalar.pipeline import FLUSHING
from tensix_gdb.core.waits import tensix as waits
from tests.documents.facts.runs import (
    MEMORY,
    MISC,
    SCALAR,
    SYNC,
    UNPACKER_0,
    first_cycle,
    more,
    passed,
)
from tests.documents.facts.texts import BH, WH, Arch, reasons
from tests.documents.on_the_machine import after, held

# Rows that choose the architecture of the control units.
ON: dict[Arch, Mapping[str, int]] = {BH: {}, WH: {"tile.chip": 1}}
CONDITIONS = [
    ("the Scalar Unit has memory requests of this thread outstanding", MEMORY),
    ("this thread has an instruction in Unpacker 0", {"busy.unpacker[0,0]": 1}),
    ("this thread has an instruction in Unpacker 1", {"busy.unpacker[1,0]": 1}),
    (
        "this thread has an instruction in Packer 0 (on Blackhole, the packer)",
        {"busy.packer[0]": 1},
    ),
]
OF_OTHERS = [
    {**MEMORY, "thcon.owner[0]": 1},
    {"busy.unpacker[0,1]": 1},
    {"busy.unpacker[1,2]": 1},
    {"busy.packer[1]": 1},
]


def is_flushing(mask: int, state: Mapping[str, int], arch: Arch = BH, thread: int = 0) -> bool:
    """Is a FLUSHDMA still in the Scalar Unit after some cycles?"""
    record = after(12, [(thread, 0x46000000 | mask)], {**ON[arch], **state})
    return bool(record.S.thcon.state == FLUSHING)


def which_wait(state: Mapping[str, int], arch: Arch = BH) -> list[int]:
    """The conditions that, each alone, keep a FLUSHDMA of T0 waiting."""
    return [bit for bit in range(4) if is_flushing(1 << bit, state, arch)]


def default(arch: Arch) -> tuple[int, int]:
    """The mask that 0 stands for: as the unit has it, and as `core.waits` says it."""
    record = after(20, [(0, 0x46000000)], {**ON[arch], **UNPACKER_0})
    return int(record.S.thcon.value), waits.parse("FLUSHDMA", arch).condition_mask()


def own_thread(arch: Arch) -> tuple[set[str], Held]:
    """Return what passes after a FLUSHDMA in its thread, and what holds the next instruction."""
    program = [(0, "FLUSHDMA wait=C1"), (0, MISC), (0, SYNC)]
    state = {**ON[arch], **UNPACKER_0}
    return passed(program, state), held(after(30, program, state))


def other_thread(arch: Arch) -> tuple[set[str], Held]:
    """The same of another thread that has an instruction for the Scalar Unit."""
    program = [(0, "FLUSHDMA wait=C1"), (1, "NOP"), (1, SCALAR), (1, SYNC)]
    state = {**ON[arch], **UNPACKER_0}
    return passed(program, state, thread=1), held(after(30, program, state), 1)


def beside_a_stallwait(arch: Arch) -> tuple[set[str], set[str]]:
    """T0 waits by STALLWAIT with a full block mask: the marks of T0, and those of T1."""
    wait = "STALLWAIT block=ALL, wait=C1"
    program = [(0, wait), (0, MISC), (1, "NOP"), (1, SCALAR), (1, MISC)]
    state = {**ON[arch], **UNPACKER_0}
    return passed(program, state), passed(program, state, thread=1)


def all_at_once(arch: Arch) -> list[bool]:
    """Is it in the unit: with C1 busy, then C1 and C3, then C3, then C1, then none?"""
    record = after(10, [(0, "FLUSHDMA wait=C1|C3")], {**ON[arch], "busy.unpacker[0,0]": 1})
    found = [bool(record.S.thcon.state)]
    for unpacker, packer in ((1, 1), (0, 1), (1, 0), (0, 0)):
        more(record, 5, {"busy.unpacker[0,0]": unpacker, "busy.packer[0]": packer})
        found.append(bool(record.S.thcon.state))
    return found


def any_is_enough(arch: Arch) -> list[bool]:
    """With all four chosen, each of them alone busy."""
    return [is_flushing(0xF, state, arch) for _, state in CONDITIONS]


def least_cycles(arch: Arch) -> int:
    """Return how many cycles it takes when everything is idle."""
    program = [(0, "FLUSHDMA wait=C1"), (0, MISC)]
    plain = [(0, "NOP"), (0, MISC)]
    return 1 + first_cycle(program, MISC, ON[arch]) - first_cycle(plain, MISC, ON[arch])


def until_it_is_idle(arch: Arch, busy: int) -> int:
    """Return how many cycles after a unit became idle it is done, when it was busy for so many
    cycles."""
    record = after(busy, [(0, "FLUSHDMA wait=C1"), (0, MISC)], {**ON[arch], **UNPACKER_0})
    more(record, 0, {"busy.unpacker[0,0]": 0})
    for cycle in range(1, 20):
        if not more(record, 1).S.thcon.state:
            return cycle
    return 0


def same_as_stallwait(arch: Arch) -> list[tuple[list[str], list[str]]]:
    """For each condition alone: for what FLUSHDMA and STALLWAIT wait while its unit is busy."""
    busy = (
        waits.Activity(scalar_requests=1),
        waits.Activity(unpackers=[1, 0]),
        waits.Activity(unpackers=[0, 1]),
        waits.Activity(packers=[1, 0, 0, 0]),
    )
    return [
        (
            reasons(f"FLUSHDMA wait=C{bit}", state, arch),
            reasons(f"STALLWAIT wait=C{bit}", state, arch),
        )
        for bit, state in enumerate(busy)
    ]


# T0 unpacks into a bank of SrcA that the Matrix Unit has, and waits for its unpacker. T1 would give
# the bank back, after an instruction of the Scalar Unit.
UNPACR = "UNPACR.Regular which_unpacker=0, multi_context_mode=1"
FREES = [(1, "NOP"), (1, "NOP"), (1, SCALAR), (1, "CLEARDVALID flip_src_a=1")]
NOT_FREE = {
    "busy.src_client[0,0]": 1,
    **{row: value for row, value in READY["unpacker 0"].items() if row.startswith("config")},
}


def ends(wait: str) -> bool:
    """Do both threads of this example come to their ends?"""
    record = after(2000, [(0, UNPACR), (0, wait), (0, MISC), *FREES], NOT_FREE)
    return not record.S.tensix.active
