# SPDX-License-Identifier: Apache-2.0
"""Stages of the packer that those of both chips have: from the datums read to the streams."""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer import compress as pack_compress
from tensix_gdb.core.tensix.packer import early_convert as pack_early
from tensix_gdb.core.tensix.packer import metadata as pack_metadata
from tensix_gdb.core.tensix.packer import output as pack_output
from tensix_gdb.core.tensix.packer import passes as pack_convert
from tensix_gdb.core.tensix.packer.config import STATISTICS
from tensix_gdb.core.tensix.packer.formats import FP32_TO_FP16
from tensix_gdb.core.tensix.packer.state import FROM_DST32, FROM_L1, HEADER_COUNTS, TO_FIFO


def converted(S: View) -> int:
    """Read datums and take them as far as exponent thresholding; how many."""
    n = pack_early.read(S)
    if S.pack.source != FROM_L1:
        pack_early.early(S, n)
        pack_convert.mask(S)
        if S.pack.relu:
            pack_convert.relu(S, n)
        enabled = (
            S.config.thread[0, STATISTICS]
            | S.config.thread[1, STATISTICS]
            | S.config.thread[2, STATISTICS]
        )
        pack_convert.count(S, n, enabled & 1)
        if S.pack.early == FP32_TO_FP16 and S.pack.source == FROM_DST32:
            pack_early.narrow(S, n)
    if S.pack.exponent_threshold:
        pack_convert.threshold(S, n)
    return n


def deliver(S: View, n: int) -> int:
    """Datums on their way to the streams."""
    if S.pack.compress:
        if S.pack.started == 0:
            pack_compress.open_streams(S)
        S.pack.started = 1
        return pack_compress.compress(S, n)
    S.pack.started = 1
    return pack_output.deliver(S, n)


def end_tile(S: View) -> int:
    """What the tile header and TDMA-RISC are told (TDMA-RISC.md).

    UNSPECIFIED(TDMA-RISC.md): the unit of sizes; 16 bytes, as the tile header's own size is 1.
    """
    thread = S.pack.running - 1
    if S.pack.last:
        S.pack.last_thread = thread + 1
        S.pack.last_size = S.pack.blocks
        size = S.pack.acc_size[thread] + S.pack.blocks + (S.pack.header_flags & HEADER_COUNTS)
        S.pack.acc_size[thread] = size & 0xFFFF
        if S.pack.header_flags & TO_FIFO:
            pack_metadata.push(S)
    S.pack.blocks = 0
    S.pack.total = 0
    S.pack.started = 0
    return 0
