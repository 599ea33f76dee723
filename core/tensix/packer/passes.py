# SPDX-License-Identifier: Apache-2.0
"""The passes of the packer over datums: on the up to 64 of one PACR in `S.pack.datum`.

    read        rows of Dst, or bytes of L1, as they are (early_convert.py)
    early       early format conversion (Packers/FormatConversion.md; early_convert.py)
    mask        edge masking (EdgeMasking.md)
    relu        ReLU.md
    count       exponent histogram (ExponentHistogram.md)
    threshold   exponent thresholding (ExponentThresholding.md)
    select      downsampling (Downsampling.md), padding of rows
    late        late format conversion, up to block float

Which of them there are was decided when the instruction started (start.py). Those that nearly
every pack needs are loops over lanes (core/engine/lanes.py): a tile takes half of the time with
them.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.numeric.formats import fp16_to_e4m3, fp16_to_fp32
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer import formats
from tensix_gdb.core.tensix.packer.early_convert import narrow
from tensix_gdb.core.tensix.packer.state import (
    BINS,
    INTERFACES,
    LANES,
    MAX_THRESHOLD_RELU,
    MIN_THRESHOLD_RELU,
    PAD_ROWS,
)

INFINITY = 0x7F800000
E5_EXPONENT = 0x7C00
SIGN = 0x80000000
ROW = 16  # datums
# By late conversion: bits that are cut off at the end, and those without which a datum becomes 0.
CUT_OFF = (0, 16, 16, 0, 8, 0, 0, 16, 16, 0, 8, 8, 0)
NEEDED = (0, 0, INFINITY, 0, 0, 0, 0, 0, INFINITY, E5_EXPONENT, 0, E5_EXPONENT, 0)


def mask(S: View) -> int:
    """Edge masking of the rows that have been read."""
    if S.pack.edge[0] & S.pack.edge[1] & S.pack.edge[2] & S.pack.edge[3] == 0xFFFF:
        return 0
    n = 0
    for i in range(INTERFACES):
        if (S.pack.interfaces >> i) & 1:
            columns = S.pack.edge[i] >> S.pack.column
            for k in range(S.pack.columns):
                if (columns >> k) & 1 == 0:
                    S.pack.datum[n + k] = S.pack.masked
            n += S.pack.columns
    return 0


def relu(S: View, n: int) -> int:
    """The packer's ReLU (ReLU.md) on `n` datums.

    The page compares as numbers. Tenstorrent's simulator compares bits, so that NaN is above the
    threshold, and of what has 8 bits of exponent the upper 19 for mode 3; so here.
    """
    sign = SIGN
    match S.pack.kind:
        case formats.E5 | formats.I16:
            sign = 0x8000
        case formats.I8:
            sign = 0x80
    for i in range(n):
        if S.pack.datum[i] & sign:
            S.pack.datum[i] = 0
    limit = S.pack.limit
    if S.pack.relu == MIN_THRESHOLD_RELU:
        for i in range(n):
            if S.pack.datum[i] <= limit:
                S.pack.datum[i] = 0
    elif S.pack.relu == MAX_THRESHOLD_RELU:
        ignored = 13 if S.pack.kind == formats.E8 else 0
        for i in range(n):
            if S.pack.datum[i] >> ignored > limit >> ignored:
                S.pack.datum[i] = limit
    return 0


def count(S: View, n: int, histogram: int) -> int:
    """Update of ExponentHistogram.md.

    UNSPECIFIED(ExponentHistogram.md): INT8, which is not counted; and which of the 16 columns count
    that an interface reads: those that are packed.
    """
    if S.pack.kind == formats.I8:
        return 0
    shift = 0 if S.pack.kind == formats.I16 else 10 if S.pack.kind == formats.E5 else 23
    bits = 0x1F if S.pack.kind == formats.E5 else 0xFF
    largest = S.pack.max_exponent
    for i in lanes(min(n, LANES)):
        largest = max(largest, (S.pack.datum[i] >> shift) & bits)
    S.pack.max_exponent = largest
    if histogram:
        for i in range(n):
            at = (S.pack.datum[i] >> shift) % BINS
            if S.pack.bins[at] != 255:
                S.pack.bins[at] += 1
    return 0


def threshold(S: View, n: int) -> int:
    """Exponent thresholding; integers have no exponents to compare."""
    shift = 10 if S.pack.kind == formats.E5 else 23
    bits = 0x1F if S.pack.kind == formats.E5 else 0xFF
    for i in range(n):
        if (S.pack.datum[i] >> shift) & bits < S.pack.exponent_threshold:
            S.pack.datum[i] = 0
    return 0


def select(S: View, n: int) -> int:
    """Downsample, and add zeros after each row if rows are padded; return the number of datums."""
    if S.pack.downsample_mask == 0xFFFF and S.pack.pad != PAD_ROWS:
        return n
    keep = S.pack.downsample_mask
    chosen = 0
    for i in range(n):
        if keep & 1:
            S.pack.chosen[chosen] = S.pack.datum[i]
            chosen += 1
        keep = (keep & 1) << 15 | keep >> 1
        if S.pack.pad == PAD_ROWS and (i + 1) % S.pack.columns == 0:
            while chosen % ROW:
                S.pack.chosen[chosen] = 0
                chosen += 1
    S.pack.downsample_mask = keep
    for i in range(chosen):
        S.pack.datum[i] = S.pack.chosen[i]
    return chosen


# -- late conversion
def late(S: View, n: int) -> int:
    """Late format conversion of `n` datums, each alone."""
    match S.pack.late:
        case formats.E8_FP16 | formats.E8_E5M2 | formats.E8_E4M3:
            narrow(S, n)
        case formats.E5_FP32 | formats.E5_BF16 | formats.E5_BF16_FLUSHED:
            widen(S, n)
    by = CUT_OFF[S.pack.late]
    needed = NEEDED[S.pack.late]
    if by + needed:
        cut(S, n, by, needed)
    if S.pack.late == formats.E8_E4M3 or S.pack.late == formats.E5_E4M3:
        for i in range(n):
            S.pack.datum[i] = fp16_to_e4m3(S.pack.datum[i])
    return 0


def cut(S: View, n: int, by: int, needed: int) -> int:
    """The low bits are cut off. What has none of the bits `needed`, if there are any, becomes 0."""
    least = 1 if needed else 0
    for i in lanes(min(n, LANES)):
        x = S.pack.datum[i]
        S.pack.datum[i] = x >> (by & 31) if x & needed >= least else 0
    return 0


def widen(S: View, n: int) -> int:
    """FP16 becomes FP32."""
    for i in range(n):
        S.pack.datum[i] = fp16_to_fp32(S.pack.datum[i])
    return 0
