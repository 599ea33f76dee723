# SPDX-License-Identifier: Apache-2.0
"""Keep the promises about requests of harts, or break them and say so (promises.py).

When a T core emits a push or a mailbox write, `stream.ahead` gets how many requests of each awaited
stream are older and have to be processed first; `awaited.count_down` counts them down. Until all
are gone, bits of `stream.held` keep the push in its stream:

    bit 0..4   the push waits for a request of AWAITED[bit]
    bit 6      the push waits for the reader of a message (P15)
    bit 7      that is counted already
    bit 8..11  the writes of the hart to this mailbox wait for a store to a semaphore (P3)
    bit 12     that is counted already

With `schedule.strict` a request that is held is let go when it is due, and the promise is counted
as broken.
"""

from tensix_gdb.core.arch.blackhole import T2
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE
from tensix_gdb.core.isa.opcodes import (
    CFGSHIFTMASK,
    MOP,
    RMWCIB0,
    SEMGET,
    SEMINIT,
    SEMWAIT,
    WRCFG,
)
from tensix_gdb.core.memory import streams
from tensix_gdb.core.ordering.awaited import (
    OF_CONFIG,
    OF_GPR,
    OF_MAIL,
    OF_MOP_CONFIG,
    OF_SEMAPHORE,
    OF_TILE_CONTROL,
)
from tensix_gdb.core.ordering.pauses import LONGEST as LONGEST_PAUSE
from tensix_gdb.core.ordering.promises import (
    BROKEN,
    LONGEST_HOLD,
    OLD,
    READER_WINDOW,
    RELIED,
    WRITER_WINDOW,
    Number,
    has_time,
    note,
    note_later,
)
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule

COLD = True  # little time of LLVM for it (core/engine/README.md)

READER, NOTED = 1 << 6, 1 << 7
PUSH_WAITS = READER | (1 << OF_MAIL) - 1
FIRST_MAILBOX, MAIL_NOTED = 1 << 8, 1 << 12
MAIL_WAITS = 15 * FIRST_MAILBOX
AWAITED_BITS = sum({1 << stream for stream in streams.AWAITED})
ENDS = 4  # of mailboxes: B and T cores


def hold_push(S: View, hart: int) -> int:
    """A T core has emitted the push at the head of its stream: note what it has to wait for."""
    if S.schedule.kind == Schedule.EXHAUSTIVE and S.schedule.strict:
        return 0
    configures = 0
    semaphores = 0
    for word in range(4):
        if (S.stream.mask[hart, streams.PUSH, 0] >> (4 * word)) & 1:
            value = S.stream.data[hart, streams.PUSH, 0, word]
            opcode = value >> 24
            if opcode == MOP:
                await_first(S, hart, OF_MOP_CONFIG, S.stream.count[hart, streams.MOP_CONFIG])
            elif SEMINIT <= opcode <= SEMWAIT:
                semaphores |= (value >> 2) & 0xFF
            elif opcode == WRCFG or RMWCIB0 <= opcode <= CFGSHIFTMASK:
                configures = 1
    if semaphores:
        await_first(S, hart, OF_SEMAPHORE, semaphore_stores(S, hart, semaphores))
    if has_time(S):
        await_first(S, hart, OF_CONFIG, old_stores(S, hart, streams.CONFIG))
        await_first(S, hart, OF_GPR, old_stores(S, hart, streams.GPR))
        await_first(S, hart, OF_TILE_CONTROL, old_stores(S, hart, streams.TILE_CONTROL))
        if S.promised.mailed[hart] <= S.tile.cycle:
            S.promised.mailed[hart] = 0
        elif configures:
            S.stream.held[hart] |= READER
    return 0


def await_first(S: View, hart: int, at: int, count: int) -> int:
    """Let the push, or mailbox writes, wait for the oldest `count` requests of a stream."""
    S.stream.ahead[hart, at] = count
    if count and at != OF_MAIL:
        S.stream.held[hart] |= 1 << at
    return count


def semaphore_stores(S: View, hart: int, semaphores: int) -> int:
    """Requests up to the youngest store to one of these semaphores."""
    count = 0
    for i in range(S.stream.count[hart, streams.SEMAPHORE]):
        index = ((S.stream.addr[hart, streams.SEMAPHORE, i] - SEMAPHORE_BASE) >> 2) & 7
        if S.stream.kind[hart, streams.SEMAPHORE, i] == streams.WRITE and (semaphores >> index) & 1:
            count = i + 1
    return count


def old_stores(S: View, hart: int, stream: int) -> int:
    """Requests up to the youngest store that was emitted at least OLD cycles ago. Auto TTSync has
    its own order for those that it knows, and one of them may wait for an earlier push."""
    count = 0
    for i in range(S.stream.count[hart, stream]):
        if (
            S.stream.kind[hart, stream, i] == streams.WRITE
            and S.stream.born[hart, stream, i] + OLD <= S.tile.cycle
            and S.stream.touches[hart, stream, i] == 0
        ):
            count = i + 1
    return count


def push_is_late(S: View, hart: int) -> int:
    """True if the push, which waits for something, is not to be processed in this cycle."""
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        S.promised.met = 1
        return 1
    if S.stream.due[hart, streams.PUSH, 0] > S.tile.cycle:
        return 1
    if S.stream.held[hart] & READER and not reader_is_first(S, hart):
        S.stream.held[hart] = S.stream.held[hart] & ~READER
    if S.stream.held[hart] & NOTED == 0:
        S.stream.held[hart] |= NOTED
        for bit in range(OF_MAIL):
            if (S.stream.held[hart] >> bit) & 1:
                note_push(S, hart, bit)
        if S.stream.held[hart] & READER:
            note_reader(S, hart)
    if S.stream.held[hart] & PUSH_WAITS and not S.schedule.strict:
        return 1
    S.stream.held[hart] = S.stream.held[hart] & ~(PUSH_WAITS | NOTED)
    for bit in range(OF_MAIL):
        S.stream.ahead[hart, bit] = 0
    return 0


def note_push(S: View, hart: int, bit: int) -> int:
    """Count that the push would come before the request that it is to wait for."""
    promise = promise_of(S, hart, bit)
    stream = streams.AWAITED[bit]
    last = S.stream.ahead[hart, bit] - 1
    pc = S.stream.pc[hart, stream, last]
    which = BROKEN if S.schedule.strict else RELIED
    note(S, which, promise, hart, pc, S.stream.born[hart, stream, last])
    word = 0
    if bit == OF_MOP_CONFIG:
        word = place_of(S, hart, MOP, MOP)
    elif bit == OF_SEMAPHORE:
        word = place_of(S, hart, SEMINIT, SEMWAIT)
    return note_later(S, which, promise, hart, S.stream.pc[hart, streams.PUSH, 0] + 4 * word)


def promise_of(S: View, hart: int, bit: int) -> int:
    """Return the promise that holds the push for a request of AWAITED[bit]."""
    if bit == OF_SEMAPHORE:
        return Number.P2 if place_of(S, hart, SEMGET, SEMGET) < 4 else Number.P23
    if bit == OF_CONFIG:
        return Number.P8 if hart == T2 else Number.P10
    if bit == OF_GPR:
        return Number.P11
    return Number.P16 if bit == OF_TILE_CONTROL else Number.P1


def place_of(S: View, hart: int, first: int, last: int) -> int:
    """Return which word of the push has one of these opcodes; 4 if none."""
    for word in range(4):
        pushed = (S.stream.mask[hart, streams.PUSH, 0] >> (4 * word)) & 1
        if pushed and first <= S.stream.data[hart, streams.PUSH, 0, word] >> 24 <= last:
            return word
    return 4


def hold_mail(S: View, hart: int, stream: int) -> int:
    """A T core has emitted a mailbox write: it waits for older stores to semaphores, and for a
    while the core's pushes of configuration may have to wait for the reader."""
    if has_time(S):
        S.promised.mailed[hart] = S.tile.cycle + WRITER_WINDOW
    elif S.schedule.strict:
        return 0
    if S.stream.count[hart, streams.SEMAPHORE] and await_first(
        S, hart, OF_MAIL, semaphore_stores(S, hart, 0xFF)
    ):
        S.stream.held[hart] |= FIRST_MAILBOX << (stream - streams.MAILBOX_WRITE)
    return 0


def mail_is_held(S: View, hart: int, stream: int) -> int:
    """True if the oldest request of the stream is a mailbox write that waits for a semaphore."""
    if not streams.MAILBOX_WRITE <= stream < streams.CONFIG:
        return 0
    if (S.stream.held[hart] >> (8 + stream - streams.MAILBOX_WRITE)) & 1 == 0:
        return 0
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        S.promised.met = 1
        return 1
    if S.stream.due[hart, stream, 0] > S.tile.cycle:
        return 1
    if S.stream.held[hart] & MAIL_NOTED == 0:
        S.stream.held[hart] |= MAIL_NOTED
        last = S.stream.ahead[hart, OF_MAIL] - 1
        pc = S.stream.pc[hart, streams.SEMAPHORE, last]
        which = BROKEN if S.schedule.strict else RELIED
        note(S, which, Number.P3, hart, pc, S.stream.born[hart, streams.SEMAPHORE, last])
        note_later(S, which, Number.P3, hart, S.stream.pc[hart, stream, 0])
    if not S.schedule.strict:
        return 1
    S.stream.ahead[hart, OF_MAIL] = 0
    S.stream.held[hart] = S.stream.held[hart] & ~(MAIL_WAITS | MAIL_NOTED)
    return 0


def note_message(S: View, writer: int, reader: int) -> int:
    """A message was read: for a while a load of configuration by the reader may follow (P15)."""
    is_recent = S.promised.mailed[writer] > S.tile.cycle
    if (is_recent or S.stream.held[writer] & READER) and has_time(S):
        S.promised.window[writer, reader] = S.tile.cycle + READER_WINDOW
        S.promised.until = S.tile.cycle + READER_WINDOW
    return 0


def note_config_load(S: View, reader: int) -> int:
    """A load of configuration was emitted while a window may be open."""
    for writer in range(ENDS):
        if S.promised.window[writer, reader] > S.tile.cycle:
            S.promised.window[writer, reader] = 0
            S.promised.reader[writer, reader] = 1
    return 0


def reader_is_first(S: View, writer: int) -> int:
    """True if a reader of a message of `writer` that was waiting for it has not loaded yet."""
    held = S.tile.cycle - S.stream.born[writer, streams.PUSH, 0]
    for reader in range(ENDS):
        most = LONGEST_HOLD + LONGEST_PAUSE if was_paused(S, reader) else LONGEST_HOLD
        if held < most and reader_has_work(S, writer, reader):
            return 1
    return 0


def reader_has_work(S: View, writer: int, reader: int) -> int:
    """True from a message for a waiting reader to the end of the load that follows it."""
    if S.promised.reader[writer, reader]:
        if S.stream.count[reader, streams.CONFIG]:
            return 1
        S.promised.reader[writer, reader] = 0
    if S.promised.window[writer, reader] > S.tile.cycle:
        return 1
    if S.stream.count[reader, streams.MAILBOX_READ + writer] == 0 and not was_paused(S, reader):
        return 0
    on_its_way = S.stream.count[writer, streams.MAILBOX_WRITE + reader]
    return 1 if on_its_way or S.mailbox.count[writer, reader] else 0


def was_paused(S: View, reader: int) -> int:
    """True if only a pause of the schedule keeps the reader from waiting, or has until lately."""
    return 1 if S.pause.hart[reader] + READER_WINDOW > S.tile.cycle else 0


def note_reader(S: View, writer: int) -> int:
    """Count P15: the reader, and where its load is as far as that is known."""
    which = BROKEN if S.schedule.strict else RELIED
    for reader in range(ENDS):
        if reader_has_work(S, writer, reader):
            stream = streams.MAILBOX_READ + writer
            if S.stream.count[reader, stream] == 0:
                stream = streams.CONFIG
            pc = S.hart.pc[reader]
            if S.stream.count[reader, stream]:
                pc = S.stream.pc[reader, stream, 0]
            note(S, which, Number.P15, reader, pc, S.tile.cycle)
            note_later(S, which, Number.P15, writer, S.stream.pc[writer, streams.PUSH, 0])
            return 1
    return 0
