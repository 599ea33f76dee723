# SPDX-License-Identifier: Apache-2.0
"""The effects of the Matrix Unit's bits of SOFT_RESET_0 (SoftReset.md).

bit 10   instructions in flight are aborted, and none starts (gate/wait_gate.py)
bit 17   rows that ZEROACC has marked have their contents again, and ZEROACC is discarded

UNSPECIFIED(SoftReset.md): what an aborted instruction has done. It did it when it passed the gate;
what is left of it is that the unit is busy.
"""

from tensix_gdb.core.arch.blackhole import THREADS, SoftReset
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.matrix.dst_before import PLACES

COLD = True  # little time of LLVM for it (core/engine/README.md)

ROWS_OF_DST = 1024


def change(S: View, entering: int) -> int:
    """These bits of SOFT_RESET_0 are set."""
    if entering & SoftReset.FPU:
        for thread in range(THREADS):
            S.busy.matrix[thread] = 0
        for place in range(PLACES):
            S.fpu_pipe.thread[place] = 0
            S.fpu_pipe.due[place] = 0
        S.fpu_pipe.count = 0
    if entering & SoftReset.DST:
        for at in range(ROWS_OF_DST):
            S.dst.undefined[at] = 0
            S.dst.from_undefined[at] = 0
        S.dst.marked = 0
    return 0
