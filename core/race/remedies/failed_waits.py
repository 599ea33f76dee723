# SPDX-License-Identifier: Apache-2.0
"""The reason why the nearest wait has not ordered the two sides of a report: the wrong block bit,
the wrong condition, the wrong thread, or a request of a hart, which no block mask holds."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, L1_BYTES, T0
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.masks import (
    BLOCK_MASK,
    CONDITIONS_BLACKHOLE,
    DEFAULT_BLOCK_MASK,
    SEMAPHORES,
    Block,
)
from tensix_gdb.core.isa.operand import Bits
from tensix_gdb.core.race import near
from tensix_gdb.core.race.findings import Access, FailedWait
from tensix_gdb.core.race.lines import Line, Region
from tensix_gdb.core.race.remedies.end import End
from tensix_gdb.core.race.remedies.waits import block_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.gate.latch import SEMWAIT, STALLWAIT
from tensix_gdb.core.tensix.gate.wait_gate import catches
from tensix_gdb.core.tensix.table import FIRST, ROWS, opcode
from tensix_gdb.core.tensix.wormhole import of_one_packer, translate

C0, C9, C10, C12 = 0, 9, 10, 12
# The condition that is about a line of a thread.
_OF_LINE = {
    Line.PIPE: C12,
    Line.LATE_GPR: C12,
    Line.SCALAR: C0,
    Line.MEMORY: C0,
    Line.UNPACKER_0: 1,
    Line.UNPACKER_1: 2,
    Line.PACKER: 3,
    Line.MATRIX: 4,
    Line.VECTOR: 11,
}
_COUNTED = (Region.GPR, Region.CONFIG, Region.TDMA)  # by C10
_SIGNALS = Block.B1 | Block.B5  # SEMPOST, and what the Scalar Unit sends
_LONGEST = 64  # words between a push and a request that are looked through
_WAITS = {opcode("STALLWAIT"): STALLWAIT, opcode("SEMWAIT"): SEMWAIT}
_SEMPOST = opcode("SEMPOST")


@dataclass(frozen=True, slots=True)
class Tried:
    """A wait near a report: block mask, conditions above it, and its kind (near.py)."""

    hart: int
    pc: int
    what: int
    after: bool  # it came after the earlier access had begun, or was made
    passed: bool = False  # a SEMPOST or SEMGET of its thread has passed while it was latched

    @property
    def block(self) -> int:
        return self.what & Block.ALL

    @property
    def conditions(self) -> int:
        return (self.what >> near.CONDITIONS) & 0x1FFF

    @property
    def is_stallwait(self) -> bool:
        return (self.what >> near.KIND) & 3 == STALLWAIT

    @property
    def text(self) -> str:
        """As LLK writes it."""
        block = _llk(BLOCK_MASK, self.block)
        if not self.is_stallwait:
            return f"SEMWAIT({block}, {_llk(SEMAPHORES, self.what >> near.SEMAPHORES_IN)})"
        return f"STALLWAIT({block}, {_llk(CONDITIONS_BLACKHOLE, self.conditions)})"

    def failed(self, why: str) -> FailedWait:
        return FailedWait(self.hart, self.pc, self.text, why)


@dataclass(frozen=True, slots=True)
class Between:
    """The waits in a hart's code between a push and a request, as instructions (.ttinsn)."""

    waits: tuple[Tried, ...]
    posts: bool  # a SEMPOST is among them


def failed_wait(
    earlier: End,
    later: End,
    tried: Sequence[Sequence[Tried]],
    code: Between,
    *,
    sent: bool = False,
) -> FailedWait | None:
    """Return the nearest of the waits that says why it was none; `tried` are those of the earlier
    side's thread and of the later side's, the youngest first. What the later side has heard was
    `sent` by a core, if so."""
    before, after = earlier.access.thread, later.access.thread
    if after is not None:
        for number, wait in enumerate(tried[1]):
            why = _in_later_thread(earlier, later, wait, nearest=number == 0)
            if why:
                return wait.failed(why)
    elif before is not None and later.line.hart == before + T0 and not code.posts:
        if not code.waits:
            return None
        return code.waits[-1].failed(
            f"holds instructions, and no request of a hart: {later.what} is one"
        )
    if before is not None and before != after:
        for wait in tried[0]:
            why = _before_signal(earlier, wait, sent=sent)
            if why:
                return wait.failed(why)
    return None


def _in_later_thread(earlier: End, later: End, wait: Tried, *, nearest: bool) -> str:
    """Return why a wait of the later side's thread has not brought the earlier access; or empty."""
    thread = later.access.thread
    assert thread is not None
    instruction = later.access.instruction
    holds = _holds(wait.block, instruction)
    unit = _llk(BLOCK_MASK, block_of(instruction))
    if not wait.is_stallwait:
        own = earlier.access.thread == thread or earlier.line.hart == thread + T0
        if own or not nearest:
            return ""
        if holds and wait.passed and not wait.block & Block.B1:
            return (
                "lets SEMPOST and SEMGET of its thread pass before it is over, so a signal was "
                "sent, or taken, too early: that takes p_stall::STALL_SYNC in its block mask"
            )
        if holds:
            return ""
        return f"does not hold {instruction}: that takes {unit} in its block mask"
    needed = _condition(earlier, thread)
    waits = needed is not None and bool(wait.conditions >> needed & 1)
    if waits and not holds and wait.after:
        return (
            f"waits for {earlier.what}, and does not hold {instruction}: that takes {unit} in its "
            "block mask"
        )
    if waits and holds and needed == C10:
        if wait.hart != thread + T0:
            return f"was pushed by {HART_NAMES[wait.hart]}, and its C10 waits for no request"
        if not wait.after and nearest and wait.pc < earlier.access.pc < later.access.pc:
            return f"was pushed before {earlier.what}, and C10 waits for earlier requests only"
    if not holds or waits or not wait.after:
        return ""
    if needed is not None:
        name = _llk(CONDITIONS_BLACKHOLE, 1 << needed)
        return f"holds {instruction}, and does not wait for {earlier.what}: that takes {name}"
    return _of_another(earlier, wait, thread)


def _of_another(earlier: End, wait: Tried, thread: int) -> str:
    """Return why a wait for the right thing is about the wrong hart or thread; or empty."""
    line = earlier.line
    if line.hart is not None and line.region in _COUNTED and wait.conditions >> C10 & 1:
        own = HART_NAMES[thread + T0]
        return f"waits for requests of {own}, and {earlier.what} is {HART_NAMES[line.hart]}'s"
    of_line = _OF_LINE.get(line.line) if line.line is not None else None
    if of_line is not None and wait.conditions >> of_line & 1:
        return f"waits for its own thread, and {earlier.what} is thread {line.thread}'s"
    return ""


def _before_signal(earlier: End, wait: Tried, *, sent: bool) -> str:
    """Return why a wait between an instruction and the signal of its thread has not ordered the
    two; or empty."""
    needed = _OF_LINE.get(earlier.line.line) if earlier.line.line is not None else None
    if not wait.after or not wait.is_stallwait or needed is None:
        return ""
    if sent:
        return "holds instructions, and no message or store of its core, which was the signal"
    waits = bool(wait.conditions >> needed & 1)
    if waits and not wait.block & _SIGNALS:
        return (
            f"waits for {earlier.what}, and does not hold the signal of its thread: SEMPOST and "
            "SEMGET take p_stall::STALL_SYNC in its block mask"
        )
    if not waits and wait.block & Block.B1:
        name = _llk(CONDITIONS_BLACKHOLE, 1 << needed)
        return f"holds SEMPOST and SEMGET, and does not wait for {earlier.what}: that takes {name}"
    return ""


def between(S: View, earlier: Access, later: Access) -> Between:
    """Return the code between a push of a hart and a request of it: no more than some lines of a
    function."""
    waits: list[Tried] = []
    posts = False
    if earlier.thread is None or later.thread is not None or later.outside:
        return Between((), posts)
    if earlier.hart != later.hart or later.hart != earlier.thread + T0:
        return Between((), posts)
    first, last = earlier.pc + 4, later.pc
    if not first < last <= min(first + 4 * _LONGEST, L1_BYTES):
        return Between((), posts)
    for pc in range(first, last, 4):
        pushed = int(S.l1.word[pc >> 2])
        word = (pushed >> 2 | pushed << 30) & MASK32
        if pushed & 3 == 3:
            continue
        posts = posts or word >> 24 == _SEMPOST
        if word >> 24 in _WAITS:
            kind = _WAITS[word >> 24] << near.KIND
            conditions = conditions_of(S, word) << near.CONDITIONS
            block = (word >> 15 & Block.ALL) or int(DEFAULT_BLOCK_MASK)
            waits.append(Tried(later.hart, pc, kind | conditions | block, True))
    return Between(tuple(waits), posts)


def conditions_of(S: View, word: int) -> int:
    """Return the condition mask of a STALLWAIT that is not latched yet, in the bits of
    Blackhole's."""
    return of_one_packer(translate(word & 0x7FFF)) if S.tile.chip else word & 0x1FFF


def _condition(earlier: End, thread: int) -> int | None:
    """Return the condition of STALLWAIT that is about the earlier access, in a thread."""
    line = earlier.line
    if line.hart is not None:
        return C10 if line.hart == thread + T0 and line.region in _COUNTED else None
    if line.agent == "mover":
        return C9
    if line.line is None:
        return None
    needed = _OF_LINE.get(line.line)
    return needed if line.thread == thread or needed == C12 else None


def _holds(block: int, instruction: str) -> bool:
    """True if a block mask holds an instruction, in one of its forms."""
    return any(
        catches(block, FIRST + number)
        for number, row in enumerate(ROWS)
        if row.mnemonic == instruction and Arch.BLACKHOLE in row.arch
    )


def _llk(names: Bits, mask: int) -> str:
    """Return a mask as LLK writes it."""
    return names.show(mask, Dialect(Arch.BLACKHOLE, llk=True))
