# SPDX-License-Identifier: Apache-2.0
"""The effects of the packer's bits of SOFT_RESET_0 (SoftReset.md).

bit 2    the packer; bits 3 to 5 are Wormhole's packers 1 to 3. UNSPECIFIED(SoftReset.md): one of
         them alone; here they are in reset together
bit 17   its connection to Dst
"""

from tensix_gdb.core.arch.blackhole import THREADS, SoftReset
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer.four.images import forget
from tensix_gdb.core.tensix.packer.metadata import reset_sizes
from tensix_gdb.core.tensix.packer.state import METADATA, OUT, clear_histogram

COLD = True  # little time of LLVM for it (core/engine/README.md)

PACKERS = (int(SoftReset.PACKER), 0xF * SoftReset.PACKER)  # bits, by chip


def change(S: View, entering: int, leaving: int) -> int:
    """These bits of SOFT_RESET_0 are set, those are cleared."""
    chip = S.tile.chip
    if entering & PACKERS[chip]:
        ABORT[chip](S)
    if leaving & PACKERS[chip]:
        S.pack.offset = 0
    if entering & SoftReset.DST:
        clear_histogram(S)
    if leaving & SoftReset.DST:
        S.pack.random = 0
    return 0


def abort_four(S: View) -> int:
    """Those of Wormhole."""
    forget(S)
    return abort(S)


def abort(S: View) -> int:
    """Instructions in flight are over, what has not come to L1 never does; sizes are 0."""
    S.pack.running = 0
    S.pack.left = 0
    S.pack.open = 0
    S.pack.started = 0
    S.pack.total = 0
    S.pack.blocks = 0
    S.pack.tile_y = 0
    S.pack.tile_z = 0
    for thread in range(THREADS):
        S.busy.packer[thread] = 0
    for i in range(16):
        S.pack.group[i] = 0
    S.pack.grouped = 0
    for stream in range(3):
        S.pack.fill[stream] = 0
        for i in range(4):
            S.pack.block[stream, i] = 0
    abort_compression(S)
    for at in range(OUT):
        S.pack.out_kind[at] = 0
    S.pack.out_count = 0
    S.pack.out_first = 0
    S.pack.last_size = 0
    for i in range(METADATA):
        S.pack.metadata_size[i] = 0
        S.pack.metadata_flags[i] = 0
    S.pack.metadata_count = 0
    return reset_sizes(S)


ABORT = (abort, abort_four)


def abort_compression(S: View) -> int:
    """No datum waits for its counter."""
    S.pack.has_kept = 0
    S.pack.kept = 0
    S.pack.zeros = 0
    S.pack.in_row = 0
    S.pack.augmented = 0
    for i in range(4):
        S.pack.counters[i] = 0
    return 0
