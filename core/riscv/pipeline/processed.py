# SPDX-License-Identifier: Apache-2.0
"""The oldest request of a stream is processed: its region reads or writes, and a load or an atomic
gets its answer (load_store.py has the rules)."""

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.memory import access, regions, streams
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.memory.ram import l1_read, l1_write
from tensix_gdb.core.race.harts import regions as races_of_regions
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline import l0_cache
from tensix_gdb.core.riscv.pipeline.fields import LINE_BYTES
from tensix_gdb.core.riscv.pipeline.load_store import ATOMIC_BACK, BACK, extend
from tensix_gdb.core.riscv.pipeline.pipeline import answer
from tensix_gdb.core.riscv.table import FORMS, OPERATIONS


def _no_operation(old: int, operand: int) -> int:
    return old


ATOMIC_OPERATIONS: tuple[Callable[[int, int], int], ...] = tuple(
    operation if form is Form.AMO and operation is not None else _no_operation
    for form, operation in zip(FORMS, OPERATIONS, strict=True)
)


def process(S: View, hart: int, stream: int, CHECKED: int) -> int:
    """Process the oldest request of a stream; 1 if that was possible, or a negative status."""
    addr = S.stream.addr[hart, stream, 0]
    size = S.stream.size[hart, stream, 0]
    entry = S.stream.entry[hart, stream, 0]
    op = S.stream.op[hart, stream, 0]
    if CHECKED and S.race.on:
        races_of_regions.check(S, hart, stream)
    if S.stream.kind[hart, stream, 0] == streams.WRITE:
        status = write(S, hart, stream, addr, size)
    elif S.stream.kind[hart, stream, 0] == streams.ATOMIC:
        old = l1_read(S, addr, 4, 0)
        l1_write(S, addr, ATOMIC_OPERATIONS[op](old, S.stream.data[hart, stream, 0, 0]), 4)
        status = answer(S, hart, entry, old, ATOMIC_BACK)
    else:
        status = access.load(S, hart, addr, size, S.stream.pc[hart, stream, 0])
        if status >= 0:
            if addr < L1_BYTES and not writes_line(S, hart, addr):
                l0_cache.fill(S, hart, addr)
            status = answer(S, hart, entry, extend(status, size * 8, op), BACK[stream])
    if status < 0:
        return status
    # A store to SOFT_RESET_0 by the hart that it puts into reset has emptied its own stream.
    if S.stream.count[hart, stream] > 0:
        if CHECKED and S.race.on:
            races_of_regions.done(S, hart, stream)
        streams.shift_out(S, hart, stream)
    return 1


def writes_line(S: View, hart: int, addr: int) -> int:
    """True if a store of the hart to the line around `addr` is not in L1 yet.

    Then the line as it is now must not stay in the L0 cache: the store has dropped it already, and
    a later load would miss what its own hart has written.
    """
    wanted = addr & ~(LINE_BYTES - 1)
    for i in range(S.pipeline.sq_count[hart]):
        if S.pipeline.sq_addr[hart, i] == wanted:
            return 1
    for i in range(S.stream.count[hart, streams.L1]):
        if (
            S.stream.kind[hart, streams.L1, i] == streams.WRITE
            and S.stream.addr[hart, streams.L1, i] == wanted
        ):
            return 1
    return 0


def write(S: View, hart: int, stream: int, addr: int, size: int) -> int:
    """0 or a negative status. L1 takes the masked bytes of a line in one go."""
    if addr < L1_BYTES:
        mask = S.stream.mask[hart, stream, 0]
        for word in range(LINE_BYTES // 4):
            bytes_of = (mask >> (4 * word)) & 0xF
            if bytes_of == 0xF:
                l1_write(S, addr + 4 * word, S.stream.data[hart, stream, 0, word], 4)
            elif bytes_of:
                write_bytes(S, addr + 4 * word, S.stream.data[hart, stream, 0, word], bytes_of)
        return 0
    if streams.PUSH <= stream < streams.PCBUF:
        return write_pushes(S, hart, stream, addr, size)
    value = S.stream.data[hart, stream, 0, 0]
    return access.store(S, hart, addr, size, value, S.stream.pc[hart, stream, 0])


def write_bytes(S: View, addr: int, value: int, mask: int) -> int:
    """Write those bytes of a word to L1 that have a bit in `mask`."""
    for byte in range(4):
        if (mask >> byte) & 1:
            l1_write(S, addr + byte, (value >> (8 * byte)) & 0xFF, 1)
    return 0


def write_pushes(S: View, hart: int, stream: int, addr: int, size: int) -> int:
    """Push an instruction, or up to four that are fused; 0 or a negative status. The window itself
    refuses a store of another `size` than a word."""
    for word in range(4):
        if (S.stream.mask[hart, stream, 0] >> (4 * word)) & 1:
            value = S.stream.data[hart, stream, 0, word]
            origin = S.stream.pc[hart, stream, 0] + 4 * word
            status = regions.write_in(S, hart, Region.PUSH, addr, size, value, origin)
            if status < 0:
                return status
    return 0


INLINED = (write_pushes,)
