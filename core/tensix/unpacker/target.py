# SPDX-License-Identifier: Apache-2.0
"""The second half of an UNPACR's beginning: where datums go, and how fast (UNPACR_Regular.md).

On Blackhole Throttle_mode counts only with ovrd_default_throttle_mode. Without it the unpacker is
as fast as it can be, 128 bytes in a cycle, or 64 when a datum has less than 8 bits (Tenstorrent's
simulator; the pages are Wormhole's, which has 64).
"""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.regfiles.adc import W, Y, Z
from tensix_gdb.core.tensix.regfiles.src import set_base
from tensix_gdb.core.tensix.unpacker import config as config
from tensix_gdb.core.tensix.unpacker import queue as queue
from tensix_gdb.core.tensix.unpacker.config import value
from tensix_gdb.core.tensix.unpacker.formats import BITS, IS_BFP, OUT_SHIFT

X1, X2, X4, X8 = range(4)  # speeds: 16, 32, 64, 128 bytes in a cycle
FIRST_ROW = 4  # of SrcA and Dst: rows before it go nowhere
ROWS_WITHOUT_OVERRIDE = 16


def destination(S: View, thread: int, unpacker: int, j: int, context: int, multi: int) -> int:
    """OutAddr and what happens to datums on their way there; 0 or a Fault."""
    bank = S.unpack.bank[j]
    to_dst = S.unpack.target[j] >= queue.DST_16
    out = (
        value(S, bank, config.OUT_BASE[unpacker])
        + S.adc.value[thread, unpacker, 1, Y] * value(S, bank, config.OUT_Y_STRIDE[unpacker])
        + S.adc.value[thread, unpacker, 1, Z] * value(S, bank, config.OUT_Z_STRIDE[unpacker])
        + S.adc.value[thread, unpacker, 1, W] * value(S, bank, config.OUT_W_STRIDE[unpacker])
    ) & MASK32
    shift = OUT_SHIFT[S.unpack.format[j]]
    if out & ((1 << shift) - 1):
        return Fault.UNPACK_ALIGNMENT
    out = out >> shift
    if multi and unpacker == 0:
        to_context = value(S, bank, config.DEST_CNTX[context & 3])
        added = 1 if to_dst else value(S, bank, config.ADD_DEST_ADDRESS[unpacker])
        out = (out + to_context) & MASK32 if added else to_context
    S.unpack.out[j] = out
    # UNSPECIFIED(Unpackers/README.md): Upsample_rate 3, for which its table has 4 zeros and the
    # functional model 7; the model's. They agree on 1, and for 2 the model and LLK have 3.
    S.unpack.zeros[j] = (1 << value(S, bank, config.UPSAMPLE_RATE[unpacker])) - 1
    S.unpack.col_shift[j] = 0
    if unpacker == 0 and not S.unpack.flags[j] & queue.TILEIZE:
        S.unpack.col_shift[j] = value(S, bank, config.SHIFT_CNTX[context & 3])
    flags = 0
    if value(S, bank, config.INTERLEAVE[unpacker]):
        flags |= queue.INTERLEAVE
    if unpacker == 0 and value(S, bank, config.HALOIZE[0]):
        flags |= queue.TRANSPOSE  # unpacker 1 ignores it
    if config.sets_override(S, thread):
        flags |= queue.OVERRIDE
    if value(S, bank, config.SRC_REG_SET_UPDATE[unpacker]):
        flags |= queue.SET_UPDATE
    S.unpack.row_base[j] = set_base(S, thread, unpacker)
    if S.unpack.zeros[j] == 0 and S.unpack.col_shift[j] == 0:
        flags |= 0 if S.unpack.flags[j] & queue.COMPRESSED else queue.PLAIN
    S.unpack.flags[j] |= flags
    S.unpack.speed[j] = SPEED[S.tile.chip](S, bank, unpacker, j)
    return check_combination(S, j)


def speed_blackhole(S: View, bank: int, unpacker: int, j: int) -> int:
    """Return the most that the mode wants, or Throttle_mode if it counts and is less."""
    speed = X8 if BITS[S.unpack.in_format[j]] >= 8 else X4
    if value(S, bank, config.OVERRIDE_THROTTLE[unpacker]):
        speed = min(speed, value(S, bank, config.THROTTLE_MODE[unpacker]))
    return speed_of_mode(S, j, speed)


def speed_wormhole(S: View, bank: int, unpacker: int, j: int) -> int:
    """Throttle_mode, and what the mode wants at most.

    UNSPECIFIED(UNPACR_Regular.md): Throttle_mode 3; as 2.
    """
    return speed_of_mode(S, j, min(value(S, bank, config.THROTTLE_MODE[unpacker]), X4))


SPEED = (speed_blackhole, speed_wormhole)


def speed_of_mode(S: View, j: int, speed: int) -> int:
    """Return a speed as limited by the mode of the instruction."""
    bits = BITS[S.unpack.in_format[j]]
    to_dst = S.unpack.target[j] >= queue.DST_16
    if S.unpack.flags[j] & queue.TILEIZE:
        speed = X4  # "always wants x4", also on a card that has x8: a tile takes 41 cycles there
    if S.unpack.zeros[j] == 1 or (to_dst and bits == 4 and IS_BFP[S.unpack.in_format[j]]):
        speed = min(speed, X2)
    if S.unpack.flags[j] & queue.COMPRESSED or S.unpack.zeros[j] >= 3 or bits == 2:
        speed = X1
    return speed


def check_combination(S: View, j: int) -> int:
    """0 if the settings are compatible with each other, or a Fault.

    UNSPECIFIED(UNPACR_Regular.md, commit 1391ed25): Dst with SetOvrdWithAddr is undefined on both
    chips; older pages gave Wormhole the first 16 rows of Dst for it.
    """
    flags = S.unpack.flags[j]
    tileize = flags & queue.TILEIZE
    transpose = flags & queue.TRANSPOSE
    if (tileize or transpose) and S.unpack.data[j] & 127:
        return Fault.UNPACK_ALIGNMENT
    if tileize and (S.unpack.zeros[j] or flags & queue.COMPRESSED):
        return Fault.UNPACK_COMBINATION
    if S.unpack.target[j] >= queue.DST_16:
        if S.unpack.col_shift[j] or transpose or flags & queue.OVERRIDE:
            return Fault.UNPACK_COMBINATION
    elif S.unpack.target[j] == queue.SRC_A and not flags & (queue.OVERRIDE | queue.COMPRESSED):
        datums = S.unpack.total[j] * (S.unpack.zeros[j] + 1)
        last = (S.unpack.out[j] + datums - 1) >> 4
        if datums and last >= FIRST_ROW + ROWS_WITHOUT_OVERRIDE:
            return Fault.UNPACK_ROW
    return 0
