# SPDX-License-Identifier: Apache-2.0
"""The state that an instruction reads and writes besides GPRs and configuration: facts of its row.

    reads=(uses.MUTEXES.named("index"),), writes=(uses.LATCHED_WAIT,)

The function that executes the instruction says the same in code. The row says it to others: the
observer of races and the Matrix Unit's pipeline derive their tables from it, `explain` prints it,
and a test runs every instruction of both chips on random states and compares what has changed with
what the rows say is written (tests/core/tensix/test_state_uses.py). What they say is read is held
against Auto TTSync alone (tests/core/tensix/config/test_config_uses.py).

GPRs and words of configuration have vocabularies of their own (gpr_use.py, config_use.py), as they
have widths and stages.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tensix_gdb.core.dataclass import dataclass


class State(enum.Enum):
    """Kinds of state, in the words of `explain`."""

    SEMAPHORE = "semaphores"
    MUTEX = "mutexes"
    WAIT = "the latched wait of the thread"
    ADC = "address counters"
    RWC = "row counters"
    DST = "Dst"
    SRC_A = "SrcA"
    SRC_B = "SrcB"
    BANK = "owners of the banks of SrcA and SrcB"
    LAST_ROW = "the row of SrcA that SHIFTXA shifts"
    LREG = "LRegs"
    LANE = "lane flags"
    STACK = "the stack of lane flags"
    LANE_CONFIG = "LaneConfig"
    MACRO = "LoadMacroConfig"
    PRNG = "random numbers of the lanes"
    UNPACKER = "counters of the unpacker"
    PACKER = "counters and streams of the packer"
    L1 = "L1"
    DEVICE = "registers of the tile"
    STREAM = "registers of NoC overlay streams"
    CONFIG = "configuration of the unit"
    MOP = "the MOP expander"
    REPLAY = "the replay buffer"
    CLASSES = "classes of Auto TTSync"


# The rows of the record that are of each kind. What an instruction gives to a unit, or to a
# pipeline inside one, is none of these: it is under way, and over when the instruction is.
ROWS_OF: dict[State, tuple[str, ...]] = {
    State.SEMAPHORE: ("semaphore.value", "semaphore.max"),
    State.MUTEX: ("mutex.holder", "mutex.releaser"),
    State.WAIT: (
        *("latch.kind", "latch.conditions", "latch.block", "latch.semaphores", "latch.target"),
        "latch.stream",
    ),
    State.ADC: ("adc.value", "adc.cr"),
    State.RWC: (
        *("rwc.dst", "rwc.dst_cr", "rwc.src_a", "rwc.src_a_cr", "rwc.src_b", "rwc.src_b_cr"),
        *("rwc.fidelity", "rwc.extra_bit", "vector.sp"),
    ),
    State.DST: ("dst.bits", "dst.undefined"),
    State.SRC_A: ("src.a",),
    State.SRC_B: ("src.b",),
    State.BANK: ("busy.src_client", "busy.unpack_bank", "busy.matrix_bank", "src.format"),
    State.LAST_ROW: ("src.last_a_row",),
    State.LREG: ("vector.lreg",),
    State.LANE: ("vector.flags", "vector.use_flags"),
    State.STACK: ("vector.stack_flags", "vector.stack_use", "vector.stack_valid"),
    State.LANE_CONFIG: ("vector.config",),
    State.MACRO: ("vector.template", "vector.sequence", "vector.misc", "vector.configured"),
    State.PRNG: ("vector.prng",),
    State.UNPACKER: ("src.unpack_row", "unpack.context", "unpack.accumulator"),
    State.PACKER: (),  # the part `pack` but for what is under way
    State.L1: ("l1.word",),
    State.DEVICE: ("tile_control.word", "tdma.word"),
    State.STREAM: ("overlay.word", "overlay.space"),
    State.CONFIG: ("config.word", "config.thread"),
    State.MOP: ("mop.mask_hi",),
    State.REPLAY: ("replay.buffer",),
    State.CLASSES: ("tracker.resources", "tracker.lingers"),
}


class Which(enum.IntEnum):
    """The elements of a kind of state that a use covers."""

    ALL = 0  # all, or those that addresses and counters say when it executes
    NUMBER = 1  # the one of the number that a field has
    MASK = 2  # those of the bits that are set in a field
    FIXED = 3  # those of the numbers that are given
    INDIRECT = 4  # the one that LReg[7] names, in each lane another
    OF_THREAD = 5  # those of the thread that a field names, where it does


class Effect(enum.IntEnum):
    """The effect of a write, where others have to know it."""

    WRITE = 0
    INIT = 1  # of semaphores
    POST = 2
    GET = 3
    TAKE = 4  # of mutexes
    RELEASE = 5
    CLEAR = 6  # rows of Dst become undefined, banks of SrcA or SrcB are filled


@dataclass(frozen=True, slots=True)
class Condition:
    """A use is one only if these bits of a field have one of these values."""

    field: str
    mask: int
    values: frozenset[int]


@dataclass(frozen=True, slots=True)
class StateUse:
    """One use of a kind of state; `is_sure` if nothing but the word decides that it is one."""

    state: State
    which: Which = Which.ALL
    field: str = ""
    numbers: frozenset[int] = frozenset()
    does: Effect = Effect.WRITE
    is_sure: bool = True
    conditions: tuple[Condition, ...] = ()

    def named(self, field: str) -> StateUse:
        """The same of the element of the number that `field` has."""
        return replace(self, which=Which.NUMBER, field=field)

    def masked(self, field: str) -> StateUse:
        """The same of the elements of the bits that are set in `field`."""
        return replace(self, which=Which.MASK, field=field)

    def of_thread(self, field: str) -> StateUse:
        """The same of the thread that `field` names."""
        return replace(self, which=Which.OF_THREAD, field=field)

    def numbered(self, *numbers: int) -> StateUse:
        """The same of these elements."""
        return replace(self, which=Which.FIXED, numbers=frozenset(numbers))

    @property
    def indirect(self) -> StateUse:
        """The same of the LReg that LReg[7] names."""
        return replace(self, which=Which.INDIRECT)

    @property
    def maybe(self) -> StateUse:
        """The same, if LaneConfig says so: ENABLE_DEST_INDEX."""
        return replace(self, is_sure=False)

    def effect(self, does: Effect) -> StateUse:
        """The same, as a write of that kind."""
        return replace(self, does=does)

    def when(self, field: str, *values: int, bits: int = -1) -> StateUse:
        """The same, if `bits` of a field have one of these values."""
        condition = Condition(field, bits, frozenset(values))
        return replace(self, conditions=(*self.conditions, condition))

    def if_set(self, field: str, bits: int = 1) -> StateUse:
        """The same, if all these bits of a field are set."""
        return self.when(field, bits, bits=bits)

    def unless_set(self, field: str, bits: int = 1) -> StateUse:
        """The same, if none of these bits of a field is set."""
        return self.when(field, 0, bits=bits)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the instruction that it names."""
        named = (self.field, *(condition.field for condition in self.conditions))
        return tuple(name for name in named if name)

    def holds(self, fields: Mapping[str, int]) -> bool:
        """True if an instruction with these fields has the use."""
        return all(fields[one.field] & one.mask in one.values for one in self.conditions)

    def elements(self, fields: Mapping[str, int]) -> frozenset[int] | None:
        """The numbers of the elements, as far as the fields say it; None for any."""
        match self.which:
            case Which.NUMBER:
                return frozenset((fields[self.field],))
            case Which.MASK:
                mask = fields[self.field]
                return frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)
            case Which.FIXED:
                return self.numbers
        return None


def those_with(uses: Iterable[StateUse], fields: Iterable[str]) -> tuple[StateUse, ...]:
    """The uses that an encoding with these fields can have."""
    known = set(fields)
    return tuple(use for use in uses if known.issuperset(use.fields))


def touches(uses: Iterable[StateUse], state: State, *without: Effect) -> bool:
    """True if a use is of that kind of state, with some fields at least; not with those effects."""
    return any(use.state is state and use.does not in without for use in uses)


SEMAPHORES = StateUse(State.SEMAPHORE)
MUTEXES = StateUse(State.MUTEX)
LATCHED_WAIT = StateUse(State.WAIT)
ADDRESS_COUNTERS = StateUse(State.ADC)
ROW_COUNTERS = StateUse(State.RWC)
DST = StateUse(State.DST)
SRC_A = StateUse(State.SRC_A)
SRC_B = StateUse(State.SRC_B)
BANKS = StateUse(State.BANK)
LAST_ROW = StateUse(State.LAST_ROW)
LREGS = StateUse(State.LREG)
LANES = StateUse(State.LANE)
STACK = StateUse(State.STACK)
LANE_CONFIG = StateUse(State.LANE_CONFIG)
MACROS = StateUse(State.MACRO)
PRNG = StateUse(State.PRNG)
UNPACKERS = StateUse(State.UNPACKER)
PACKERS = StateUse(State.PACKER)
L1 = StateUse(State.L1)
DEVICES = StateUse(State.DEVICE)
STREAMS = StateUse(State.STREAM)
SAMPLED = StateUse(State.CONFIG)
MOP_EXPANDER = StateUse(State.MOP)
REPLAY_BUFFER = StateUse(State.REPLAY)
CLASSES = StateUse(State.CLASSES)
