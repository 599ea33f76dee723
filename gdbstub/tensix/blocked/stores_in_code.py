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
from tensix_gdb.core.riscv.table import FORMS, OPERATIONS

STOREREG = 0x67
MMIO = 0xFFB00000
ADDRESS_BITS = 0x3FFFF
PUSH_WINDOWS = range(PUSH_BASE, PUSH_BASE + 0x30000)
MAX_SHOWN = 2  # of a hart


def stores_to(machine: Machine, addr: int) -> Iterator[tuple[int, list[int]]]:
    """Yield each hart with a program that stores to a word, and where it does so."""
    found: dict[int, list[int]] = {}
    for image in machine.images:
        if image.hart is None:
            continue
        for segment in image.code:
            places = _stores(bytes(segment.data)).get(addr & ~3, ())
            found.setdefault(image.hart, []).extend(segment.addr + at for at in places)
    for hart, pcs in found.items():
        if pcs:
            yield hart, pcs


@lru_cache(maxsize=64)
def _stores(code: bytes) -> dict[int, list[int]]:
    """Return the words that code stores to, each with the offsets of the stores."""
    found: dict[int, list[int]] = {}
    known: dict[int, int] = {0: 0}
    for at, word in enumerate(memoryview(code[: len(code) & ~3]).cast("I")):
        if word & 3 != 3:
            _pushed(found, (word >> 2 | word << 30) & MASK32, 4 * at)
            continue
        d = decode(word)
        form, rd, rs1, immediate = FORMS[d & 0xFF], d >> 8 & 63, d >> 16 & 63, d >> 32
        if form is Form.STORE and rs1 in known:
            addr = known[rs1] + immediate & MASK32
            if addr in PUSH_WINDOWS:
                _pushed(found, known.get(d >> 24 & 63, 0), 4 * at)
            else:
                found.setdefault(addr & ~3, []).append(4 * at)
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


def _pushed(found: dict[int, list[int]], instruction: int, at: int) -> None:
    if instruction >> 24 == STOREREG:
        addr = MMIO + ((instruction & ADDRESS_BITS) << 2) & MASK32
        found.setdefault(addr, []).append(at)
