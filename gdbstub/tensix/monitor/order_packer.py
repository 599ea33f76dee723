# SPDX-License-Identifier: Apache-2.0
"""The packer's part of `monitor order`: what a PACR has not read yet, and what is not in L1 yet."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.packer.state import (
    END,
    FROM_L1,
    FROM_NOWHERE,
    INTERFACES,
    OUT,
    TO_DEVICE,
    WRITE,
)
from tensix_gdb.gdbstub.tensix.monitor_row import NAMES

BLOCK = 16
_STREAMS = ("row starts", "exponents", "datums")


def packer_order(machine: Machine, thread: int) -> Iterator[str]:
    """Yield lines of one thread: the oldest first."""
    pack = machine.S.pack
    name = NAMES[thread]
    first, size, kind = 0, 0, WRITE
    for i in range(pack.out_count):
        at = (pack.out_first + i) % OUT
        addr, what = int(pack.out_addr[at]), int(pack.out_kind[at])
        follows = size and addr == first + size and what == kind
        if size and not follows:
            yield _write(name, first, size, kind)
            size = 0
        if pack.out_thread[at] != thread or what == END:
            continue
        if what == TO_DEVICE:
            yield f"{name}  emitted  PACR_SETREG: store to {addr:#010x} (C3)"
            continue
        first = addr if not follows else first
        size, kind = size + BLOCK, what
    if size:
        yield _write(name, first, size, kind)
    if pack.running == thread + 1:
        yield f"{name}  in pack  PACR has not read {_what(machine)} yet (C3)"


def packer_buffers(machine: Machine) -> Iterator[str]:
    """Yield what waits in the packer for more datums, or a flush, of any thread."""
    pack = machine.S.pack
    for stream, what in enumerate(_STREAMS):
        if pack.fill[stream]:
            size, addr = (int(pack.fill[stream]) + 7) // 8, int(pack.addr[stream])
            yield f"    in the packer {size} bytes of {what} for {addr:#010x}, until a flush"
    if pack.grouped:
        yield f"    in the packer {pack.grouped} datums without a shared exponent, until a flush"


def _write(name: str, first: int, size: int, kind: int) -> str:
    how = "store of" if kind == WRITE else "accumulation of"
    return f"{name}  emitted  PACR: {how} {size} bytes to L1 at {first:#010x} (C3)"


def _what(machine: Machine) -> str:
    pack = machine.S.pack
    if pack.source == FROM_NOWHERE:
        return f"{pack.left} zeros"
    if pack.source == FROM_L1:
        return f"{pack.left} datums of L1 from {int(pack.first):#x}"
    rows = [
        str((int(pack.first) + i * int(pack.apart)) & 0x3FF)
        for i in range(INTERFACES)
        if pack.interfaces >> i & 1
    ]
    return f"row{'s' if len(rows) > 1 else ''} {', '.join(rows)} of Dst"
