# SPDX-License-Identifier: Apache-2.0
"""From datums to blocks of 16 bytes for L1 (Packers/OutputAddressGenerator.md, "Output alignment").

Each of the three streams collects 16 bytes and puts them into the queue of blocks. What is less at
the end of a pack stays in the stream, until the next one continues it or a flush fills it with
zeros. Datums of block float are held back until there are 16 for an exponent.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.decisions import PACKER_OUT
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.numeric.block import bf16_to_bfp8, e5m7_to_bfp8a, narrower, shared_to_nearest
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import due_after
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.packer.early_convert import rounding
from tensix_gdb.core.tensix.packer.formats import BITS, HAS_EXPONENTS
from tensix_gdb.core.tensix.packer.state import DATUMS, EXPONENTS, OUT, WRITE

GROUP = 16  # datums with one exponent
BLOCK_BITS = 128
# UNSPECIFIED(Packers/README.md): no page has a number.
PIPELINE = cost(
    "packer.pipeline", 8, "cycles", "from reading Dst to L1", source="Packers/README.md",
    trust=Trust.UNKNOWN, note="no page has it; throughput does not depend on it",
)  # fmt: skip


def put_block(S: View, kind: int, addr: int) -> int:
    """Return a place at the end of the queue, for the caller to fill in the block."""
    at = (S.pack.out_first + S.pack.out_count) % OUT
    S.pack.out_count += 1
    S.pack.out_kind[at] = kind
    S.pack.out_thread[at] = S.pack.running - 1
    S.pack.out_addr[at] = addr
    S.pack.out_due[at] = due_after(S, PIPELINE, PACKER_OUT)
    return at


def emit(S: View, stream: int) -> int:
    """Send the block of a stream to L1, and the next one after it."""
    addr = S.pack.addr[stream]
    at = put_block(S, S.pack.add if stream == DATUMS else WRITE, addr)
    for i in range(4):
        S.pack.out_word[at, i] = S.pack.block[stream, i]
        S.pack.block[stream, i] = 0
    S.pack.fill[stream] = 0
    S.pack.addr[stream] = addr + 16
    S.pack.blocks = (S.pack.blocks + 1) & 0xFFFF
    return 0


def append(S: View, stream: int, value: int, bits: int) -> int:
    """Add `bits` bits, which divide 32, to a stream."""
    fill = S.pack.fill[stream]
    word = S.pack.block[stream, fill >> 5]
    S.pack.block[stream, fill >> 5] = word | value << (fill & 31)
    S.pack.fill[stream] = fill + bits
    if fill + bits == BLOCK_BITS:
        emit(S, stream)
    return 0


def whole_blocks(S: View, n: int, bits: int) -> int:
    """Add `n` datums to a stream at the begin of a block, as far as blocks become full; how many.

    The way that nearly all datums go.
    """
    per_block = BLOCK_BITS // bits
    count = n // per_block
    addr = S.pack.addr[DATUMS]
    for block in range(count):
        at = put_block(S, S.pack.add, addr + 16 * block)
        first = block * per_block
        match bits:
            case 32:
                for i in lanes(4):
                    S.pack.out_word[at, i] = S.pack.datum[(first & 0x3C) + i]
            case 16:
                for i in lanes(8):
                    S.pack.out_half[8 * at + i] = S.pack.datum[(first & 0x38) + i]
            case 8:
                for i in lanes(16):
                    S.pack.out_byte[16 * at + i] = S.pack.datum[(first & 0x30) + i]
            case _:
                narrow_block(S, at, first, bits)
    S.pack.addr[DATUMS] = addr + 16 * count
    S.pack.blocks = (S.pack.blocks + count) & 0xFFFF
    return count * per_block


def narrow_block(S: View, at: int, first: int, bits: int) -> int:
    """A block of datums of 4 or 2 bits, the first of which is in `datum[first]`."""
    per_word = 32 // bits
    for i in range(4):
        value = 0
        for k in range(per_word):
            value |= S.pack.datum[first + i * per_word + k] << (bits * k)
        S.pack.out_word[at, i] = value
    return 0


def datums(S: View, n: int) -> int:
    """`n` datums, each as it will be in L1, to their stream."""
    bits = BITS[S.pack.format]
    done = whole_blocks(S, n, bits) if S.pack.fill[DATUMS] == 0 else 0
    for i in range(done, n):
        append(S, DATUMS, S.pack.datum[i], bits)
    return 0


# -- block float
def shared_exponent(S: View, first: int) -> int:
    """Return the exponent of the 16 datums from `first` on."""
    shift = 7 if S.pack.format & 4 or S.pack.format > Format.BFP2A else 10
    bits = 0xFF if shift == 7 else 0x1F
    largest = 0
    for i in lanes(GROUP):
        largest = max(largest, (S.pack.datum[(first & 0x30) + i] >> shift) & bits)
    return largest


def block_float(S: View, first: int) -> int:
    """The 16 datums from `first` on become block float; their exponent."""
    exponent = shared_exponent(S, first)
    bits = BITS[S.pack.format]
    if S.pack.format & 4 and S.pack.stochastic & 2 == 0:
        for i in lanes(GROUP):
            x = S.pack.datum[(first & 0x30) + i]
            value = shared_to_nearest(x >> 15, (x >> 7) & 0xFF, x & 0x7F, exponent)
            S.pack.datum[(first & 0x30) + i] = value
    elif S.pack.format & 4:
        for i in range(GROUP):
            value = bf16_to_bfp8(S.pack.datum[first + i], exponent, rounding(S, 2))
            S.pack.datum[first + i] = value
    else:
        for i in range(GROUP):
            value = e5m7_to_bfp8a(S.pack.datum[first + i], exponent, rounding(S, 2))
            S.pack.datum[first + i] = value
    if bits < 8:
        for i in range(GROUP):
            S.pack.datum[first + i] = narrower(S.pack.datum[first + i], bits)
    return exponent


def in_groups(S: View, n: int) -> int:
    """Block float: as many datums as have an exponent go to their stream, the rest is held."""
    if S.pack.grouped == 0 and n % GROUP == 0:
        for group in range(n // GROUP):
            append(S, EXPONENTS, block_float(S, GROUP * group), 8)
        return datums(S, n)
    for i in range(n):
        S.pack.chosen[i] = S.pack.datum[i]
    for i in range(n):
        S.pack.group[S.pack.grouped] = S.pack.chosen[i]
        S.pack.grouped += 1
        if S.pack.grouped == GROUP:
            end_group(S)
    return 0


def end_group(S: View) -> int:
    """Sixteen datums have been held back; or less at a flush, and zeros fill them up."""
    for i in range(GROUP):
        S.pack.datum[i] = S.pack.group[i] if i < S.pack.grouped else 0
    exponent = block_float(S, 0)
    append(S, EXPONENTS, exponent, 8)
    n = S.pack.grouped
    for i in range(GROUP):
        S.pack.group[i] = 0
    S.pack.grouped = 0
    return datums(S, n)


def deliver(S: View, n: int) -> int:
    """`n` datums that are through the late conversion."""
    S.pack.total = (S.pack.total + n) % GROUP
    return in_groups(S, n) if HAS_EXPONENTS[S.pack.format] else datums(S, n)


def flush(S: View) -> int:
    """The end of a tile: what the streams still hold is filled with zeros and goes to L1."""
    if S.pack.grouped:
        end_group(S)
    for stream in range(3):
        if S.pack.fill[stream]:
            emit(S, stream)
    S.pack.open = 0
    return 0
