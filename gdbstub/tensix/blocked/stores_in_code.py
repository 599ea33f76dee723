# SPDX-License-Identifier: Apache-2.0
"""The places where programs store to a known address: by a store of the hart, or a STOREREG that it
pushes.

Code is read from its first word to its last, with the constants that it puts into registers. What
it computes, or is given by its caller, is not known, so there may be other stores.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tensix_gdb.core.arch.blackhole import PUSH_BASE
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS, OPERATIONS, SIZES
from tensix_gdb.core.tensix import table
from tensix_gdb.gdbstub.tensix.blocked.polled_words import is_firmware

STOREREG = table.opcode("STOREREG")
MMIO = 0xFFB00000
ADDRESS_BITS = 0x3FFFF
PUSH_WINDOWS = range(PUSH_BASE, PUSH_BASE + 0x30000)
_Stores = dict[int, list[tuple[int, int, int]]]  # by word: address, bytes, offset of the store


def stores_to(machine: Machine, addr: int, size: int) -> Iterator[tuple[int, list[int]]]:
    """Yield each hart with a program that stores to some of these bytes, and where it does so. Of
    a hart with a kernel of tt-metal, the firmware does not count."""
    found: dict[int, list[int]] = {}
    kernels = {image.hart for image in machine.images if not is_firmware(image)}
    for image in machine.images:
        if image.hart is None or (image.hart in kernels and is_firmware(image)):
            continue
        for segment in image.code:
            for at, wide, place in _stores(bytes(segment.data)).get(addr & ~3, ()):
                if at < addr + size and addr < at + wide:
                    found.setdefault(image.hart, []).append(segment.addr + place)
    yield from found.items()


@lru_cache(maxsize=64)
def _stores(code: bytes) -> _Stores:
    """Return the words that code stores to."""
    found: _Stores = {}
    known: dict[int, int] = {0: 0}
    for at, word in enumerate(memoryview(code[: len(code) & ~3]).cast("I")):
        if word & 3 != 3:
            _note_push(found, (word >> 2 | word << 30) & MASK32, 4 * at)
            continue
        d = decode(word)
        form, rd, rs1, immediate = FORMS[d & 0xFF], d >> 8 & 63, d >> 16 & 63, d >> 32
        if form is Form.STORE:
            # Where the address is not known, the opcode is enough to know a push by.
            addr = known[rs1] + immediate & MASK32 if rs1 in known else PUSH_BASE
            if addr in PUSH_WINDOWS:
                _note_push(found, known.get(d >> 24 & 63, 0), 4 * at)
            else:
                found.setdefault(addr & ~3, []).append((addr, SIZES[d & 0xFF], 4 * at))
            continue
        value: int | None = None
        if form is Form.LUI:
            value = immediate & MASK32
        elif form is Form.ALU_RI and rs1 in known:
            value = OPERATIONS[d & 0xFF](known[rs1], immediate & MASK32) & MASK32
        elif form is Form.ALU_RR and rs1 in known and d >> 24 & 63 in known:
            value = OPERATIONS[d & 0xFF](known[rs1], known[d >> 24 & 63]) & MASK32
        elif form in (Form.JAL, Form.JALR):
            known = {0: 0}  # a call, or the end of a function
        known.pop(rd, None)
        if value is not None:
            known[rd] = value
        known[0] = 0
    return found


def _note_push(found: _Stores, instruction: int, at: int) -> None:
    if instruction >> 24 == STOREREG:
        addr = MMIO + ((instruction & ADDRESS_BITS) << 2) & MASK32
        found.setdefault(addr, []).append((addr, 4, at))
