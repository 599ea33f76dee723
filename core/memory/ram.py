# SPDX-License-Identifier: Apache-2.0
"""L1 and local RAM: reads and writes of aligned values, and the decoded copy of L1 kept true."""

from tensix_gdb.core.arch.numbers import sext
from tensix_gdb.core.memory import l1_watch
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.decode import decode_on
from tensix_gdb.core.riscv.fields import LINE_SHIFT
from tensix_gdb.core.riscv.table import NOT_DECODED


def l1_read(S: View, addr: int, SIZE: int, SIGNED: int) -> int:
    """Read SIZE bytes of L1 at a multiple of SIZE; sign-extended to 32 bits if SIGNED."""
    if SIZE == 4:
        return S.l1.word[addr >> 2]
    if SIZE == 2:
        return sext(S.l1.half[addr >> 1], 16) & 0xFFFFFFFF if SIGNED else S.l1.half[addr >> 1]
    return sext(S.l1.byte[addr], 8) & 0xFFFFFFFF if SIGNED else S.l1.byte[addr]


def l1_write(S: View, addr: int, value: int, SIZE: int) -> int:
    """Write SIZE bytes of L1 at a multiple of SIZE.

    UNSPECIFIED(WormholeB0 BabyRISCV/InstructionCache.md): harts fetch what L1 holds now, as if
    there were no instruction caches; programs that rely on stale ones are not known.
    """
    if S.decoded.line[addr >> LINE_SHIFT]:
        overwrite(S, addr, value, SIZE)
    if SIZE == 4:
        S.l1.word[addr >> 2] = value
    elif SIZE == 2:
        S.l1.half[addr >> 1] = value & 0xFFFF
    else:
        S.l1.byte[addr] = value & 0xFF
    return 0


def overwrite(S: View, addr: int, value: int, size: int) -> int:
    """Before a write to a line of which something was decoded, or is watched (l1_watch.py)."""
    if S.l1_watch.ranges:
        l1_watch.note_write(S, addr, value & ((1 << 8 * size) - 1), size)
    return drop_decoded(S, addr >> 2)


def drop_decoded(S: View, index: int) -> int:
    """Forget what was made of a word of L1 that is written: its decoded copy, and the translation
    that it is in. This is what stores in the machine do (the debugger: core/debug/memory.py)."""
    S.decoded.word[index] = 0
    translation = S.translated.of[index]
    if translation:
        S.translated.code[translation] = 0
        S.translated.dropped = 1
    return 0


def local_read(S: View, offset: int, SIZE: int, SIGNED: int) -> int:
    """Read SIZE bytes of `local` at byte `offset`, a multiple of SIZE."""
    if SIZE == 4:
        return S.local.word[offset >> 2]
    if SIZE == 2:
        return (
            sext(S.local.half[offset >> 1], 16) & 0xFFFFFFFF
            if SIGNED
            else S.local.half[offset >> 1]
        )
    return sext(S.local.byte[offset], 8) & 0xFFFFFFFF if SIGNED else S.local.byte[offset]


def local_write(S: View, offset: int, value: int, SIZE: int) -> int:
    """Write SIZE bytes of `local` at byte `offset`, a multiple of SIZE."""
    if SIZE == 4:
        S.local.word[offset >> 2] = value
    elif SIZE == 2:
        S.local.half[offset >> 1] = value & 0xFFFF
    else:
        S.local.byte[offset] = value & 0xFF
    return 0


def l1_load(S: View, addr: int, size: int) -> int:
    """`l1_read` of a size that is known when it runs; zero-extended."""
    if size == 4:
        return l1_read(S, addr, 4, 0)
    return l1_read(S, addr, 2, 0) if size == 2 else l1_read(S, addr, 1, 0)


def l1_store(S: View, addr: int, size: int, value: int) -> int:
    """`l1_write` of a size that is known when it runs."""
    if size == 4:
        return l1_write(S, addr, value, 4)
    return l1_write(S, addr, value, 2) if size == 2 else l1_write(S, addr, value, 1)


def local_load(S: View, offset: int, size: int) -> int:
    """`local_read` of a size that is known when it runs; zero-extended."""
    if size == 4:
        return local_read(S, offset, 4, 0)
    return local_read(S, offset, 2, 0) if size == 2 else local_read(S, offset, 1, 0)


def local_store(S: View, offset: int, size: int, value: int) -> int:
    """`local_write` of a size that is known when it runs."""
    if size == 4:
        return local_write(S, offset, value, 4)
    return local_write(S, offset, value, 2) if size == 2 else local_write(S, offset, value, 1)


def decode_at(S: View, pc: int) -> int:
    """Decode the word of L1 at `pc`, and keep it unless there is a breakpoint to look out for. What
    the head of a translation is, is known."""
    kept = S.decoded.word[pc >> 2]
    if kept and kept & 0xFF == NOT_DECODED:
        return S.translated.word[kept >> 8]
    d = decode_on(S.l1.word[pc >> 2], S.tile.chip)
    if S.debug.breaks[pc >> 2] == 0:
        S.decoded.word[pc >> 2] = d
        S.decoded.line[pc >> LINE_SHIFT] = 1
    return d
