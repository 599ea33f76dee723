# SPDX-License-Identifier: Apache-2.0
"""When the harts of a tile begin and end the kernels of a launch, and what moves meanwhile.

Firmware calls a kernel at an address that the launch message says (launched.py), so a hart begins
its kernel with the jump there, and ends it where that call returns to. What the NIUs have passed
is noted when the last hart has ended; bytes of DRAM are counted as the requests leave.
"""

from tensix_gdb.core.counting.fields import KERNELS_ONLY, OFF
from tensix_gdb.core.noc.coordinates import DRAM_0, TENSIX, at
from tensix_gdb.core.noc.request import KIND, READ, WRITE, target
from tensix_gdb.core.noc.state import (
    NIUS,
    NONPOSTED_WR_DATA_WORD_SENT,
    POSTED_WR_DATA_WORD_SENT,
    RD_DATA_WORD_RECEIVED,
    SLV_NONPOSTED_WR_DATA_WORD_RECEIVED,
    SLV_POSTED_WR_DATA_WORD_RECEIVED,
    SLV_RD_DATA_WORD_SENT,
)
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

WAYS = 2  # in and out


def jumped(S: View, hart: int, cycle: int, pc: int, npc: int) -> int:
    """A hart comes to `npc` from elsewhere, in `cycle`."""
    back = S.counted.kernel_back[hart]
    if back == 0 and npc == S.counted.kernel[hart]:
        S.counted.kernel_from[hart] = cycle
        S.counted.kernel_back[hart] = pc + 4
    elif back and npc == back:
        S.counted.kernel_to[hart] = cycle
        S.counted.kernel[hart] = 0
        S.counted.kernel_back[hart] = 0
        S.counted.kernels -= 1
        if S.counted.kernels == 0:
            ended(S)
    return 0


def ended(S: View) -> int:
    """All kernels of the launch have ended."""
    for niu in range(NIUS):
        S.counted.kernel_flits[niu * WAYS] = flits_in(S, niu)
        S.counted.kernel_flits[niu * WAYS + 1] = flits_out(S, niu)
    if S.counted.on == KERNELS_ONLY:
        S.counted.on = OFF
    return 0


def flits_in(S: View, niu: int) -> int:
    """Return the flits of data that have come in through a NIU's port."""
    return (
        S.noc.counter[niu, RD_DATA_WORD_RECEIVED]
        + S.noc.counter[niu, SLV_NONPOSTED_WR_DATA_WORD_RECEIVED]
        + S.noc.counter[niu, SLV_POSTED_WR_DATA_WORD_RECEIVED]
    )


def flits_out(S: View, niu: int) -> int:
    """Return those that have gone out."""
    return (
        S.noc.counter[niu, NONPOSTED_WR_DATA_WORD_SENT]
        + S.noc.counter[niu, POSTED_WR_DATA_WORD_SENT]
        + S.noc.counter[niu, SLV_RD_DATA_WORD_SENT]
    )


def taken(S: View, niu: int, slot: int) -> int:
    """A NIU has taken a request: count its bytes if it goes to DRAM."""
    ctrl = S.noc.ctrl[niu, slot]
    if S.counted.kernels and (ctrl & KIND == READ or ctrl & KIND == WRITE):
        there = S.noc.targ_at[niu, slot] if target(ctrl) else S.noc.ret_at[niu, slot]
        place = at(S, niu, there & 63, there >> 6)
        if DRAM_0 <= place < TENSIX:
            S.counted.kernel_dram[place - DRAM_0] += S.noc.length[niu, slot]
    return 0
