# SPDX-License-Identifier: Apache-2.0
"""Remedies of pairs of a thread's instruction and another core or thread, by the way in which the
later side has heard of the thread (core/race/heard.py).

    its gate is known         a SEMPOST, SEMGET or mutex came after it and waits for no unit
    its push is known         a message or store of its core came after the push
    a signal is there         its thread has signalled since, and the later side has not waited
    nothing                   no signal goes from the one to the other between the two
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race import heard
from tensix_gdb.core.race.remedies.end import Advice, End
from tensix_gdb.core.race.remedies.remedy import Beside, Remedy, RemedyKind, Spot
from tensix_gdb.core.race.remedies.waits import block_of, condition_of, semwait, stallwait

_SEMPOST = "TensixCoprocessor/SEMPOST.md"
_SEMWAIT = "TensixCoprocessor/SEMWAIT.md"
_TTSYNC = "BabyRISCV/ManualTTSync.md"
_UNSAID = "SEMPOST or SEMGET without a wait for the unit"


@dataclass(frozen=True, slots=True)
class Heard:
    """The knowledge that the later side had of the earlier side's thread."""

    gate: bool = False
    push: bool = False
    semaphore: int | None = None  # of the first signal of that thread since
    takes: bool = False  # the signal is a SEMGET
    ends: bool = False  # it came after a wait for the end of the earlier instruction
    hart: int = 0  # that has pushed the signal, and where
    pc: int = 0

    @property
    def signal(self) -> str:
        """`SEMPOST of semaphore 1`."""
        return f"{'SEMGET' if self.takes else 'SEMPOST'} of semaphore {self.semaphore}"

    def spot(self, beside: Beside, thread: int | None) -> tuple[Spot, ...]:
        """The spot beside the signal."""
        return (Spot(beside, self.hart, thread, self.pc),) if self.pc else ()


def heard_of(kept: int, hart: int, pc: int) -> Heard | None:
    """Return what a record has of it, with the site of the signal; None if it is not known."""
    if not kept & heard.FOUND:
        return None
    signalled = kept & heard.SIGNALLED
    return Heard(
        bool(kept & heard.GATE_HEARD),
        bool(kept & heard.PUSH_HEARD),
        kept >> heard.SEMAPHORE & 7 if signalled else None,
        bool(kept & heard.IS_GET),
        bool(kept & heard.KNOWS_END),
        hart,
        pc,
    )


def advise_by(earlier: End, later: End, known: Heard, arch: Arch) -> Advice:
    """Return the advice on an instruction of a thread, then an access of another core or thread."""
    first = f"T{earlier.line.thread}"
    if later.line.thread is not None:
        last = f"T{later.line.thread}"
    else:
        last = HART_NAMES[later.access.hart]
    if known.gate:
        return _signal_waits(earlier, last, known, arch)
    if known.push:
        return _after_push(earlier, first, last)
    if known.semaphore is not None:
        return _unheard(earlier, later, first, last, known, arch)
    return _no_signal(earlier, later, first, last, arch)


def _signal_waits(earlier: End, last: str, known: Heard, arch: Arch) -> Advice:
    what, thread = earlier.access.instruction, earlier.line.thread
    reason = (
        f"{last} has heard from thread {thread} that {what} had begun, and not that it had ended: "
        "a signal says nothing about units."
    )
    condition = condition_of(earlier)
    if not condition:
        return Advice(reason, None, _SEMPOST)
    where = "before the SEMPOST or SEMGET with which the earlier thread says so"
    spots: tuple[Spot, ...] = ()
    if known.semaphore is not None:
        where, spots = f"before the {known.signal}", known.spot(Beside.BEFORE, thread)
    wait = stallwait(arch, Block.B1, condition, where, spots or earlier.after, _UNSAID)
    return Advice(reason, wait, _SEMPOST)


def _after_push(earlier: End, first: str, last: str) -> Advice:
    what = earlier.access.instruction
    return Advice(
        f"{last} has heard from {first}, by a message or a store of the core, that {what} was "
        "pushed, which says nothing about when it is executed.",
        Remedy(
            RemedyKind.SYNC, f"between the push and what {first} sends", earlier.after,
            "tensix_sync()",
            would_not=("STALLWAIT, which holds instructions, and no store of a core",
                       "fence", "a load of CoprocessorDoneCheck without the store before it"),
        ),
        _TTSYNC,
    )  # fmt: skip


def _unheard(earlier: End, later: End, first: str, last: str, known: Heard, arch: Arch) -> Advice:
    what = earlier.access.instruction
    reason = (
        f"{first} has signalled since, by a {known.signal}, and {last} has not waited for that."
    )
    semaphore, condition = known.semaphore, condition_of(earlier)
    assert semaphore is not None
    if not known.ends and condition:
        reason += f" The signal does not wait for {what} either."
    if later.line.thread is None:
        return Advice(
            reason,
            Remedy(
                RemedyKind.SEMWAIT, "before the later access", later.before,
                semaphore=semaphore, words=f"a loop of {last} that waits for semaphore {semaphore}",
            ),
            _SEMPOST,
        )  # fmt: skip
    on = 2 if known.takes else 1
    wait = semwait(arch, block_of(later.access.instruction) | Block.B1, on, semaphore,
                   "before the later instruction", later.before,
                   f"a STALLWAIT of {first}, which holds no other thread")  # fmt: skip
    return Advice(reason, wait, _SEMWAIT)


def _no_signal(earlier: End, later: End, first: str, last: str, arch: Arch) -> Advice:
    reason = f"No semaphore goes from {first} to {last} between the two."
    condition = condition_of(earlier)
    post = "TTI_SEMPOST"
    if condition:
        wait = stallwait(arch, Block.B1, condition, "", ())
        post = f"{wait.text} and TTI_SEMPOST"
    if later.line.thread is None:
        reason = f"No signal goes from {first} to {last} between the two."
        words = f"{post} in {first}, and a loop of {last} that waits for the semaphore"
    else:
        words = f"{post} in {first}, and TTI_SEMWAIT in {last}"
    fix = Remedy(
        RemedyKind.SEMWAIT, "between the two", (*earlier.after, *later.before), "TTI_SEMPOST",
        int(block_of(later.access.instruction) | Block.B1) if later.line.thread is not None else 0,
        words=words, arch=arch,
        would_not=(f"a STALLWAIT of {first} alone", "fence"),
    )  # fmt: skip
    return Advice(reason, fix, _SEMPOST)
