# SPDX-License-Identifier: Apache-2.0
"""Configuration that changes while the unpackers work (core/isa/sampling.py).

UNPACR samples when it passes its gate. A field that an unpacker may sample later is sampled once
more, or not, in the cycle after a write that changes it: in `random` one time in SEEN, in
`exhaustive` both ways. Datums that are still to be moved have the new value then, and the bank is
handed over with it.
"""

from tensix_gdb.core.decisions import UNPACKER_SAMPLES
from tensix_gdb.core.devices.backend_config import UNPACKERS as CHANGED
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import one_in
from tensix_gdb.core.tensix.unpacker import config as config
from tensix_gdb.core.tensix.unpacker import queue as queue
from tensix_gdb.core.tensix.unpacker.config import value
from tensix_gdb.core.tensix.unpacker.formats import NO_CONVERSION, OUT_SHIFT, conversion_of

COLD = True  # little time of LLVM for it (core/engine/README.md)
SEEN = 4


def sample_again(S: View) -> int:
    """A field has changed that the unpackers may not have sampled yet."""
    S.config.late &= ~CHANGED
    for unpacker in range(queue.UNPACKERS):
        for i in range(S.unpack.count[unpacker]):
            j = unpacker * queue.DEPTH + (S.unpack.head[unpacker] + i) % queue.DEPTH
            if S.unpack.kind[j] == queue.MOVE and one_in(S, SEEN, UNPACKER_SAMPLES + unpacker):
                change_format(S, unpacker, j)
    return 1


def change_format(S: View, unpacker: int, j: int) -> int:
    """Take Out_data_format anew, where it is a conversion that goes to the same rows.

    UNSPECIFIED(UNPACR_Regular.md): others, and formats of a context; they stay as at the gate.
    """
    bank = S.unpack.bank[j]
    wanted = value(S, bank, config.OUT_FORMAT[unpacker])
    if value(S, bank, config.OVERRIDE_FORMAT[unpacker]):
        return 0
    if OUT_SHIFT[wanted] != OUT_SHIFT[S.unpack.format[j]]:
        return 0
    if S.unpack.target[j] >= queue.DST_16:
        return 0
    conversion = conversion_of(S.unpack.in_format[j], wanted, 0)
    if conversion == NO_CONVERSION:
        return 0
    S.unpack.conversion[j] = conversion
    S.unpack.format[j] = wanted
    return 1
