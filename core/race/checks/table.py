# SPDX-License-Identifier: Apache-2.0
"""The checks, a row each: what a report of it says, its page, a bug that was one.

A check needs no pair of accesses: it is about one use of a semaphore, a wait, a bank or a mutex.
`parse_checks` reads what a user writes, and `mask_of` is what the record keeps.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.checks.rule import Rule

_TENSIX = "TensixCoprocessor/"
_RISCV = "BabyRISCV/"


class Number(enum.IntEnum):
    """The checks by number, for the functions of the machine."""

    S1 = 1
    S2 = 2
    S3 = 3
    S4 = 4
    S5 = 5
    S6 = 6
    S7 = 7
    S8 = 8
    S9 = 9
    S10 = 10
    S11 = 11
    S12 = 12


@dataclass(frozen=True, slots=True)
class Check(Rule):
    """One of them. `is_default`: it is on unless the user chooses."""

    number: Number
    bug: str  # a report of it in the field
    is_default: bool = False

    @property
    def bit(self) -> int:
        return 1 << self.number


# fmt: off
CHECKS = (
    Check(Number.S1, "a semaphore leaves its range",
          "SEMGET or a store of 1 at value 0, or while the post that it needs may not be done; "
          "SEMPOST or a store of 0 at 15, or at Max",
          "The value stays within 0 to 15, so a signal is lost; Max holds no SEMPOST back.",
          "SEMWAIT on the semaphore first, as the other side does",
          _TENSIX + "SyncUnit.md", "tt-metal#19201", is_default=True),
    Check(Number.S2, "a wait that holds nothing",
          "a STALLWAIT or SEMWAIT with a block mask that has none of the instructions that pass "
          "before the next wait, or the end",
          "Its block mask has no unit of the instructions after it, so they do not wait.",
          "a block mask with the unit that has to wait: p_stall::STALL_…, not p_stall::UNPACK",
          _TENSIX + "STALLWAIT.md", "tt-llk#1231"),
    Check(Number.S3, "a write into a bank that may not be the Matrix Unit's",
          "MOVD2A, MOVD2B or MOVB2A while the bank belongs to the unpackers, or after a flip that "
          "nothing has waited for",
          "The instruction waits for no bank, and a wait for SRCA_VLD or SRCB_VLD tests the bank "
          "from before a flip that is under way.",
          "TTI_STALLWAIT(p_stall::STALL_MATH, p_stall::MATH | p_stall::SRCA_VLD)",
          _TENSIX + "MOVD2A.md", "tt-metal#53412, tt-metal#52256, tt-llk#359", is_default=True),
    Check(Number.S4, "a bank is given back that the Matrix Unit does not have",
          "CLEARDVALID or SETRWC gives back a bank of the unpackers, or one of which the thread "
          "has not heard that an unpacker is about to fill it",
          "It waits for no bank: what the unpacker is about to hand over is never taken.",
          "TTI_STALLWAIT(p_stall::STALL_MATH, p_stall::SRCA_VLD), or SRCB_VLD, before it",
          _TENSIX + "SrcASrcB.md", "tt-metal#53413", is_default=True),
    Check(Number.S5, "the value of a load is not used in time",
          "a load of a mailbox, PCBuf or TTSync word, the value of which is not used before the "
          "next request of the hart",
          "A hart continues until it uses the value of a load, so the next request may be first.",
          "use the value: ckernel::load_blocking, or an instruction that reads the register",
          _RISCV + "MemoryOrdering.md", "tt-llk#1164"),
    Check(Number.S6, "a second load while a done check is under way",
          "a load of a semaphore, mailbox, PCBuf or TTSync word after a done check, the "
          "value of which is not used yet",
          "The hardware may answer it with wrong data, or hang.",
          "use the value of the first load before the second",
          _RISCV + "ManualTTSync.md", "ManualTTSync.md", is_default=True),
    Check(Number.S7, "a write of a whole word changes bits of another thread",
          "a store, WRCFG or STREAMWRCFG changes bits that another thread has written last",
          "The word has fields of two threads, and a write of the whole word has both.",
          "RMWCIB, which writes the bits of its mask alone",
          _TENSIX + "ConfigurationUnit.md", "tt-llk#1658, tt-metal#52351"),
    Check(Number.S8, "two harts load, change and store one word",
          "two T cores load a word of configuration and store it, and no mutex is held by both",
          "One of the two changes is lost if they interleave.",
          "ATGETM and ATRELM around both, or RMWCIB",
          _TENSIX + "ATGETM.md", "tt-llk#1671"),
    Check(Number.S9, "a mutex is taken too early, or released by another",
          "ATGETM passes a SEMWAIT with a block mask that lacks B1; ATRELM of a mutex that the "
          "thread does not hold",
          "A thread that waits for a semaphore with the mutex keeps out the one that posts it.",
          "p_stall::STALL_SYNC in the block mask of the SEMWAIT",
          _TENSIX + "ATGETM.md", "llk_pack_common.h", is_default=True),
    Check(Number.S10, "no NOP after WRCFG",
          "WRCFG or CFGSHIFTMASK of an ALU word, and the Matrix or the Vector Unit next",
          "The next instruction does not see the write, the one after it does.",
          "TTI_NOP between the two",
          _TENSIX + "WRCFG.md", "cpack_common.h:323, which has the NOP", is_default=True),
    Check(Number.S11, "a store after a wait that holds instructions alone",
          "a T core pushes a STALLWAIT or SEMWAIT and next stores to configuration",
          "A wait holds instructions at the gate, and no store of a hart.",
          "tensix_sync() before the store, or an instruction in its place",
          _TENSIX + "STALLWAIT.md", "tt-llk#1061, tt-llk#1695"),
    Check(Number.S12, "a wait that nothing has needed",
          "a STALLWAIT for C0, C9, C10 or C12 with an end that orders no two accesses that are "
          "observed",
          "No access that is observed was in order because of it.",
          "leave it out, if what is not observed does not need it either",
          _TENSIX + "STALLWAIT.md", "tt-llk#747, tt-llk#1692"),
)
# fmt: on
BY_NAME = {check.name: check for check in CHECKS}
DEFAULT = tuple(check.name for check in CHECKS if check.is_default)
ALL = tuple(BY_NAME)
_WORDS = {"all": ALL, "none": (), "default": DEFAULT}


def mask_of(names: Iterable[str]) -> int:
    """Return a bit for each check."""
    return sum(BY_NAME[name].bit for name in set(names))


def parse_checks(text: str) -> tuple[str, ...]:
    """`S1,S3`, `all`, `none` or `default`. ValueError with a sentence if it is none of them."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    names = [name.strip().upper() for name in text.split(",")]
    for name in names:
        if name not in BY_NAME:
            raise ValueError(
                f"{name or text!r} is no check: S1 to S12 with commas, or all, none, default"
            )
    return tuple(check.name for check in CHECKS if check.name in names)


def is_checks(text: str) -> bool:
    """True if a word names checks, as far as its beginning says."""
    return text.lower() in _WORDS or (text[:1] in "sS" and text[1:2].isdecimal())
