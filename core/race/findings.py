# SPDX-License-Identifier: Apache-2.0
"""The findings of an observed run, as values: races, and the promises that the run relied on.

    machine.observe_races()         observe from now on; `strict` reports promises, too;
                                    `checks` are those of synchronisation that are wanted
    machine.races() -> Findings     what was found so far

Nothing here depends on the machine that was observed: a presentation needs no more than these
values, and a test can make them.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.ordering.promises import Promise
from tensix_gdb.core.race.remedies.remedy import Remedy

# What no run is looked at for, in words. core/race/README.md has the whole list.
UNOBSERVED = "the host's memory"


class Verdict(enum.Enum):
    """The meaning of a missing order."""

    RACE = "race"  # unordered even if every unit samples when its instruction begins
    SAMPLING = "sampling"  # unordered only if the unit may sample later than that
    PROMISED = "promised"  # ordered by a promise and by no page; a report in `strict` only
    SYNC = "sync"  # a check of synchronisation (checks/), which needs no second access


class Kind(enum.Enum):
    """The effect of an access on its place."""

    READ = "read"
    WRITE = "write"
    ATOMIC = "atomic"
    SYNC = "sync"  # of a check


class State(enum.Enum):
    """Kinds of state in which a place lies."""

    L1 = "L1"
    GPR = "GPR"
    CONFIG = "configuration"
    THREAD_CONFIG = "thread configuration"
    MOP_CONFIG = "MOP expander configuration"
    TDMA = "TDMA-RISC register"
    SRC_BANK = "source bank"
    DST = "Dst"
    LOCAL = "local RAM"
    SEMAPHORE = "semaphore"
    LREG = "LReg"
    ADC = "address counter"
    FIFO = "order of pushes"
    SYNC = "synchronisation"
    DRAM = "DRAM"


@dataclass(frozen=True, slots=True)
class Place:
    """The place that both accesses touch.

    `index` is the address of the first byte in L1, in a local RAM and among the TDMA-RISC
    registers, the number of the word, row or bank elsewhere; `unit` is the thread of GPRs and
    MopCfg, the bank of configuration, the hart of a local RAM, the channel of DRAM.
    `words` can be typed where a place is asked for (core/places): `gpr T0 3`, `L1 0x4a20`; of what
    is no state they are a name. `note` is for people.
    """

    state: State
    unit: int
    index: int
    # Bytes of a line of L1 (16) or a GPR (4), bits of other words; of DRAM how many bytes.
    mask: int
    words: str
    note: str = ""

    @property
    def name(self) -> str:
        """For people: the words and the note."""
        return self.words + self.note


@dataclass(frozen=True, slots=True)
class Access:
    """One side of a report: an instruction of a hart, or one that it has pushed to a thread."""

    agent: str  # "T0", "thread 0 unpack"
    kind: Kind
    hart: int  # that executed the instruction, or has pushed it
    thread: int | None  # of the coprocessor, if the instruction is one of its
    pc: int  # of the load, the store or the push
    instruction: str  # "sw", "WRCFG"
    via: str  # "" or "MOP", "REPLAY"
    first: int  # cycle of its first part in this report
    last: int
    outside: str = ""  # what executes the instruction, if it is no hart of the tile: "the host"
    is_request: bool = False  # of an NIU: `pc` is of the store that has started it
    configured: int = 0  # of a MOP: the first store of MopCfg that it came from; 0: not known


@dataclass(frozen=True, slots=True)
class FailedWait:
    """The nearest wait that looks as if it ordered the two, and why it does not."""

    hart: int  # that has pushed it
    pc: int  # of the push
    text: str  # "STALLWAIT(p_stall::STALL_MATH, p_stall::TRISC_CFG)"
    why: str  # continues the text: "does not hold RDCFG, …"


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of the configuration that told a stage what to do, and what has written it."""

    name: str
    value: str  # for people
    writer: Access | None  # None: nothing that was observed


@dataclass(frozen=True, slots=True)
class Report:
    """Two instructions, and accesses of theirs to one place that nothing orders.

    That of a check has its `check` and `title`; if there is one instruction, it is both sides.
    """

    number: int  # from 1 on
    verdict: Verdict
    same_value: bool  # True if the later write has never changed anything
    place: Place  # where it was seen first
    earlier: Access  # in this run
    later: Access
    count: int
    reason: str  # sentences
    fix: Remedy | None
    page: str  # of the ISA documentation
    check: str = ""  # "S1"
    title: str = ""  # "a semaphore leaves its range"
    failed: FailedWait | None = None
    settings: tuple[Setting, ...] = ()  # of both stages, those of the earlier one first

    @property
    def words(self) -> str:
        """`write, then read`."""
        if self.title:
            return self.title
        return f"{self.earlier.kind.value}, then {self.later.kind.value}"


@dataclass(frozen=True, slots=True)
class Site:
    """The place of an instruction: the hart that executed or pushed it, and its address."""

    hart: int
    pc: int


@dataclass(frozen=True, slots=True)
class RelianceCount:
    """A promise that the run has relied on: how often, and at which pairs of instructions."""

    promise: Promise
    count: int
    sites: tuple[tuple[Site, Site], ...]  # earlier and later; the first ones that were seen


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a run has shown."""

    reports: tuple[Report, ...]
    relied: tuple[RelianceCount, ...]
    lost: int  # reports for which there was no room
    strict: bool
    first_cycle: int  # observed from here
    last_cycle: int  # to here
    withdrawn: tuple[Report, ...] = ()  # the model orders the two: a gap of the observer's edges
    checks: tuple[str, ...] = ()  # that were on
    groups: tuple[str, ...] = ()  # of checks of state and memory (state/table.py) that were on
    finds_races: bool = True  # False if only those were wanted
    notes: tuple[str, ...] = ()  # what else a run has shown: how deep stacks were

    def count(self, verdict: Verdict) -> int:
        """Return how many reports have this verdict."""
        return sum(report.verdict is verdict for report in self.reports)
