# SPDX-License-Identifier: Apache-2.0
"""The window onto the Tensix GPRs: 64 of each thread (ScalarUnit.md, BabyRISCV/README.md).

B sees the GPRs of T0, T1 and T2 one after the other. Each T core sees those of its own thread. The
window behaves as memory: any width, no side effects.

UNSPECIFIED(BabyRISCV/README.md): the window has 4 KiB. To a T core its 64 GPRs repeat every 256
bytes, which is what undecoded address bits give; B stops past the 192 GPRs that there are.
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS, B
from tensix_gdb.core.devices.registers import Access, Elsewhere, Register
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Tag, View, alias, row
from tensix_gdb.core.stop import fault

GPR_BASE = 0xFFE00000  # REGFILE_BASE
THREAD_BYTES = 256
WINDOW_BYTES = 0x1000

_WORD = row(
    "word",
    "u32",
    THREADS * 64,
    Tag.ARCHITECTURAL,
    "64 of each thread",
    marks=Mark.VISIBLE | Mark.STEERS,
)
GPR = Part(
    "gpr", (_WORD, alias("half", "u16", _WORD), alias("byte", "u8", _WORD)), chapter=Chapter.DEVICES
)
PARTS = (GPR,)


def _index(hart: int, copy: int, i: int) -> tuple[int, ...] | None:
    at = offset_of(hart, GPR_BASE + 4 * i)
    return (at >> 2,) if at >= 0 else None


WINDOW = (
    Register(
        0x0,
        "GPR{i}",
        Access.READ_WRITE,
        "of the T core's own thread; to B, those of T0, T1 and T2 one after the other",
        count=64,
        elsewhere=Elsewhere("gpr.word", _index, reach=WINDOW_BYTES // 4),
    ),
)


def offset_of(hart: int, addr: int) -> int:
    """Byte offset into `gpr` of what `addr` is to `hart`; -1 when it is nothing."""
    offset = addr - GPR_BASE
    if hart == B:
        return offset if offset < THREADS * THREAD_BYTES else -1
    return (hart - T0) * THREAD_BYTES + offset % THREAD_BYTES


def peek(S: View, hart: int, addr: int) -> int:
    """Return the GPR at `addr`."""
    offset = offset_of(hart, addr)
    return S.gpr.word[offset >> 2] if offset >= 0 else -1


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Load as from memory."""
    offset = offset_of(hart, addr)
    if offset < 0:
        return fault(S, hart, Fault.LOAD_UNMAPPED, addr, size)
    if size == 4:
        return S.gpr.word[offset >> 2]
    if size == 2:
        return S.gpr.half[offset >> 1]
    return S.gpr.byte[offset]


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Store as to memory."""
    offset = offset_of(hart, addr)
    if offset < 0:
        return fault(S, hart, Fault.STORE_UNMAPPED, addr, size)
    if size == 4:
        S.gpr.word[offset >> 2] = value
    elif size == 2:
        S.gpr.half[offset >> 1] = value
    else:
        S.gpr.byte[offset] = value
    return 0
