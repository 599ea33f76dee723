# SPDX-License-Identifier: Apache-2.0
"""Memory as a hart would see it after its own instructions: queued stores, loads under way.

With schedules in which requests take time, a stopped hart has stores that are not processed and
loads without an answer. A debugger looks at memory and registers in program order: RAM with the
hart's own stores laid over it, and for a register with a load under way the value that the load
would get if it were processed now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import LINE_BYTES
from tensix_gdb.core.riscv.pipeline.load_store import (
    ATOMICS,
    LOADS,
    STORES,
    extract,
)
from tensix_gdb.core.riscv.pipeline.pipeline import NO_ENTRY
from tensix_gdb.core.riscv.pipeline.processed import ATOMIC_OPERATIONS
from tensix_gdb.core.riscv.table import OPS, SIZES

# Where bytes of RAM can wait; other streams lead to devices.
RAM_STREAMS = (streams.L1, streams.LOCAL, *range(streams.SLOW_LOCAL, streams.TDMA))

Put = Callable[[int, int], None]
Swap = Callable[[int], None]  # make an atomic one that writes this word whatever is there
ReadRam = Callable[[int, int], bytes | None]  # (addr, length): bytes as in RAM; None: a device
WORD_MASK = 0b1111


class Waiting:
    """One store or atomic that is not processed.

    A store has the bytes of `data` that `mask` marks. An atomic, with the number of its operation
    in `op`, makes them from what is there. `put(i, byte)` changes a byte of `data`.
    """

    __slots__ = ("addr", "data", "mask", "op", "put", "swap")

    def __init__(self, addr: int, data: bytes, mask: int, put: Put, op: int, swap: Swap) -> None:
        self.addr, self.data, self.mask, self.put = addr, data, mask, put
        self.op, self.swap = op, swap

    def overlaps(self, addr: int, length: int) -> bool:
        """True if it writes one of these bytes."""
        first, last = max(addr, self.addr), min(addr + length, self.addr + len(self.data))
        return any(self.mask >> (at - self.addr) & 1 for at in range(first, last))


def in_stream(S: View, hart: int, stream: int, before: int = streams.DEPTH) -> Iterator[Waiting]:
    """Emitted stores and atomics of a stream, oldest first, up to request `before`."""
    rows = S.stream
    for i in range(min(rows.count[hart, stream], before)):
        index = hart, stream, i
        if rows.kind[index] == streams.WRITE:
            size = rows.size[index]
            mask = rows.mask[index] if size == LINE_BYTES else (1 << size) - 1
            yield _store(rows.data, index, rows.addr[index], size, mask)
        elif rows.kind[index] == streams.ATOMIC:
            yield _emitted_atomic(S, hart, stream, i)


def waiting_stores(S: View, hart: int) -> Iterator[Waiting]:
    """Yield the stores that `hart` will still make to RAM, in program order for each address."""
    for stream in RAM_STREAMS:
        yield from in_stream(S, hart, stream)
    rows = S.pipeline
    for i in range(rows.sq_count[hart]):
        size = rows.sq_size[hart, i]
        mask = rows.sq_mask[hart, i] if size == LINE_BYTES else (1 << size) - 1
        yield _store(rows.sq_data, (hart, i), rows.sq_addr[hart, i], size, mask)
    op = rows.ex1_op[hart]
    if STORES[op] or ATOMICS[op]:
        yield _in_ex1(S, hart, op)


def _never(word: int) -> None:
    raise AssertionError("only an atomic is swapped")


def _store(rows: Any, index: tuple[int, ...], addr: int, size: int, mask: int) -> Waiting:
    words = [rows[(*index, word)] for word in range(4)]

    def put(at: int, byte: int) -> None:
        words[at >> 2] = with_byte(words[at >> 2], at & 3, byte)
        rows[(*index, at >> 2)] = words[at >> 2]

    data = b"".join(word.to_bytes(4, "little") for word in words)[:size]
    return Waiting(addr, data, mask, put, 0, _never)


def _emitted_atomic(S: View, hart: int, stream: int, i: int) -> Waiting:
    rows = S.stream

    def swap(word: int) -> None:
        rows.op[hart, stream, i] = OPS["amoswap.w"]
        rows.data[hart, stream, i, 0] = word

    data = int(rows.data[hart, stream, i, 0]).to_bytes(4, "little")
    return Waiting(
        rows.addr[hart, stream, i], data, WORD_MASK, _no_put, rows.op[hart, stream, i], swap
    )


def _no_put(at: int, byte: int) -> None:
    raise AssertionError("an atomic is swapped as a whole")


def _in_ex1(S: View, hart: int, op: int) -> Waiting:
    rows = S.pipeline

    def put(at: int, byte: int) -> None:
        rows.ex1_data[hart] = with_byte(rows.ex1_data[hart], at, byte)

    def swap(word: int) -> None:
        rows.ex1_op[hart] = OPS["amoswap.w"]
        rows.ex1_data[hart] = word

    size = SIZES[op] or 4
    data = int(rows.ex1_data[hart]).to_bytes(4, "little")[:size]
    mask = (1 << size) - 1
    return Waiting(rows.ex1_addr[hart], data, mask, put, op if ATOMICS[op] else 0, swap)


def with_byte(word: int, at: int, byte: int) -> int:
    """`word` with one of its bytes replaced."""
    return word & ~(0xFF << 8 * at) | byte << 8 * at


def settle(stores: Iterable[Waiting], read_ram: ReadRam) -> dict[int, int]:
    """Return the bytes that memory will have after all of `stores`, by address."""
    settled: dict[int, int] = {}
    for store in stores:
        data = store.data
        if store.op:
            old = word_at(settled, store.addr, read_ram)
            operand = int.from_bytes(data, "little")
            data = ATOMIC_OPERATIONS[store.op](old, operand).to_bytes(4, "little")
        for i, byte in enumerate(data):
            if store.mask >> i & 1:
                settled[store.addr + i] = byte
    return settled


def word_at(settled: dict[int, int], addr: int, read_ram: ReadRam) -> int:
    """Return a word of RAM with the `settled` bytes over it."""
    memory = read_ram(addr, 4)
    assert memory is not None
    return int.from_bytes(
        bytes(settled.get(addr + i, byte) for i, byte in enumerate(memory)), "little"
    )


def lay_over(stores: Iterable[Waiting], addr: int, memory: bytes, read_ram: ReadRam) -> bytes:
    """Return bytes of memory from `addr` on, with the stores laid over them."""
    out = bytearray(memory)
    for at, byte in settle(stores, read_ram).items():
        if 0 <= at - addr < len(out):
            out[at - addr] = byte
    return bytes(out)


def amend(S: View, hart: int, addr: int, data: bytes, read_ram: ReadRam) -> list[tuple[int, bytes]]:
    """Change what waits too where a debugger writes: it writes after all of it.

    An atomic becomes a swap with the word that memory is to have. It still answers with what it
    would have found: the RAM and the stores before it stay, and the result says which bytes.
    """
    stores = list(waiting_stores(S, hart))
    kept: list[tuple[int, bytes]] = []
    for number in reversed(range(len(stores))):
        store = stores[number]
        if any(store.overlaps(at, len(old)) for at, old in kept):
            continue
        if not store.overlaps(addr, len(data)):
            continue
        if store.op:
            settled = settle(stores[: number + 1], read_ram)
            settled.update(enumerate(data, addr))
            store.swap(word_at(settled, store.addr, read_ram))
            kept.append((store.addr, read_ram(store.addr, 4) or b""))
            continue
        for i in range(len(store.data)):
            if store.mask >> i & 1 and 0 <= store.addr + i - addr < len(data):
                store.put(i, data[store.addr + i - addr])
    return kept


class Load(NamedTuple):
    """A load or atomic under way, and what the hart writes to RAM before it."""

    register: int
    addr: int
    op: int
    older: list[Waiting]

    def value(self, read_ram: ReadRam) -> int | None:
        """Return the value that the load would get now; None from a device, which answers only when
        it processes the load."""
        start = self.addr & ~3
        if read_ram(start, 4) is None:
            return None
        word = word_at(settle(self.older, read_ram), start, read_ram)
        return word if ATOMICS[self.op] else extract(word, self.addr, self.op)


def awaited(S: View, hart: int) -> Iterator[Load]:
    """Yield the loads and atomics under way with answers that registers still want."""
    waits = S.pipeline
    wanted = {
        int(waits.last_writer[hart, register]): register
        for register in range(1, 32)
        if waits.writers[hart, register] and waits.last_writer[hart, register] != NO_ENTRY
    }
    op, entry = waits.ex1_op[hart], waits.ex1_entry[hart]
    if (LOADS[op] or ATOMICS[op]) and entry in wanted:
        older = list(waiting_stores(S, hart))
        if ATOMICS[op]:
            older.pop()  # itself
        yield Load(wanted[entry], waits.ex1_addr[hart], op, older)
    rows = S.stream
    for stream in range(streams.STREAMS):
        for i in range(rows.count[hart, stream]):
            index = hart, stream, i
            if rows.kind[index] != streams.WRITE and rows.entry[index] in wanted:
                older = list(in_stream(S, hart, stream, i))
                yield Load(wanted[rows.entry[index]], rows.addr[index], rows.op[index], older)
