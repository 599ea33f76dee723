# SPDX-License-Identifier: Apache-2.0
"""A remedy as a value: which instruction or call orders the two sides of a report, and where.

What a person reads is made of it (`text`, `where`), and so is a trial: an instruction that is put
in at one of the `spots`, or a line in the source there.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.masks import (
    BLOCK_MASK,
    CONDITIONS_BLACKHOLE,
    CONDITIONS_SEMWAIT,
    CONDITIONS_WORMHOLE,
)

_PACKERS = " | ".join(f"p_stall::PACK{i}" for i in range(4))  # Wormhole's PACK


class RemedyKind(enum.Enum):
    """The form of a remedy."""

    STALLWAIT = "STALLWAIT"  # `block` and `conditions` are its operands
    SEMWAIT = "SEMWAIT"  # a semaphore: a SEMPOST at the first spot, a SEMWAIT at the second
    RESTORE = "restore"  # `register` gets `value` back, as an uninit function would do it
    SYNC = "sync"  # tensix_sync(): the hart waits for its thread
    READ_BACK = "read back"  # load the word that was stored, or is loaded, and use the value
    BARRIER = "barrier"  # of an NIU, for requests that were made
    FENCE = "fence"  # the L0 data cache is emptied: invalidate_l1_cache()
    NOP = "NOP"  # a TTI_NOP
    WORDS = "words"  # nothing that can be put in at one place


class Beside(enum.Enum):
    """The side of an instruction on which something goes."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for an instruction: next to one that a hart executes, or pushes to its thread.

    `thread` and `via` are of the instruction there: of one that a MOP or a REPLAY expands, `pc` is
    that of the push, and a spot beside it is one beside all that is expanded.
    """

    beside: Beside
    hart: int
    thread: int | None
    pc: int
    via: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """An order for two accesses, as LLK or tt-metal writes it, and its place."""

    kind: RemedyKind
    where: str  # in words: "before the later access"
    spots: tuple[Spot, ...] = ()  # the first is where it goes; empty if no one place is known
    macro: str = ""  # of LLK or tt-metal: "TTI_STALLWAIT", "tensix_sync()"
    block: int = 0  # of a wait: its masks, as `arch` has them
    conditions: int = 0
    semaphore: int | None = None
    register: str = ""  # what is restored, as core/places writes it: "cfg THCON_SEC0_REG2_… 0"
    value: int | None = None
    words: str = ""  # the text of what is no wait
    would_not: tuple[str, ...] = ()  # what looks as if it would, and does not
    arch: Arch = Arch.BLACKHOLE

    @property
    def text(self) -> str:
        """`TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG)`."""
        llk = Dialect(self.arch, llk=True)
        if self.macro == "TTI_SEMWAIT":
            block = BLOCK_MASK.show(self.block, llk)
            on = CONDITIONS_SEMWAIT.show(self.conditions, llk)
            return f"{self.macro}({block}, semaphore::t6_sem({self.semaphore}), {on})"
        if self.kind is not RemedyKind.STALLWAIT:
            return self.words or self.macro
        names = CONDITIONS_WORMHOLE if self.arch is Arch.WORMHOLE else CONDITIONS_BLACKHOLE
        block, conditions = BLOCK_MASK.show(self.block, llk), names.show(self.conditions, llk)
        return f"{self.macro}({block}, {conditions.replace(_PACKERS, 'p_stall::PACK')})"


def in_words(words: str, where: str, *would_not: str) -> Remedy:
    """Return a remedy that is said in words alone."""
    return Remedy(RemedyKind.WORDS, where, words=words, would_not=would_not)
