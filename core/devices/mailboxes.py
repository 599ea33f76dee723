# SPDX-License-Identifier: Apache-2.0
"""Mailboxes: FIFOs of 32-bit values from each of B, T0, T1, T2 to each of them (Mailboxes.md).

    store by w to window d        push to mailbox w -> d; waits while it is full, or while the four
                                  mailboxes that w writes to hold four values in total
    load by d from window w       pop from mailbox w -> d; waits while it is empty
    load by d from window w + 4   1 if mailbox w -> d holds anything, 0 otherwise; never waits

Any address of a window does; only bit 2 of it matters, and only to loads. The read and the write
side of a mailbox are two memory regions (MemoryOrdering.md).

The depth of a mailbox is 4 values, and of all that a hart writes to together.

UNSPECIFIED(Mailboxes.md): loads and stores narrower than a word; they stop the hart.
"""

from tensix_gdb.core.devices.registers import Access, Register
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.ordering import kept
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stall import WaitsFor, wait
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

MAILBOX_BASE = 0xFFEC0000  # TENSIX_MAILBOX0_BASE
MAILBOX_STRIDE = 0x1000
ENDS = 4  # B, T0, T1, T2: hart numbers and window numbers alike
CAPACITY = 4  # of each, and of all that one hart writes to

MAILBOX = Part(
    "mailbox",
    (
        row("count", "u32", (ENDS, ENDS), Tag.ARCHITECTURAL, "values held, [writer, reader]"),
        row(
            "value",
            "u32",
            (ENDS, ENDS, CAPACITY),
            Tag.ARCHITECTURAL,
            "the values, the oldest first; 0 after the last",
        ),
    ),
    chapter=Chapter.DEVICES,
)
PARTS = (MAILBOX,)

WINDOW = (
    Register(
        0x0,
        "TENSIX_MAILBOX{i}_BASE",
        Access.READ_WRITE,
        "store: push to the core that the window is named for; load: pop what it sent",
        count=ENDS,
        step=MAILBOX_STRIDE,
    ),
    Register(
        0x4,
        "TENSIX_MAILBOX{i}_BASE + 4",
        Access.READ_WRITE,
        "load: does the mailbox hold anything? store: push, as above",
        count=ENDS,
        step=MAILBOX_STRIDE,
    ),
)


def peek(S: View, hart: int, addr: int) -> int:
    """Return what a load would get now: the oldest value (0 when there is none), or the answer."""
    writer = (addr - MAILBOX_BASE) // MAILBOX_STRIDE
    if addr & 4:
        return 1 if S.mailbox.count[writer, hart] else 0
    return S.mailbox.value[writer, hart, 0]


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Query or pop."""
    if size != 4:
        return fault(S, hart, Fault.LOAD_WIDTH, addr, size)
    writer = (addr - MAILBOX_BASE) // MAILBOX_STRIDE
    if addr & 4:
        return 1 if S.mailbox.count[writer, hart] else 0
    if S.mailbox.count[writer, hart] == 0:
        return wait(S, hart, WaitsFor.MAILBOX_VALUE, writer)
    value = S.mailbox.value[writer, hart, 0]
    for i in range(CAPACITY - 1):
        S.mailbox.value[writer, hart, i] = S.mailbox.value[writer, hart, i + 1]
    S.mailbox.value[writer, hart, CAPACITY - 1] = 0
    S.mailbox.count[writer, hart] -= 1
    if S.promised.mailed[writer]:
        kept.note_message(S, writer, hart)
    return value


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Push."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    reader = (addr - MAILBOX_BASE) // MAILBOX_STRIDE
    count = S.mailbox.count[hart, reader]
    if count == CAPACITY:
        return wait(S, hart, WaitsFor.MAILBOX_SPACE, reader)
    total = 0
    for i in range(ENDS):
        total += S.mailbox.count[hart, i]
    if total >= CAPACITY:
        return wait(S, hart, WaitsFor.MAILBOX_TOTAL, reader)
    S.mailbox.value[hart, reader, count] = value
    S.mailbox.count[hart, reader] = count + 1
    return 0


def empty_written_by(S: View, writer: int) -> int:
    """Discard what `writer` has sent: it enters soft reset (SoftReset.md)."""
    for reader in range(ENDS):
        S.mailbox.count[writer, reader] = 0
        for i in range(CAPACITY):
            S.mailbox.value[writer, reader, i] = 0
    return 0
