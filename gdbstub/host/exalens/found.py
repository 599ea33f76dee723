# SPDX-License-Identifier: Apache-2.0
"""A snapshot: a machine with what was read of a card, and of the rest why it is not known."""

from __future__ import annotations

import enum

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule

NOT_SHOWN = "the debug interface does not show it"
# What no read path gives, by what people call it.
NEVER = (
    "mutexes",
    "SrcA and SrcB",
    "LRegs",
    "maxima of semaphores",
    "fidelity phases and extra address-mod bits",
    "MOP and replay configuration",
    "requests under way",
    "CSRs, f and v registers",
    "devices that are not named here",
)


class Local(enum.Enum):
    """The way of reading local RAM."""

    DEBUG = "by loads of each halted core"
    # At once, and of cores that cannot be halted too. On a Blackhole card a core that accesses its
    # local RAM meanwhile can hang the card and its host (tt-exalens#907, #971).
    NOC = "over the NoC"
    NONE = "not at all"


MORE = "the debug bus shows that there is something, not what"


class Snapshot:
    """A machine with what was read, and of the rest why it is not known."""

    def __init__(self) -> None:
        self.machine = Machine(engine="reference", schedule=Schedule.LATENCY)
        self.unknown: dict[str, str] = dict.fromkeys(NEVER, NOT_SHOWN)
        self.halted: list[int] = []  # cores that were halted for it, and run again
        self.asked: list[int] = []  # cores that did not halt: they will when their load has come
        self.empty: set[tuple[int, int]] = set()  # mailboxes, by writer and reader
