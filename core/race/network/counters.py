# SPDX-License-Identifier: Apache-2.0
"""The order that a read of a NIU's counter proves to a hart (NoC/Counters.md).

    RD_RESP_RECEIVED          all reads that were started are over
    WR_ACK_RECEIVED           all writes that want an acknowledgement; their data was read, too
    ATOMIC_RESP_RECEIVED      all atomics that want an answer
    REQS_OUTSTANDING_ID = 0   all of these, with that transaction id
    WRITE_REQS_OUTGOING_ID = 0   the data of all writes with that id was read
    WR_REQ_SENT               the same of all writes, by promise P24 alone: the page has the count
                              before the end of the reading

A counter that only grows is compared with what software has started, so a load that is early does
no harm. One that is compared with 0 says nothing of a request if its store may be later than the
load; the page wants NOC_CMD_CTRL read back before it.

As for loads of semaphores, what is over when the load is processed is known; what the program does
with the value is not looked at.
"""

from tensix_gdb.core.noc.request import ATOMIC, KIND, MARKED, WRITE, is_write_of_data
from tensix_gdb.core.noc.request import READ as READS
from tensix_gdb.core.noc.state import (
    ATOMIC_RESP_RECEIVED,
    BASES,
    GOING,
    INITIATORS,
    NONPOSTED_WR_DATA_WORD_SENT,
    NONPOSTED_WR_REQ_SENT,
    OUTGOING,
    OUTSTANDING,
    POSTED_WR_DATA_WORD_SENT,
    POSTED_WR_REQ_SENT,
    RD_DATA_WORD_RECEIVED,
    RD_RESP_RECEIVED,
    SLOTS,
    SLV_ATOMIC_RESP_SENT,
    WR_ACK_RECEIVED,
)
from tensix_gdb.core.ordering.promises import Number
from tensix_gdb.core.race.clocks import reach
from tensix_gdb.core.race.fields import OLDER_OTHER
from tensix_gdb.core.race.lines import READ_LINES, WRITE_LINES, Noc, of_niu
from tensix_gdb.core.race.shadow import rely, site_of
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)


def loaded(S: View, hart: int, niu: int, counter: int, clock: int, pc: int) -> int:
    """A load of a counter was processed."""
    if counter == RD_RESP_RECEIVED or counter == RD_DATA_WORD_RECEIVED:
        if not wanted(S, niu, READS, 0):
            for i in range(READ_LINES):
                after_all(S, niu, Noc.LANDED + i, clock)
    elif counter == WR_ACK_RECEIVED:
        if not wanted(S, niu, WRITE, MARKED):
            for i in range(WRITE_LINES):
                after_all(S, niu, Noc.ACKED + i, clock)
            reach(S, clock, of_niu(niu, Noc.SENT), settled(S, niu, Noc.SENT))
    elif counter == ATOMIC_RESP_RECEIVED:
        if not wanted(S, niu, ATOMIC, MARKED):
            after_all(S, niu, Noc.ANSWERED, clock)
    elif counter == NONPOSTED_WR_REQ_SENT or counter == NONPOSTED_WR_DATA_WORD_SENT:
        after_sent(S, hart, niu, MARKED, clock, pc)
    elif counter == POSTED_WR_REQ_SENT or counter == POSTED_WR_DATA_WORD_SENT:
        after_sent(S, hart, niu, 0, clock, pc)
    elif OUTSTANDING <= counter < SLV_ATOMIC_RESP_SENT and S.noc.counter[niu, counter] == 0:
        after_zero(S, hart, niu, counter, clock)
    return 0


def after_zero(S: View, hart: int, niu: int, counter: int, clock: int) -> int:
    """A counter of a transaction id is 0: its requests are over that were certainly started."""
    if S.race.noc_start[niu, hart] > S.race.older[clock, OLDER_OTHER]:
        return 0
    if counter >= OUTGOING:
        return reach(S, clock, of_niu(niu, Noc.SENT), settled(S, niu, Noc.SENT))
    read = Noc.LANDED + (counter - OUTSTANDING) % READ_LINES
    reach(S, clock, of_niu(niu, read), settled(S, niu, read))
    for line in range(Noc.ACKED, Noc.SENT + 1):
        reach(S, clock, of_niu(niu, line), settled(S, niu, line))
    return 0


def after_all(S: View, niu: int, line: int, clock: int) -> int:
    """Come after all requests of a line, if they are over."""
    made = S.race.noc_made[niu, line]
    if settled(S, niu, line) == made:
        reach(S, clock, of_niu(niu, line), made)
    return 0


def after_sent(S: View, hart: int, niu: int, marked: int, clock: int, pc: int) -> int:
    """Come after the reading of writes, posted ones or the others, if all are sent."""
    if S.race.strict or wanted(S, niu, WRITE, marked):
        return 0
    for slot in range(SLOTS):
        ctrl = S.noc.ctrl[niu, slot]
        if S.noc.stage[niu, slot] == GOING and is_write_of_data(ctrl) and ctrl & MARKED == marked:
            return 0
    line = of_niu(niu, Noc.SENT)
    number = settled(S, niu, Noc.SENT)
    if S.race.clock[clock, line] < number:
        reach(S, clock, line, number)
        rely(S, Number.P24, S.race.noc_last[niu, Noc.SENT], site_of(S, hart, 0, 0, 0, pc))
    return 0


def wanted(S: View, niu: int, kind: int, marked: int) -> int:
    """True if a request of this kind has been started and not been taken."""
    for initiator in range(INITIATORS):
        if S.noc.wants[niu, initiator]:
            ctrl = S.niu.word[niu, BASES[initiator] + 7]
            if ctrl & KIND == kind and (kind == READS or ctrl & MARKED == marked):
                return 1
    return 0


def settled(S: View, niu: int, line: int) -> int:
    """Return how many requests of a line are over, with all before them."""
    over = S.race.noc_made[niu, line]
    for slot in range(SLOTS):
        stage = S.noc.stage[niu, slot]
        if line == Noc.SENT:
            number = S.race.noc_end[niu, slot, 1]
            if stage == GOING and number:
                over = min(over, number - 1)
        elif stage and S.race.noc_line[niu, slot] == line:
            over = min(over, S.race.noc_end[niu, slot, 0] - 1)
    return max(over, 0)
