# SPDX-License-Identifier: Apache-2.0
"""Follow the instructions of a hart without executing them: from where it is, with its registers.

Memory is read as a debugger reads it, and is taken to stay as it is. Loads get what the L0 data
cache of the hart has, until a fence; stores to the hart's own stack are kept beside it. Any other
store (a debugger may look at a variable that counts), a push, an atomic, and what could wait or
has an effect, is no part of a poll: a `Follower` ends there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.memory import Access, MemoryFault
from tensix_gdb.core.debug.registers import read_csr
from tensix_gdb.core.memory.map import Region, fetched_at, region_on
from tensix_gdb.core.polls.keeping import CSR_READS, CSRS_THAT_KEEP, keeps
from tensix_gdb.core.polls.terms import Read, Term
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.decode import decode_on
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline.l0_cache import lookup
from tensix_gdb.core.riscv.pipeline.load_store import LOADS, extend, strongly_ordered
from tensix_gdb.core.riscv.table import FORMS, OPERATIONS, SIZES
from tensix_gdb.core.schedule import Schedule

# Registers of which a debugger sees the value, and a load may have an effect or another value.
SHOWN = {Region.TDMA, Region.TILE_CONTROL, Region.PIC}
REGISTERS, SP = 64, 2
_decode = lru_cache(maxsize=4096)(decode_on)


@dataclass(frozen=True, slots=True)
class State:
    """A hart between two instructions: registers, words of local RAM that it has stored, and
    whether it has executed a fence."""

    pc: int
    registers: tuple[int, ...]
    stored: tuple[tuple[int, int], ...] = ()
    fenced: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction. `decides` has the operands of a branch, an indirect jump or an address;
    `taken` says what a branch did, `other` where it leads otherwise."""

    pc: int
    decides: tuple[Term, ...] = ()
    apply: Callable[..., int] | None = None
    taken: bool = False
    other: int = -1
    read: Read | None = None


def state_of(S: View, memory: Access, hart: int) -> State:
    """Return where a hart is, loads under way being answered."""
    registers = [int(S.hart.x[hart, number]) for number in range(REGISTERS)]
    for load, value in list(memory.awaited(hart)):
        if value is None:
            value = _peek(memory, hart, load.addr, SIZES[load.op])
        if value is None:
            continue
        if load.addr == S.pipeline.ex1_addr[hart] and LOADS[S.pipeline.ex1_op[hart]]:
            cached = _cached(S, hart, load.addr, SIZES[load.op])
            value = value if cached is None else _extended(load.op, cached)
        registers[load.register] = value
    return State(int(S.hart.pc[hart]), tuple(registers))


def _peek(memory: Access, hart: int, addr: int, size: int) -> int | None:
    try:
        found = memory.peek(hart, addr, size)
    except MemoryFault:
        return None
    return int.from_bytes(found, "little") if len(found) == size else None


def _cached(S: View, hart: int, addr: int, size: int) -> int | None:
    """Return the bytes that the L0 data cache answers a load with; None if it has none."""
    if addr >= L1_BYTES or S.schedule.kind == Schedule.SC or strongly_ordered(S, hart):
        return None
    line = lookup(S, hart, addr)
    if line < 0:
        return None
    word = int(S.pipeline.l0_word[hart, line, addr >> 2 & 3])
    return word >> 8 * (addr & 3) & (1 << 8 * size) - 1


def _extended(op: int, value: int) -> int:
    return extend(value, 8 * SIZES[op], op)


class Follower:
    """Follows a hart of one tile from a state. Registers and stored words of `varying` are not the
    same in each round."""

    def __init__(
        self,
        S: View,
        memory: Access,
        hart: int,
        start: State,
        varying: frozenset[int] = frozenset(),
        varying_words: frozenset[int] = frozenset(),
    ) -> None:
        self._S, self._memory, self._hart = S, memory, hart
        self.pc = start.pc
        self.registers = [
            Term(value, varies=number in varying) for number, value in enumerate(start.registers)
        ]
        self.stored = {
            addr: Term(value, varies=addr in varying_words) for addr, value in start.stored
        }
        self.fenced = start.fenced
        self.keeps = True  # all that was read gives the same until something writes

    def state(self) -> State:
        """Return where it is."""
        registers = tuple(term.value for term in self.registers)
        stored = tuple(sorted((addr, term.value) for addr, term in self.stored.items()))
        return State(self.pc, registers, stored, self.fenced)

    def steps(self) -> Iterator[Step]:
        """Yield each instruction after it; ends before one that is no part of a poll."""
        while (step := self._step()) is not None:
            yield step

    def _step(self) -> Step | None:
        S, hart, pc = self._S, self._hart, self.pc
        at = fetched_at(S, hart, pc)
        if at < 0 or pc % 4:
            return None
        d = _decode(int(S.l1.word[at >> 2]), int(S.tile.chip))
        op = d & 0xFF
        a, b = self.registers[d >> 16 & 63], self.registers[d >> 24 & 63]
        immediate = d >> 32
        self.pc = pc + 4
        match FORMS[op]:
            case Form.ALU_RR:
                return self._put(pc, d, Term.of(OPERATIONS[op], a, b))
            case Form.ALU_RI:
                return self._put(pc, d, Term.of(OPERATIONS[op], a, Term(immediate & MASK32)))
            case Form.ALU_R1:
                return self._put(pc, d, Term.of(OPERATIONS[op], a))
            case Form.LUI:
                return self._put(pc, d, Term(immediate & MASK32))
            case Form.AUIPC:
                return self._put(pc, d, Term(pc + immediate & MASK32))
            case Form.FENCE | Form.FENCE_I:
                self.fenced = True
                return Step(pc)
            case Form.BRANCH:
                there = pc + immediate & MASK32
                taken = bool(OPERATIONS[op](a.value, b.value))
                self.pc, other = (there, pc + 4) if taken else (pc + 4, there)
                return Step(pc, (a, b), OPERATIONS[op], taken, other)
            case Form.JAL:
                self.pc = pc + immediate & MASK32
                return self._put(pc, d, Term(pc + 4))
            case Form.JALR:
                self.pc = a.value + immediate & 0xFFFFFFFE
                self._put(pc, d, Term(pc + 4))
                return Step(pc, (a,))
            case Form.LOAD:
                return self._load(pc, d, op, a)
            case Form.STORE:
                return self._store(pc, op, a, b, immediate)
            case Form.CSR_R if op in CSR_READS and not d >> 16 & 31:
                number = immediate & 0xFFF
                value = read_csr(S, hart, number)
                changes = number not in CSRS_THAT_KEEP
                return None if value is None else self._put(pc, d, Term(value, varies=changes))
        return None

    def _put(self, pc: int, d: int, term: Term) -> Step:
        if d >> 8 & 63:
            self.registers[d >> 8 & 63] = term
        return Step(pc)

    def _load(self, pc: int, d: int, op: int, base: Term) -> Step | None:
        S, hart = self._S, self._hart
        addr, size = base.value + (d >> 32) & MASK32, SIZES[op]
        if addr % size:
            return None
        own = self.stored.get(addr & ~3)
        if own is not None:
            shift = 8 * (addr & 3)
            value = own.value >> shift & (1 << 8 * size) - 1
            # Where a part of a word comes from is not followed.
            part = Term(_extended(op, value), varies=own.varies or bool(own.reads))
            self._put(pc, d, own if size == 4 else part)
            return Step(pc, (base,))
        region = region_on(S, hart, addr)
        if not keeps(S, hart, addr):
            if region not in SHOWN:
                return None
            self.keeps = False
        in_memory = _peek(self._memory, hart, addr, size)
        if in_memory is None:
            return None
        cached = None if self.fenced else _cached(S, hart, addr, size)
        value = in_memory if cached is None else cached
        if region == Region.LOCAL:  # nothing else writes there
            self._put(pc, d, Term(_extended(op, value)))
            return Step(pc, (base,))
        read = Read(addr, size, pc, value, in_memory, cached is not None, region)
        term = Term(
            _extended(op, value),
            read=read,
            extend=partial(_extended, op),
            reads=frozenset((read,)),
        )
        self._put(pc, d, term)
        return Step(pc, (base,), read=read)

    def _store(self, pc: int, op: int, base: Term, data: Term, immediate: int) -> Step | None:
        addr, size = base.value + immediate & MASK32, SIZES[op]
        if addr % size or region_on(self._S, self._hart, addr) != Region.LOCAL:
            return None
        if addr < self.registers[SP].value:
            return None
        if size == 4:
            self.stored[addr] = data
            return Step(pc, (base,))
        old = self.stored.get(addr & ~3)
        before = _peek(self._memory, self._hart, addr & ~3, 4) if old is None else old.value
        if before is None:
            return None
        shift, mask = 8 * (addr & 3), (1 << 8 * size) - 1
        value = before & ~(mask << shift) & MASK32 | (data.value & mask) << shift
        varies = data.varies or bool(data.reads) or (old is not None and old.varies)
        self.stored[addr & ~3] = Term(value, varies=varies)
        return Step(pc, (base,))
