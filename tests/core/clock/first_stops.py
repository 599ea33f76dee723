# SPDX-License-Identifier: Apache-2.0
"""One instruction alone on a hart, and what stops the tile first: the matrix and how it is run.

A case is an instruction, the address that it accesses, the hart, and what is watched there. It is
restored from one snapshot, followed by nothing but a loop, and run until every request has had the
time that `random` may give it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, T2
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.rvv.fields import VL, VTYPE
from tensix_gdb.core.riscv.table import ROWS
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import NOP, SPIN, asm, image
from tests.machines import machine_on

START = 0x1000
GUILTY = START + 4  # the instruction under test
CYCLES = 400  # longer than any request takes in `random`
BASE, DATA, STRIDE = 5, 6, 7  # registers
PUSHED = parse("SETDMAREG new_value=5, result_half_reg=2")
VTYPES = {8: 0x00, 16: 0x08, 32: 0x10}  # LMUL 1
ELEMENTS = 4
FORMS = ("unit", "strided", "indexed", "segment", "whole", "mask", "first-fault")

# Of every region one address, and more where a device tells its addresses apart.
# fmt: off
ADDRESSES: tuple[tuple[Region, int], ...] = (
    (Region.L1, 0x4000), (Region.L1, 0x17FFF8),  # the last elements of a vector are outside
    (Region.NONE, 0x180000), (Region.NONE, 0x00200000), (Region.NONE, 0xFFF00000),
    (Region.LOCAL, 0xFFB00010), (Region.LOCAL, 0xFFB00FF8), (Region.LOCAL, 0xFFB01FF8),
    (Region.TDMA, 0xFFB11000), (Region.TDMA, 0xFFB11010), (Region.TDMA, 0xFFB11034),
    (Region.TILE_CONTROL, 0xFFB12054), (Region.TILE_CONTROL, 0xFFB12F00),
    (Region.PIC, 0xFFB13018), (Region.PIC, 0xFFB13F00),
    (Region.SLOW_LOCAL, 0xFFB14010), (Region.SLOW_LOCAL, 0xFFB1C010),
    (Region.NOC0, 0xFFB20000), (Region.NOC0, 0xFFB20044), (Region.NOC1, 0xFFB30F00),
    (Region.OVERLAY, 0xFFB40000), (Region.OVERLAY, 0xFFB40F00),
    (Region.MOP_CONFIG, 0xFFB80000), (Region.DST, 0xFFBD8000), (Region.DST, 0xFFBDFFF8),
    (Region.GPR, 0xFFE00010), (Region.PUSH, 0xFFE40000), (Region.PUSH, 0xFFE50000),
    (Region.PCBUF, 0xFFE80000), (Region.PCBUF, 0xFFE80004), (Region.PCBUF, 0xFFE80020),
    (Region.PCBUF, 0xFFE90000), (Region.MAILBOX, 0xFFEC0000), (Region.MAILBOX, 0xFFEC1000),
    (Region.CONFIG, 0xFFEF0000), (Region.CONFIG, 0xFFEFFF00),
)
# fmt: on
WATCHES = ("", "read", "write", "access")
SCALARS = tuple(row for row in ROWS if row.form in (Form.LOAD, Form.STORE, Form.AMO))
ATOMIC = "amoadd.w"  # others differ from it in what they compute


@dataclass(frozen=True, slots=True)
class Case:
    """`word`, and `then`, access `size` bytes at `addr`; `watch` is of the bytes at `watched`."""

    name: str
    hart: int
    word: int
    addr: int = 0
    size: int = 4
    data: int = PUSHED
    watch: str = ""
    watched: int = 0
    bits: int = 32  # of an element
    elements: int = ELEMENTS
    is_broken: bool = False  # a breakpoint at the instruction too
    then: int = NOP

    def __str__(self) -> str:
        watch = f", {self.watch} watch at {self.watched:#x}" if self.watch else ""
        watch += ", breakpoint" if self.is_broken else ""
        return f"{HART_NAMES[self.hart]}: {self.name} of {self.data:#x} at {self.addr:#010x}{watch}"


@dataclass(frozen=True, slots=True)
class Seen:
    """The first stop, and how many instructions each Tensix thread was handed before it."""

    kind: StopKind
    hart: int = 0
    pc: int = 0
    code: int = 0
    a: int = 0
    pushed: tuple[int, ...] = (0, 0, 0)


def scalars(hart: int) -> Iterator[Case]:
    """Every width of load, store and atomic at every address, aligned or not, watched or not."""
    for row in SCALARS:
        if row.form is Form.AMO and row.name != ATOMIC:
            continue
        size = row.size or 4
        word = asm(row.name, rd=8, rs1=BASE, rs2=DATA, frs2=DATA, frd=8)
        for _, addr in ADDRESSES:
            for watch in WATCHES:
                yield Case(row.name, hart, word, addr, size, watch=watch, watched=addr)
            for at in {addr + size // 2, addr + size % 4} - {addr}:
                for watch in ("", "access"):
                    yield Case(row.name, hart, word, at, size, watch=watch, watched=at)
            if row.name == "sw":
                yield Case(row.name, hart, word, addr, data=0)


def others(hart: int) -> Iterator[Case]:
    """Yield cases that access nothing, or come in pairs: pauses, CSRs, jumps, pushes, loads from
    TTSync."""
    words = {
        "no instruction": 0,
        "unknown csr": asm("csrrs", rd=8, imm=0x123),
        "read-only csr": asm("csrrw", rs1=DATA, imm=0xF14),
        "mret": asm("mret"),
        "ebreak": asm("ebreak"),
        "ecall": asm("ecall"),
        "jump to half a word": asm("jalr", rs1=BASE, imm=2),
        "jump out of L1": asm("jalr", rs1=BASE),
        "ttinsn": (PUSHED << 2 | PUSHED >> 30) & 0xFFFFFFFF,
        "fence": asm("fence"),
        "vector arithmetic": 0x022180D7,
    }
    for name, word in words.items():
        for addr in (0x180000, 0xFFB00000):
            for is_broken in (False, True):
                yield Case(name, hart, word, addr, is_broken=is_broken)
    load, store = asm("lw", rd=8, rs1=BASE), asm("sw", rs1=BASE, rs2=DATA)
    for _, addr in ADDRESSES:
        for name, first in (("load, load", load), ("store, load", store)):
            yield Case(name, hart, first, addr, then=load)


def vector_word(form: str, verb: str, width: int) -> int:
    """A vector load or store of v8 at BASE; indices are in v4, and 0."""
    mop = {"indexed": 1, "strided": 2}.get(form, 0)
    lumop = {"whole": 8, "mask": 11, "first-fault": 16, "strided": STRIDE, "indexed": 4}
    fields = 1 if form == "segment" else 0
    imm = fields << 14 | mop << 11 | 1 << 10 | lumop.get(form, 0) << 5 | 8
    return asm(f"v.{verb}{width}", rs1=BASE, imm=imm)


def vectors(form: str) -> Iterator[Case]:
    """Vector loads and stores of T2, and of a hart that has no V; watched at the first element and
    at the third."""
    for verb in ("load",) if form == "first-fault" else ("load", "store"):
        for width in (8,) if form == "mask" else VTYPES:
            name, word, size = f"{form} {verb}{width}", vector_word(form, verb, width), width // 8
            for _, addr in ADDRESSES:
                for watch in WATCHES:
                    for watched in {addr, addr + 2 * size} if watch else {addr}:
                        yield Case(name, T2, word, addr, size,
                                   watch=watch, watched=watched, bits=width)  # fmt: skip
                if size > 1:
                    at = addr + size // 2
                    yield Case(name, T2, word, at, size, bits=width)
                    yield Case(name, T2, word, at, size, watch="access", watched=at, bits=width)
            yield Case(name, T0, word, ADDRESSES[0][1], size, bits=width)


class Bench:
    """A machine with a schedule, made once and restored for every case."""

    def __init__(self, engine: str, schedule: Schedule, seed: int = 1) -> None:
        self.machine = machine_on(engine, schedule, seed)
        self._starts = [self._start(hart) for hart in range(HARTS)]

    def _start(self, hart: int) -> bytearray:
        machine = self.machine
        machine.images.clear()
        machine.reset()
        machine.load(hart, image([NOP] * 8 + [SPIN], START))
        machine.images.clear()
        return machine.snapshot()

    def close(self) -> None:
        self.machine.close()

    def first_stop(self, case: Case) -> Seen:
        machine, hart = self.machine, case.hart
        machine.restore(self._starts[hart])
        code = case.word.to_bytes(4, "little") + case.then.to_bytes(4, "little")
        machine.memory.poke(hart, GUILTY, code)
        for number, value in ((BASE, case.addr), (DATA, case.data), (STRIDE, 2 * case.size)):
            machine.write_x(hart, number, value)
        machine.S.hart.x[hart, 32 + DATA] = case.data
        machine.S.hart.vector_csr[T2, VTYPE] = VTYPES[case.bits]
        machine.S.hart.vector_csr[T2, VL] = case.elements
        if case.watch:
            machine.add_watch(hart, case.watched, case.size, case.watch)
        if case.is_broken:
            machine.add_break(GUILTY)
        try:
            return self._seen(machine.run(CYCLES))
        finally:
            if case.watch:
                machine.remove_watch(hart, case.watched, case.size, case.watch)
            if case.is_broken:
                machine.remove_break(GUILTY)

    def _seen(self, stop: Stop | None) -> Seen:
        S = self.machine.S
        pushed = tuple(int(count) for count in S.push.count)
        if stop is None:
            return Seen(StopKind.NONE, pushed=pushed)
        return Seen(stop.kind, stop.hart, stop.pc, stop.code, int(S.stop.a), pushed)
