# SPDX-License-Identifier: Apache-2.0
"""STALLWAIT, SEMWAIT, STREAMWAIT and FLUSHDMA of the Tensix coprocessor (the pages of that name).

A condition has one predicate here, and on each architecture the bit that `core.isa.masks` gives it;
LLK's name ties the two together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from tensix_gdb.core.assembly.tensix_read import parse as parse_text
from tensix_gdb.core.assembly.tensix_text import show as show_text
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa import masks
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.operand import Bits
from tensix_gdb.core.tensix.instruction import Catch, Instruction
from tensix_gdb.core.tensix.table import find
from tensix_gdb.core.waits.wait import Reason, WaitError

WAITS = ("STALLWAIT", "SEMWAIT", "STREAMWAIT", "FLUSHDMA")


@dataclass
class Stream:
    """A NoC overlay stream, as far as STREAMWAIT looks at it."""

    phase: int = 0
    messages: int = 0


@dataclass
class Activity:
    """The work of one thread that is under way, and the state of the units that it shares.

    Numbers count instructions or requests; the four flags say whether a bank of SrcA or SrcB
    belongs to the unpackers (`cleared`) or to the Matrix Unit (`valid`).
    """

    scalar_requests: int = 0
    unpackers: list[int] = field(default_factory=lambda: [0, 0])
    packers: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    matrix: int = 0
    vector: int = 0
    mover_requests: int = 0
    riscv_requests: int = 0
    config: int = 0
    src_a_cleared: bool = True
    src_b_cleared: bool = True
    src_a_valid: bool = True
    src_b_valid: bool = True
    semaphores: list[list[int]] = field(default_factory=lambda: [[0, 15] for _ in range(8)])
    streams: list[Stream] = field(default_factory=lambda: [Stream() for _ in range(4)])
    target_hi: list[int] = field(default_factory=lambda: [0, 0])


Predicate = Callable[[Activity], bool]

# "Keep on waiting if", by LLK's name of the condition.
PREDICATES: dict[str, Predicate] = {
    "THCON": lambda a: a.scalar_requests > 0,
    "UNPACK0": lambda a: a.unpackers[0] > 0,
    "UNPACK1": lambda a: a.unpackers[1] > 0,
    "PACK": lambda a: a.packers[0] > 0,
    "PACK0": lambda a: a.packers[0] > 0,
    "PACK1": lambda a: a.packers[1] > 0,
    "PACK2": lambda a: a.packers[2] > 0,
    "PACK3": lambda a: a.packers[3] > 0,
    "MATH": lambda a: a.matrix > 0,
    "SRCA_CLR": lambda a: not a.src_a_cleared,
    "SRCB_CLR": lambda a: not a.src_b_cleared,
    "SRCA_VLD": lambda a: not a.src_a_valid,
    "SRCB_VLD": lambda a: not a.src_b_valid,
    "XMOV": lambda a: a.mover_requests > 0,
    "TRISC_CFG": lambda a: a.riscv_requests > 0,
    "WAIT_SFPU": lambda a: a.vector > 0,
    "CFGEXU": lambda a: a.config > 0,
}
CONDITIONS: dict[Arch, Bits] = {
    Arch.BLACKHOLE: masks.CONDITIONS_BLACKHOLE,
    Arch.WORMHOLE: masks.CONDITIONS_WORMHOLE,
}
# What a condition mask of 0 means.
DEFAULT_CONDITIONS = {Arch.BLACKHOLE: 0x0F, Arch.WORMHOLE: 0x7F}
DEFAULT_FLUSH = 0xF


@dataclass(frozen=True, slots=True)
class TensixWait:
    """One of WAITS, decoded."""

    row: Instruction
    word: int
    arch: Arch

    def encode(self) -> int:
        return self.word

    def show(self) -> str:
        return show_text(self.word, Dialect(self.arch))

    def fields(self) -> dict[str, int]:
        """Return the fields of the word, defaults not applied."""
        return self.row.encoding.decode(self.word)

    @property
    def block_mask(self) -> int:
        """The block mask with its default; FLUSHDMA, which blocks by being there, blocks all."""
        return self.fields().get("block_mask", masks.Block.ALL) or masks.DEFAULT_BLOCK_MASK

    def condition_mask(self) -> int:
        """Return the condition mask with its default."""
        given = self.fields().get("condition_mask", 0)
        match self.row.mnemonic:
            case "STALLWAIT":
                return given or DEFAULT_CONDITIONS[self.arch]
            # A SEMWAIT without conditions latches a STALLWAIT for the default ones. Blackhole's
            # newest page no longer defines it; older ones have it like this.
            case "SEMWAIT" if given == 0:
                return DEFAULT_CONDITIONS[self.arch]
            case "FLUSHDMA":
                return given or DEFAULT_FLUSH
            case "STREAMWAIT":
                return 1 << self.fields()["condition_index"]
            case _:
                return given

    def begin(self, state: Activity) -> None:
        """Latch; nothing else changes."""

    def blocked(self, state: Activity) -> tuple[Reason, ...]:
        match self.row.mnemonic:
            case "SEMWAIT" if self.fields()["condition_mask"]:
                return self._semaphores(state)
            case "STREAMWAIT":
                return self._stream(state)
            case "FLUSHDMA":
                return self._units(state, masks.CONDITIONS_FLUSHDMA)
            case _:
                return self._units(state, CONDITIONS[self.arch])

    def catches(self, word: int) -> bool:
        """True if the instruction `word` is held at the wait gate while this wait is latched."""
        row = find(word, self.arch)
        if row is None or row.gate is Catch.NEVER:
            return False
        if row.gate is Catch.ONLY_ALL:
            return self.block_mask == masks.Block.ALL
        return bool(row.blocked_by & self.block_mask)

    def _units(self, state: Activity, names: Bits) -> tuple[Reason, ...]:
        chosen = self.condition_mask()
        return tuple(
            Reason(condition.text, condition.meaning)
            for condition in names.names
            if condition.value & chosen and PREDICATES[condition.llk[0]](state)
        )

    def _semaphores(self, state: Activity) -> tuple[Reason, ...]:
        reasons = []
        for number, (value, largest) in enumerate(state.semaphores):
            if not self.fields()["semaphore_mask"] >> number & 1:
                continue
            if self.condition_mask() & 1 and value == 0:
                reasons.append(Reason("C0", f"semaphore {number} is 0"))
            if self.condition_mask() & 2 and value >= largest:
                reasons.append(Reason("C1", f"semaphore {number} is {value}, its Max is {largest}"))
        return tuple(reasons)

    def _stream(self, state: Activity) -> tuple[Reason, ...]:
        fields = self.fields()
        index = fields["condition_index"]
        stream = state.streams[fields["stream_select"]]
        target = state.target_hi[index] << 10 | fields["target_value_lo"]
        value, what = (stream.messages, "messages") if index else (stream.phase, "phase")
        if value >= target:
            return ()
        return (Reason(f"C{index}", f"{what} is {value}, the target is {target}"),)


def decode(word: int, arch: Arch = Arch.BLACKHOLE) -> TensixWait:
    """Return the wait that `word` is; WaitError if it is none."""
    row = find(word, arch)
    if row is None or row.mnemonic not in WAITS:
        raise WaitError(f"{word:#010x} is no wait instruction of {arch.title}")
    return TensixWait(row, word, arch)


def parse(text: str, arch: Arch = Arch.BLACKHOLE) -> TensixWait:
    """Return the wait that `text` is; WaitError or TextError if it is none."""
    return decode(parse_text(text, Dialect(arch)), arch)
