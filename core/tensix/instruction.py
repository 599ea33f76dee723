# SPDX-License-Identifier: Apache-2.0
"""The rows of the Tensix instruction table, and how the units declare theirs.

A row is facts: encoding, unit, what holds it at the wait gate, Auto TTSync class, latency, page,
and what it reads and writes: GPRs (gpr_use.py), configuration (config_use.py), and all other state
(state_use.py).
The function that executes it is decorated with the row (`@SYNC.instruction(...)`), and its
parameters after (S, thread) are the fields of the word. A row without a function yet is declared by
the bare call.

An opcode that means several things has one row per form (`STOREIND.L1`, `STOREIND.MMIO`), told
apart by fixed bits. A row holds for both architectures unless it says otherwise; where they differ
there are two, each with its `arch`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace
from typing import Any, TypeVar

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch as Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import GPR, HALF_GPR, Kind
from tensix_gdb.core.isa.schema import (
    Encoding,
    EncodingError,
    Fixed,
    Part,
    Word,
    check_parameters,
    check_rows,
    word32,
)
from tensix_gdb.core.tensix.config_use import ConfigUse
from tensix_gdb.core.tensix.gpr_use import WRITES, GprUse
from tensix_gdb.core.tensix.state_use import StateUse, those_with

NO_BLOCK = Block(0)
F = TypeVar("F", bound=Callable[..., Any])

BH = "BlackholeA0/TensixTile/TensixCoprocessor/"
WH = "WormholeB0/TensixTile/TensixCoprocessor/"
# Where nothing but one line of Tenstorrent's assembler table names an instruction.
YAML = "tt_llk_blackhole/instructions/assembly.yaml"


class Unit(enum.Enum):
    """The unit that executes an instruction, in the pages' words."""

    MOP = "MOP Expander"
    REPLAY = "Replay Expander"
    TTSYNC = "Auto TTSync"
    SYNC = "Sync Unit"
    MISC = "Miscellaneous Unit"
    THCON = "Scalar Unit (ThCon)"
    CONFIG = "Configuration Unit"
    MOVER = "Mover"
    PACKER = "Packer"
    UNPACKER = "Unpacker"
    FPU = "Matrix Unit (FPU)"
    SFPU = "Vector Unit (SFPU)"


class Status(enum.Enum):
    """The state of an instruction in the emulator."""

    IMPLEMENTED = "implemented"
    NOT_YET = "not yet"
    UNDOCUMENTED = "undocumented"
    LEGACY = "legacy"


class Catch(enum.Enum):
    """The effect of a block mask on an instruction at the wait gate (STALLWAIT.md)."""

    MASKED = "held while any of its bits is set"
    ONLY_ALL = "held only while all nine bits are set"
    NEVER = "never reaches the wait gate"
    UNKNOWN = "not in the page's table"


@dataclass(frozen=True, slots=True)
class Operand:
    """The spelling of a field in text and its meaning."""

    kind: Kind
    meaning: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """One row (see the module's docstring).

    `latency` is in cycles: `5`, `3-4`, `2+` (at least), or empty where no page has a number.
    `llk` are the parameters of LLK's macro in order, each with its bit in the word.
    """

    mnemonic: str
    form: str
    opcode: int
    encoding: Encoding
    arch: Arch
    unit: Unit
    gate: Catch
    blocked_by: Block
    ttsync: int | None
    latency: str
    page: str
    status: Status
    summary: str
    llk: tuple[tuple[str, int], ...]
    operands: Mapping[str, Operand]
    gprs: tuple[tuple[str, GprUse], ...]  # operand and use, reads before writes
    config: ConfigUse | None = None
    reads: tuple[StateUse, ...] = ()
    writes: tuple[StateUse, ...] = ()
    function: Callable[..., Any] | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The mnemonic, with the form where there are several."""
        return f"{self.mnemonic}.{self.form}" if self.form else self.mnemonic

    def llk_width(self, parameter: int) -> int:
        """Bits between this macro parameter and the next one above it."""
        shift = self.llk[parameter][1]
        return min([other for _, other in self.llk if other > shift], default=24) - shift

    def undefined_bits(self, word: Word) -> int:
        """Bits of `word` that are set and have no meaning."""
        return word & self.encoding.unused


def tensix(opcode: int, *parts: Part) -> Encoding:
    """Return an encoding with the opcode in bits 31:24, where every Tensix instruction has it."""
    return word32(Fixed(opcode, 8), *parts)


@dataclass(slots=True)
class Group:
    """The rows of one unit, with what most of them share.

    A row has those of `reads` and `writes` that name no field, or a field that it has.
    """

    unit: Unit
    operands: Mapping[str, Operand]
    blocked_by: Block = NO_BLOCK
    gate: Catch = Catch.MASKED
    ttsync: int | None = 15
    latency: str = ""
    gprs: Mapping[str, GprUse | tuple[GprUse, ...]] = field(default_factory=dict)
    reads: tuple[StateUse, ...] = ()
    writes: tuple[StateUse, ...] = ()
    rows: list[Instruction] = field(default_factory=list)

    def instruction(
        self,
        name: str,
        encoding: Encoding,
        *,
        llk: str,
        summary: str,
        page: str,
        arch: Arch = Arch.BOTH,
        gate: Catch | None = None,
        blocked_by: Block | None = None,
        ttsync: int | None = -1,
        latency: str | None = None,
        operands: Mapping[str, Operand] | None = None,
        gprs: Mapping[str, GprUse | tuple[GprUse, ...]] | None = None,
        config: ConfigUse | None = None,
        reads: tuple[StateUse, ...] | None = None,
        writes: tuple[StateUse, ...] | None = None,
        status: Status = Status.NOT_YET,
    ) -> Callable[[F], F]:
        """Declare a row; what is not given is as in the rest of the group.

        `llk` is written as `stall_res@15 wait_res@0`: the macro's parameters and their bits.
        """
        mnemonic, _, form = name.partition(".")
        own = operands or {}
        missing = [f for f in encoding.fields if f not in own and f not in self.operands]
        if missing:
            raise EncodingError(f"{name}: no operand is declared for {', '.join(missing)}")
        pairs = [operand.partition("@") for operand in llk.split()]
        row = Instruction(
            mnemonic=mnemonic,
            form=form,
            opcode=encoding.match >> 24,
            encoding=encoding,
            arch=arch,
            unit=self.unit,
            gate=self.gate if gate is None else gate,
            blocked_by=self.blocked_by if blocked_by is None else blocked_by,
            ttsync=self.ttsync if ttsync == -1 else ttsync,
            latency=self.latency if latency is None else latency,
            page=page,
            status=status,
            summary=summary,
            llk=tuple((parameter, int(bit)) for parameter, _, bit in pairs),
            operands={f: own.get(f) or self.operands[f] for f in encoding.fields},
            gprs=_in_order({**self.gprs, **(gprs or {})}, encoding.fields),
            config=config,
            reads=those_with(self.reads, encoding.fields) if reads is None else reads,
            writes=those_with(self.writes, encoding.fields) if writes is None else writes,
        )
        _check_row(row)
        self.rows.append(row)
        position = len(self.rows) - 1

        def implement(function: F) -> F:
            check_parameters(name, encoding, function, skip=2)
            self.rows[position] = replace(row, function=function, status=Status.IMPLEMENTED)
            return function

        return implement


def _in_order(
    uses: Mapping[str, GprUse | tuple[GprUse, ...]], fields: Collection[str]
) -> tuple[tuple[str, GprUse], ...]:
    """Return the uses of the fields that an encoding has, reads first."""
    pairs = [(name, uses[name]) for name in uses if name in fields]
    each = [(name, use) for name, u in pairs for use in (u if isinstance(u, tuple) else (u,))]
    return tuple(sorted(each, key=lambda pair: pair[1].access in WRITES))


def _check_row(row: Instruction) -> None:
    """Refuse facts of one row that contradict each other."""
    used = {name for name, _ in row.gprs}
    for name, operand in row.operands.items():
        if (operand.kind in (GPR, HALF_GPR)) is not (name in used):
            raise EncodingError(f"{row.name}: {name} names a GPR and has no use, or the reverse")
    for _, use in row.gprs:
        if use.by and use.by not in row.operands:
            raise EncodingError(f"{row.name}: no field {use.by} says how many GPRs are used")
    if row.config is not None and not row.operands.keys() >= set(row.config.fields):
        raise EncodingError(f"{row.name}: its use of configuration names a field that it lacks")
    for state_use in (*row.reads, *row.writes):
        if not row.operands.keys() >= set(state_use.fields):
            raise EncodingError(f"{row.name}: its use of state names a field that it lacks")
    if row.encoding.mask >> 24 != 0xFF:
        raise EncodingError(f"{row.name}: the opcode is not fixed")
    if row.gate is Catch.MASKED and not row.blocked_by:
        raise EncodingError(f"{row.name}: held by a block mask without bits")
    if row.gate is not Catch.MASKED and row.blocked_by:
        raise EncodingError(f"{row.name}: has block bits and is {row.gate.value}")
    if row.ttsync is not None and not 0 <= row.ttsync <= 15:
        raise EncodingError(f"{row.name}: there is no Auto TTSync class {row.ttsync}")
    # LLK's parameters reach every bit that means something.
    covered = 0
    for index, (_, shift) in enumerate(row.llk):
        covered |= ((1 << row.llk_width(index)) - 1) << shift
    named = 0xFFFFFF & ~row.encoding.unused
    if named & ~covered:
        raise EncodingError(f"{row.name}: no macro parameter reaches bits {named & ~covered:#x}")


def check_table(rows: tuple[Instruction, ...]) -> None:
    """Refuse a table in which one architecture has two readings of a word."""
    for arch in (Arch.BLACKHOLE, Arch.WORMHOLE):
        check_rows([row for row in rows if arch in row.arch])
