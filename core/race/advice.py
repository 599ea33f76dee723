# SPDX-License-Identifier: Apache-2.0
"""The reason why nothing orders the two sides of a report, and what would (the tables of
README.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tensix_gdb.core.race.findings import Fix, State
from tensix_gdb.core.race.lines import (
    LOAD,
    OTHER_TILE,
    TDMA_RISC,
    THE_HOST,
    Line,
    Named,
    Noc,
    Region,
)
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.table import ROWS

_ORDERING = "BabyRISCV/MemoryOrdering.md"
_COUNTERS = "NoC/Counters.md"
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
    """Return a STALLWAIT as LLK writes it."""
    return f"TTI_STALLWAIT(p_stall::{block}, p_stall::{condition})"


def on_wormhole(advice: Advice) -> Advice:
    """The same with Wormhole's conditions: none for the Configuration Unit, one for each packer."""
    if advice is _PAST_A_STORE:
        return _PAST_A_STORE_ON_WORMHOLE
    if advice.fix is None:
        return advice
    if "p_stall::CFGEXU" in advice.fix.text:
        fix = Fix("TTI_NOP", "right after the instruction that writes the configuration",
                  ("STALLWAIT, which has no condition for that unit there",))  # fmt: skip
        return replace(advice, fix=fix)
    text = advice.fix.text.replace("p_stall::PACK0", "p_stall::PACK")
    return replace(advice, fix=replace(advice.fix, text=text))


def advise(earlier: Named, later: Named, instruction: str, state: State) -> Advice:
    """Return the advice on a pair of lines; `instruction` is the later one."""
    if state is State.FIFO:
        return Advice(
            "Pushes of two harts meet in the thread's frontend, and the later one was made without "
            "knowing that the earlier instruction had begun.",
            Fix("a load that waits for the thread (PCBuf, CoprocessorDoneCheck)",
                "before the later push, or before a signal to its hart", ("STALLWAIT",)),
            "BabyRISCV/PushTensixInstruction.md",
        )  # fmt: skip
    if TDMA_RISC in (earlier.agent, later.agent):
        return Advice(
            "A command is processed at any time after its store, in the order of the queue.",
            Fix("a load of STATUS until the queue is empty and the mover idle",
                "after a command that the other one needs", ("STALLWAIT C9", "fence")),
            "WormholeB0/TensixTile/TDMA-RISC.md",
        )  # fmt: skip
    if THE_HOST in (earlier.agent, later.agent):
        return _with_host()
    if OTHER_TILE in (earlier.agent, later.agent):
        return _with_tile(earlier)
    if earlier.niu is not None:
        return _after_request(earlier)
    if later.niu is not None:
        return _before_request(earlier)
    if earlier.hart is not None:
        if later.hart is not None:
            return _between_harts(earlier, later)
        return _hart_then_thread(earlier, later, instruction, state)
    if later.hart is not None:
        return _thread_then_hart(earlier, later)
    return _between_instructions(earlier, later, instruction)


def _with_host() -> Advice:
    return Advice(
        "The host and the tile share L1, and neither has waited for a word of the other one that "
        "says that the access is over.",
        Fix("a word of L1 that the later one polls", "between the two", ("fence",)), _ORDERING,
    )  # fmt: skip


def _with_tile(earlier: Named) -> Advice:
    if earlier.agent == OTHER_TILE:
        return Advice(
            "The request comes from another tile, and no signal that this one has waited for was "
            "sent after the other tile knew it to be over.",
            Fix("a barrier of its NIU, such as noc_async_write_barrier()",
                "in the other tile, between the request and its signal",
                ("a signal by another NoC, or on another virtual channel", "fence")),
            _COUNTERS,
        )  # fmt: skip
    return Advice(
        "The other tile has started the request without having heard that this one has done with "
        "the memory.",
        Fix("a signal to the other tile, which waits for it (a semaphore)",
            "between the two", ("NOC_CMD_CTRL back at 0", "fence")),
        _COUNTERS,
    )  # fmt: skip


_OVER = {
    Noc.LANDED: ("its data is in L1", "noc_async_read_barrier()", "NIU_MST_RD_RESP_RECEIVED"),
    Noc.ACKED: ("it is acknowledged", "noc_async_write_barrier()", "NIU_MST_WR_ACK_RECEIVED"),
    Noc.ANSWERED: ("it is answered", "noc_async_atomic_barrier()", "NIU_MST_ATOMIC_RESP_RECEIVED"),
    Noc.SENT: (
        "its source was read", "noc_async_write_barrier()",
        "NIU_MST_WRITE_REQS_OUTGOING_ID or NIU_MST_WR_ACK_RECEIVED",
    ),
}  # fmt: skip


def _after_request(earlier: Named) -> Advice:
    if earlier.noc not in _OVER:
        return Advice(
            "A posted request is at its target at any time, and no counter of its NIU says when.",
            Fix("NOC_CMD_RESP_MARKED, and a wait for the answer", "at the request",
                ("noc_async_posted_writes_flushed(), after which it may be on its way",)),
            _COUNTERS,
        )  # fmt: skip
    until, barrier, counter = _OVER[earlier.noc]
    return Advice(
        f"A request continues after the store to NOC_CMD_CTRL; that {until} is known by a counter.",
        Fix(f"{barrier} ({counter})", "between the two, or before the signal to the later one",
            ("NOC_CMD_CTRL back at 0, which says that the request was taken", "fence")),
        _COUNTERS,
    )  # fmt: skip


def _before_request(earlier: Named) -> Advice:
    if earlier.hart is not None:
        return Advice(
            "L1 and the NIU are two regions: the request may begin before what was emitted to L1 "
            "is processed.",
            Fix("use the value that a load of the same word brings",
                "before the store to NOC_CMD_CTRL", ("fence",)),
            _ORDERING,
        )  # fmt: skip
    return Advice(
        "The hart has started the request without a wait for what the other one does with L1.",
        Fix("a signal of the earlier one that the hart waits for",
            "before the store to NOC_CMD_CTRL"),
        _COUNTERS,
    )  # fmt: skip


# A store and a later load of one hart, of the same bytes in one region.
_PAST_A_STORE = Advice(
    "The load has the bytes by another address than the store, so it does not wait for it: it may "
    "be emitted while the store is in the store queue, and bring what was there before.",
    Fix("a load from the address of the store", "between the two", ("fewer than four stores",)),
    _ORDERING,
)
_PAST_A_STORE_ON_WORMHOLE = Advice(
    "The load begins at another byte than the store. Wormhole compares first bytes only, so the "
    "load does not wait: it may be emitted while the store is in the store queue, and bring what "
    "was there before. Tenstorrent's compiler guards stores of bytes and halfwords "
    "(-mtt-fix-whraw), and no sw (tt-metal#55505).",
    Fix("a load from the address of the store", "between the two",
        ("fence, which is a nop there", "fewer than three other stores")),
    "WormholeB0/TensixTile/" + _ORDERING,
)  # fmt: skip


def _between_harts(earlier: Named, later: Named) -> Advice:
    if earlier.hart == later.hart and earlier.region is later.region:
        return _PAST_A_STORE
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
        Fix(wait, "before the thread's signal", ("SEMPOST or SEMGET without a wait for the unit",)),
        "TensixCoprocessor/SEMPOST.md",
    )


def _between_instructions(earlier: Named, later: Named, instruction: str) -> Advice:
    condition = _CONDITIONS.get(earlier.line, "") if earlier.line is not None else ""
    if earlier.thread == later.thread:
        if not condition:
            return Advice("The two are in different units of the thread.", None, _STALLWAIT)
        return Advice(
            "The thread continues before the unit has ended the earlier instruction.",
            Fix(stallwait(block_of(instruction), condition), "between the two",
                ("a block mask without the unit",)),
            _STALLWAIT,
        )  # fmt: skip
    if condition:
        fix = Fix(stallwait("STALL_SYNC", condition),
                  "before the SEMPOST or SEMGET with which the earlier thread says so",
                  ("SEMPOST or SEMGET without a wait for the unit",))  # fmt: skip
    else:
        fix = Fix("TTI_SEMPOST, and TTI_SEMWAIT in the later thread", "between the two")
    return Advice(
        "The instructions are of two threads, and no semaphore or mutex between them says that "
        "the earlier one has ended.", fix, "TensixCoprocessor/SEMPOST.md",
    )  # fmt: skip
