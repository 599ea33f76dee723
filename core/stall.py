# SPDX-License-Identifier: Apache-2.0
"""The reason why a hart's request is not processed, and which hart or thread can end the wait.

A device that cannot process a request yet notes the reason here and returns WAIT; the hart asks
again in its next turn. When nothing can ever change that any more, the tile stops by itself
(core/machine/deadlock.py), and `sentence` says which waits for which.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import WAIT


class WaitsFor(enum.IntEnum):
    """The reason why a request is not processed; NOTHING while none waits."""

    NOTHING = 0
    MAILBOX_VALUE = 1  # partner: the hart that has to write
    MAILBOX_SPACE = 2  # partner: the hart that has to read
    MAILBOX_TOTAL = 3  # the writer's four mailboxes hold four values; partner: the reader
    PCBUF_VALUE = 4  # partner: B
    PCBUF_SPACE = 5  # partner: the T core that has to read
    PCBUF_IDLE = 6  # partner: the T core that has to come to a blocking read
    METADATA = 7  # no partner: the packer's metadata FIFO is empty
    TENSIX_FIFO = 8  # partner: the T core; its Tensix thread has to take instructions
    TENSIX_IDLE = 9  # partner: the T core; its Tensix thread has instructions in flight
    TENSIX_MOP = 10  # partner: the T core; its Tensix thread has a MOP to expand
    MOVER_QUEUE = 11  # no partner: the command queue of TDMA-RISC is full


def wait(S: View, hart: int, reason: int, other: int) -> int:
    """Note what `hart` waits for."""
    S.hart.waits_for[hart] = reason
    S.hart.waits_on[hart] = other
    S.tile.stalled_now = 1
    return WAIT


_SENTENCES = {
    WaitsFor.MAILBOX_VALUE: "waits for {other} to write to the mailbox from {other} to {hart}",
    WaitsFor.MAILBOX_SPACE: "waits for {other} to read the mailbox from {hart} to {other}, "
    "which is full",
    WaitsFor.MAILBOX_TOTAL: "waits to write to the mailbox from {hart} to {other}: the four "
    "mailboxes that {hart} writes to hold four values in total",
    WaitsFor.PCBUF_VALUE: "waits for {other} to write to the PCBuf from {other} to {hart}",
    WaitsFor.PCBUF_SPACE: "waits for {other} to read the PCBuf from {hart} to {other}, which "
    "is full",
    WaitsFor.PCBUF_IDLE: "waits for {other} to have read everything from its PCBuf and to ask for "
    "more",
    WaitsFor.TENSIX_FIFO: "waits to push to the Tensix thread of {other}: its FIFO is full",
    WaitsFor.TENSIX_IDLE: "waits for the Tensix thread of {other} to have no instruction in flight",
    WaitsFor.TENSIX_MOP: "waits for the Tensix thread of {other} to have expanded its MOPs",
    WaitsFor.MOVER_QUEUE: "waits for the mover to take a command out of TDMA-RISC's queue, which "
    "is full",
    WaitsFor.METADATA: "waits for a packer to put something into its metadata FIFO",
}


def sentence(S: View, hart: int) -> str:
    """`waits for T0 to write to the mailbox from T0 to B`; empty when it waits for nothing."""
    return describe(hart, S.hart.waits_for[hart], S.hart.waits_on[hart])


def describe(hart: int, reason: int, other: int) -> str:
    """The same from the numbers."""
    if reason == WaitsFor.NOTHING:
        return ""
    return _SENTENCES[WaitsFor(reason)].format(hart=HART_NAMES[hart], other=HART_NAMES[other])
