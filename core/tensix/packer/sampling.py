# SPDX-License-Identifier: Apache-2.0
"""Configuration that changes while the packer works (core/isa/sampling.py).

PACR samples when it passes its gate. A field that the packer may sample later is sampled once more,
or not, in the cycle after a write that changes it: in `random` one time in SEEN, in `exhaustive`
both ways. What is still to be read then has the new value, and so has each block on its way to L1,
which adds it or not.
"""

from tensix_gdb.core.decisions import PACKER_SAMPLES
from tensix_gdb.core.devices.backend_config import PACKER
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import one_in
from tensix_gdb.core.tensix.packer import config as C
from tensix_gdb.core.tensix.packer.formats import KIND
from tensix_gdb.core.tensix.packer.start import ADDS, relu
from tensix_gdb.core.tensix.packer.state import END, FROM_L1, OUT, TO_DEVICE, WRITE

COLD = True  # little time of LLVM for it (core/engine/README.md)
SEEN = 4


def sample_again(S: View) -> int:
    """A field has changed that the packer may not have sampled yet."""
    S.config.late &= ~PACKER
    if not one_in(S, SEEN, PACKER_SAMPLES):
        return 0
    bank = S.pack.bank
    add = ADDS[S.pack.format]
    if add != WRITE and not S.pack.compress:
        more = S.config.word[bank, C.MORE[S.pack.section]]
        accumulate(S, add if more & C.L1_ACC else WRITE)
    if S.pack.source < FROM_L1:
        # A mode that is undefined behaviour is not taken.
        relu(S, bank, KIND[S.pack.early])
    return 1


def accumulate(S: View, add: int) -> int:
    """Let L1 do this with all datums under way, which have no exponents of their own."""
    S.pack.add = add
    for i in range(S.pack.out_count):
        at = (S.pack.out_first + i) % OUT
        if S.pack.out_kind[at] != END and S.pack.out_kind[at] != TO_DEVICE:
            S.pack.out_kind[at] = add
    return 0
