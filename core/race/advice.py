# SPDX-License-Identifier: Apache-2.0
"""Why nothing orders the two sides of a report, and what would (the tables of README.md)."""

from __future__ import annotations

from dataclasses import dataclass

from tensix_gdb.core.race.findings import Fix, State
from tensix_gdb.core.race.lines import LOAD, Line, Named, Region
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.table import ROWS

_ORDERING = "BabyRISCV/MemoryOrdering.md"
_STALLWAIT = "TensixCoprocessor/STALLWAIT.md"
_BLOCKS = {
    Unit.SYNC: "STALL_SYNC",
    Unit.PACKER: "STALL_PACK",
    Unit.UNPACKER: "STALL_UNPACK",
    Unit.MOVER: "STALL_XMOV",
    Unit.THCON: "STALL_THCON",
    Unit.FPU: "STALL_MATH",
    Unit.CONFIG: "STALL_CFG",
    Unit.SFPU: "STALL_SFPU",
}
_CONDITIONS = {
    Line.SCALAR: "THCON",
    Line.MEMORY: "THCON",
    Line.PIPE: "CFGEXU",
    Line.LATE_GPR: "CFGEXU",
    Line.UNPACKER_0: "UNPACK0",
    Line.UNPACKER_1: "UNPACK1",
    Line.PACKER: "PACK0",
    Line.MATRIX: "MATH",
    Line.VECTOR: "SFPU1",
}
# What STALLWAIT C10 counts.
_COUNTED = (Region.GPR, Region.CONFIG, Region.TDMA)


@dataclass(frozen=True, slots=True)
class Advice:
    """Sentences of a report, the fix, and the page."""

    reason: str
    fix: Fix | None
    page: str


def block_of(mnemonic: str) -> str:
    """LLK's name of the block mask that holds an instruction back."""
    unit = next((row.unit for row in ROWS if row.mnemonic == mnemonic), None)
    return _BLOCKS.get(unit, "STALL_THREAD") if unit else "STALL_THREAD"


def stallwait(block: str, condition: str) -> str:
    """A STALLWAIT as LLK writes it."""
    return f"TTI_STALLWAIT(p_stall::{block}, p_stall::{condition})"


def advise(earlier: Named, later: Named, instruction: str, state: State) -> Advice:
    """What to say about a pair of lines; `instruction` is the later one."""
    if state is State.FIFO:
        return Advice(
            "Pushes of two harts meet in the thread's frontend, and the later one was made without "
            "knowing that the earlier instruction had begun.",
            Fix("a load that waits for the thread (PCBuf, CoprocessorDoneCheck)",
                "before the later push, or before a signal to its hart", ("STALLWAIT",)),
            "BabyRISCV/PushTensixInstruction.md",
        )  # fmt: skip
    if earlier.hart is not None:
        if later.hart is not None:
            return _between_harts(earlier, later)
        return _hart_then_thread(earlier, later, instruction, state)
    if later.hart is not None:
        return _thread_then_hart(earlier, later)
    return _between_instructions(earlier, later, instruction)


def _between_harts(earlier: Named, later: Named) -> Advice:
    if earlier.hart == later.hart:
        return Advice(
            "The two requests travel to different regions, which do not order them.",
            Fix("use the value that a load of the same word brings", "between the two",
                ("a load whose value is not used", "fence after a store")),
            _ORDERING,
        )  # fmt: skip
    used = earlier.way == LOAD
    return Advice(
        "Requests of two harts meet in the region only, and no signal that the later one has "
        "waited for was sent after the earlier one was "
        + ("answered and used." if used else "processed."),
        Fix("use the value that was loaded" if used else "read the word back and use the value",
            "before the signal to the other hart", ("fence",)),
        _ORDERING,
    )  # fmt: skip


def _hart_then_thread(earlier: Named, later: Named, instruction: str, state: State) -> Advice:
    request = "load" if earlier.way == LOAD else "store"
    if later.thread is not None and earlier.hart == later.thread + 1:
        if later.line is Line.EXPANDER or state is State.MOP_CONFIG:
            return Advice(
                "MopCfg and the push window are two regions, and no wait knows a store to MopCfg.",
                None, "TensixCoprocessor/MOPExpander.md",
            )  # fmt: skip
        reason = (
            f"The {request} is emitted before the push, but its region and the push window are "
            "two: nothing orders what they do."
        )
        if earlier.region in _COUNTED:
            fix = Fix(stallwait(block_of(instruction), "TRISC_CFG"), "before the later instruction",
                      ("fence", "a STALLWAIT that another hart has pushed",
                       "a block mask without the unit"))  # fmt: skip
            return Advice(reason, fix, _STALLWAIT)
        return Advice(
            reason + " STALLWAIT C10 does not count this region.",
            Fix("use the value that a load of the same word brings", "before the push",
                ("fence", stallwait(block_of(instruction), "TRISC_CFG"))),
            _ORDERING,
        )  # fmt: skip
    return Advice(
        f"The {request} is of another hart than the one that feeds the thread, and nothing that "
        "the thread has waited for was sent after it was done.",
        Fix("use the value that a load of the same word brings", "before the signal",
            ("STALLWAIT C10, which knows the own T core only",)),
        _ORDERING,
    )  # fmt: skip


def _thread_then_hart(earlier: Named, later: Named) -> Advice:
    own = earlier.thread is not None and later.hart == earlier.thread + 1
    reason = "A push says nothing about when the instruction is executed"
    if own:
        return Advice(
            reason + ", and the later request does not wait for it.",
            Fix("tensix_sync()", "between the two",
                ("fence", "a load of CoprocessorDoneCheck without the store before it",
                 "STALLWAIT, which holds instructions and no requests")),
            "BabyRISCV/ManualTTSync.md",
        )  # fmt: skip
    condition = _CONDITIONS.get(earlier.line, "") if earlier.line is not None else ""
    wait = stallwait("STALL_SYNC", condition) if condition else "TTI_SEMPOST"
    return Advice(
        reason + ", and no signal that the hart has waited for was sent after its end.",
        Fix(wait, "before the thread's signal", ("a SEMPOST without a wait for the unit",)),
        "TensixCoprocessor/SEMPOST.md",
    )


def _between_instructions(earlier: Named, later: Named, instruction: str) -> Advice:
    condition = _CONDITIONS.get(earlier.line, "") if earlier.line is not None else ""
    if earlier.thread == later.thread:
        if not condition:
            return Advice("The two are in different units of the thread.", None, _STALLWAIT)
        return Advice(
            "The thread goes on before the unit has ended the earlier instruction.",
            Fix(stallwait(block_of(instruction), condition), "between the two",
                ("a block mask without the unit",)),
            _STALLWAIT,
        )  # fmt: skip
    if condition:
        fix = Fix(stallwait("STALL_SYNC", condition), "before the earlier thread's SEMPOST",
                  ("a SEMPOST without a wait for the unit",))  # fmt: skip
    else:
        fix = Fix("TTI_SEMPOST, and TTI_SEMWAIT in the later thread", "between the two")
    return Advice(
        "The instructions are of two threads, and no semaphore or mutex between them says that "
        "the earlier one has ended.", fix, "TensixCoprocessor/SEMPOST.md",
    )  # fmt: skip
