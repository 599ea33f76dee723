# SPDX-License-Identifier: Apache-2.0
"""The reason why nothing orders the two sides of a report, and what would (the tables of
README.md)."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race.findings import State
from tensix_gdb.core.race.lines import LOAD, OTHER_TILE, PACKET, TDMA_RISC, THE_HOST, Line
from tensix_gdb.core.race.remedies import network
from tensix_gdb.core.race.remedies.end import Advice, End
from tensix_gdb.core.race.remedies.heard import Heard, advise_by
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind, in_words
from tensix_gdb.core.race.remedies.waits import (
    COUNTED,
    TRISC_CFG,
    block_of,
    condition_of,
    stallwait,
)

_ORDERING = "BabyRISCV/MemoryOrdering.md"
_STALLWAIT = "TensixCoprocessor/STALLWAIT.md"
_SEMPOST = "TensixCoprocessor/SEMPOST.md"
_CONTINUES = "The thread continues before the unit has ended the earlier instruction."
_GIFT = (
    "UNPACR_NOP gives the bank away, and hardware does not have it wait for the UNPACR that fills "
    "it, although the pages have the two in sequence (tt-metal#43561)."
)
_LOAD_AND_USE = "use the value that a load of the same word brings"


def advise(
    earlier: End,
    later: End,
    state: State,
    arch: Arch = Arch.BLACKHOLE,
    heard: Heard | None = None,
) -> Advice:
    """Return the advice on the two sides of a report; `heard` is of the earlier side's thread."""
    if state is State.FIFO:
        return Advice(
            "Pushes of two harts meet in the thread's frontend, and the later one was made without "
            "knowing that the earlier instruction had begun.",
            in_words("a load that waits for the thread (PCBuf, CoprocessorDoneCheck)",
                     "before the later push, or before a signal to its hart", "STALLWAIT"),
            "BabyRISCV/PushTensixInstruction.md",
        )  # fmt: skip
    agents = earlier.line.agent, later.line.agent
    if TDMA_RISC in agents:
        return Advice(
            "A command is processed at any time after its store, in the order of the queue.",
            in_words("a load of STATUS until the queue is empty and the mover idle",
                     "after a command that the other one needs", "STALLWAIT C9", "fence"),
            "WormholeB0/TensixTile/TDMA-RISC.md",
        )  # fmt: skip
    if THE_HOST in agents:
        return network.with_host()
    if PACKET in agents:
        return network.with_packet(earlier, later)
    if OTHER_TILE in agents:
        return network.with_tile(earlier)
    if earlier.line.niu is not None:
        return network.after_request(earlier)
    if later.line.niu is not None:
        return network.before_request(earlier, later)
    if earlier.line.hart is not None:
        if later.line.hart is not None:
            return _between_harts(earlier, later, arch)
        return _hart_then_thread(earlier, later, state, arch)
    thread = earlier.line.thread
    if thread is not None and thread not in (later.line.thread, _own_thread(later)) and heard:
        return advise_by(earlier, later, heard, arch)
    if later.line.hart is not None:
        return _thread_then_hart(earlier, later, arch)
    return _between_instructions(earlier, later, state, arch)


def _own_thread(end: End) -> int | None:
    """Return the thread that the hart of an access feeds; None of an instruction."""
    return None if end.line.hart is None else end.line.hart - T0


def _between_harts(earlier: End, later: End, arch: Arch) -> Advice:
    one, other = earlier.line, later.line
    if one.hart == other.hart:
        if one.region is other.region:
            return _past_a_store(later, arch)
        return Advice(
            "The two requests travel to different regions, which do not order them.",
            Remedy(RemedyKind.READ_BACK, "between the two", later.before, words=_LOAD_AND_USE,
                   would_not=("a load of a value that is not used", "fence after a store")),
            _ORDERING,
        )  # fmt: skip
    used = one.way == LOAD
    return Advice(
        "Requests of two harts meet in the region only, and no signal that the later one has "
        "waited for was sent after the earlier one was "
        + ("answered and used." if used else "processed."),
        Remedy(
            RemedyKind.READ_BACK, "before the signal to the other hart", earlier.after,
            words="use the value that was loaded" if used
            else "read the word back and use the value",
            would_not=("fence",),
        ),
        _ORDERING,
    )  # fmt: skip


def _past_a_store(later: End, arch: Arch) -> Advice:
    """A store and a later load of one hart, of the same bytes in one region."""
    load = "a load from the address of the store"
    if arch is Arch.BLACKHOLE:
        return Advice(
            "The load has the bytes by another address than the store, so it does not wait for it: "
            "it may be emitted while the store is in the store queue, and bring what was there "
            "before.",
            Remedy(RemedyKind.READ_BACK, "between the two", later.before, words=load,
                   would_not=("fewer than four stores",)),
            _ORDERING,
        )  # fmt: skip
    return Advice(
        "The load begins at another byte than the store. Wormhole compares first bytes only, so "
        "the load does not wait: it may be emitted while the store is in the store queue, and "
        "bring what was there before. Tenstorrent's compiler guards stores of bytes and halfwords "
        "(-mtt-fix-whraw), and no sw (tt-metal#55505).",
        Remedy(RemedyKind.READ_BACK, "between the two", later.before, words=load, arch=arch,
               would_not=("fence, which is a nop there", "fewer than three other stores")),
        "WormholeB0/TensixTile/" + _ORDERING,
    )  # fmt: skip


def _hart_then_thread(earlier: End, later: End, state: State, arch: Arch) -> Advice:
    request = "load" if earlier.line.way == LOAD else "store"
    thread = later.line.thread
    if thread is None or earlier.line.hart != thread + 1:
        return Advice(
            f"The {request} is of another hart than the one that feeds the thread, and nothing "
            "that the thread has waited for was sent after it was done.",
            Remedy(RemedyKind.READ_BACK, "before the signal", earlier.after, words=_LOAD_AND_USE,
                   would_not=("STALLWAIT C10, which knows the own T core only",)),
            _ORDERING,
        )  # fmt: skip
    if later.line.line is Line.EXPANDER or state is State.MOP_CONFIG:
        return Advice(
            "MopCfg and the push window are two regions, and no wait knows a store to MopCfg.",
            None, "TensixCoprocessor/MOPExpander.md",
        )  # fmt: skip
    reason = (
        f"The {request} is emitted before the push, but its region and the push window are two: "
        "nothing orders what they do."
    )
    wait = stallwait(
        arch, block_of(later.access.instruction), TRISC_CFG, "before the later instruction",
        later.before, "fence", "a STALLWAIT that another hart has pushed",
        "a block mask without the unit",
    )  # fmt: skip
    if earlier.line.region in COUNTED:
        return Advice(reason, wait, _STALLWAIT)
    return Advice(
        reason + " STALLWAIT C10 does not count this region.",
        Remedy(RemedyKind.READ_BACK, "before the push", later.before, words=_LOAD_AND_USE,
               would_not=("fence", wait.text)),
        _ORDERING,
    )  # fmt: skip


def _thread_then_hart(earlier: End, later: End, arch: Arch) -> Advice:
    thread = earlier.line.thread
    reason = "A push says nothing about when the instruction is executed"
    if thread is not None and later.line.hart == thread + 1:
        return Advice(
            reason + ", and the later request does not wait for it.",
            Remedy(RemedyKind.SYNC, "between the two", later.before, "tensix_sync()",
                   would_not=("fence",
                              "a load of CoprocessorDoneCheck without the store before it",
                              "STALLWAIT, which holds instructions and no requests")),
            "BabyRISCV/ManualTTSync.md",
        )  # fmt: skip
    unsaid = "SEMPOST or SEMGET without a wait for the unit"
    condition, where = condition_of(earlier), "before the thread's signal"
    if condition:
        fix = stallwait(arch, Block.B1, condition, where, earlier.after, unsaid)
    else:
        fix = Remedy(RemedyKind.SEMWAIT, where, earlier.after, "TTI_SEMPOST", would_not=(unsaid,))
    return Advice(
        reason + ", and no signal that the hart has waited for was sent after its end.",
        fix, _SEMPOST,
    )  # fmt: skip


def _between_instructions(earlier: End, later: End, state: State, arch: Arch) -> Advice:
    condition = condition_of(earlier)
    if earlier.access.thread == later.access.thread:
        if not condition:
            return Advice("The two are in different units of the thread.", None, _STALLWAIT)
        is_gift = state is State.SRC_BANK and later.access.instruction == "UNPACR_NOP"
        return Advice(
            _GIFT if is_gift else _CONTINUES,
            stallwait(arch, block_of(later.access.instruction), condition, "between the two",
                      later.before, "a block mask without the unit"),
            _STALLWAIT,
        )  # fmt: skip
    if condition:
        fix = stallwait(
            arch, Block.B1, condition,
            "before the SEMPOST or SEMGET with which the earlier thread says so", earlier.after,
            "SEMPOST or SEMGET without a wait for the unit",
        )  # fmt: skip
    else:
        fix = Remedy(
            RemedyKind.SEMWAIT, "between the two", (*earlier.after, *later.before), "TTI_SEMPOST",
            block_of(later.access.instruction),
            words="TTI_SEMPOST, and TTI_SEMWAIT in the later thread",
        )  # fmt: skip
    return Advice(
        "The instructions are of two threads, and no semaphore or mutex between them says that "
        "the earlier one has ended.", fix, _SEMPOST,
    )  # fmt: skip
