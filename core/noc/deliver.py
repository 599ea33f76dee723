# SPDX-License-Identifier: Apache-2.0
"""Requests between tiles that are due in a cycle, carried out in compiled code.

As `Traffic.deliver` of core/chip does, and in the same order: that of time, then of tiles, NIUs,
slots. It is for a chip without links. Before what concerns more than L1 of tiles that nothing
watches, and before a broadcast that has just left its NIU, it ends, and Python carries out the
rest. `core/chip/routes.py` has the words by which tiles and receivers are found.
"""

from tensix_gdb.core.clock.polling_rows import OFF
from tensix_gdb.core.engine.native import call_on, load_word, on, store_word
from tensix_gdb.core.noc.arrive import count_sent
from tensix_gdb.core.noc.carry import LEFT, answer, arrive, come_back, is_answered, reach
from tensix_gdb.core.noc.columns import (
    ASKS,
    CHANGED,
    COLUMNS,
    COPY_BACK,
    COPY_DUE,
    COPY_RECEIVER,
    COPY_STAGE,
    COPY_WORD,
    COPY_X,
    COPY_Y,
    CYCLE,
    DEFECT,
    ENTRY,
    MODE,
    OUT,
    PLAIN,
    RECORD,
    ROUTE_DUE,
    ROUTE_NUMBERS,
    ROUTE_WORDS,
    RUNS,
    SLEEPS,
    UNKNOWN,
)
from tensix_gdb.core.noc.copies import (
    are_all_coming,
    copies_at,
    copies_of,
    first_copy,
    remove,
    soonest,
)
from tensix_gdb.core.noc.finish import is_at
from tensix_gdb.core.noc.order import alone, late, there_of
from tensix_gdb.core.noc.request import BROADCAST
from tensix_gdb.core.noc.state import COMING, CONFIG, FREE, NIUS, PENDING_NOC, SLOTS
from tensix_gdb.core.noc.turns import turn_of
from tensix_gdb.core.record.layout import View

SLOTS_OF_TILE = NIUS * SLOTS
COLUMN_MASK, ROW_MASK = CONFIG + 2, CONFIG + 4  # ROUTER_CFG_1 and _3 follow NIU_CFG_0
THERE = (1 << 12) - 1  # coordinates of one tile


def deliver(S: View, table: int, records: int, now: int, routes: int) -> int:
    """Carry out what is due up to a cycle, in which all tiles of the table are. 0, or LEFT if
    something is left to Python."""
    count = gather(table, records, now, routes)
    if count < 0:
        return LEFT
    due = load_word(routes + 8 * ROUTE_DUE)
    for i in range(count):
        if carry_out(table, now, routes, load_word(due + 16 * i + 8)) == LEFT:
            return LEFT
    return 0


def gather(table: int, records: int, now: int, routes: int) -> int:
    """List what is due, in order: when, and the number of its slot among those of all tiles. How
    many, or LEFT."""
    list_at = load_word(routes + 8 * ROUTE_DUE)
    count = 0
    for number in range(records):
        row = table + 8 * COLUMNS * number
        record = load_word(row + 8 * RECORD)
        if load_word(row + 8 * MODE) == RUNS and load_word(row + 8 * CHANGED) == 0:
            asks = load_word(row + 8 * ASKS)
        else:
            asks = on(record, has_requests)
        at = on(record, due_from, now, 0) if asks else LEFT
        while at >= 0:
            if on(record, is_broadcast, at) and copies_of(routes, number, at) == 0:
                return LEFT
            insert(list_at, count, on(record, due_of, at), number * SLOTS_OF_TILE + at)
            count += 1
            at = on(record, due_from, now, at + 1)
    return count


def insert(list_at: int, count: int, due: int, key: int) -> int:
    """Put a request into the list, after those that are due earlier or in the same cycle."""
    at = list_at + 16 * count
    while at > list_at and load_word(at - 16) > due:
        store_word(at, load_word(at - 16))
        store_word(at + 8, load_word(at - 8))
        at -= 16
    store_word(at, due)
    store_word(at + 8, key)
    return 0


def carry_out(table: int, now: int, routes: int, key: int) -> int:
    """Carry out what a request does now. 0, or LEFT."""
    number = key // SLOTS_OF_TILE
    at = key % SLOTS_OF_TILE
    row = table + 8 * COLUMNS * number
    if touch(row, now) == LEFT:
        return LEFT
    near = load_word(row + 8 * RECORD)
    niu = at // SLOTS
    slot = at % SLOTS
    if on(near, is_broadcast, at):
        return scatter(table, now, routes, key)
    there = on(near, there_of, niu, slot)
    numbers = load_word(routes + 8 * (ROUTE_WORDS * number + ROUTE_NUMBERS))
    receiver = load_word(numbers + 8 * (niu * (THERE + 1) + (there & THERE)))
    if receiver <= UNKNOWN:
        return LEFT
    far_row = table + 8 * COLUMNS * receiver
    if touch(far_row, now) == LEFT:
        return LEFT
    far = load_word(far_row + 8 * RECORD)
    if on(near, is_coming, at):
        return on(near, come_back, niu, slot, far)
    return on(near, arrive, niu, slot, there, far)


def scatter(table: int, now: int, routes: int, key: int) -> int:
    """Carry out what a broadcast that is followed does now. 0, or LEFT."""
    number = key // SLOTS_OF_TILE
    at = key % SLOTS_OF_TILE
    near = load_word(table + 8 * (COLUMNS * number + RECORD))
    copies = copies_of(routes, number, at)
    if load_word(copies) == 0:
        on(near, has_left, at)  # nothing receives it
    copy = first_copy(copies, now)
    while copy:
        far_row = table + 8 * COLUMNS * load_word(copy + 8 * COPY_RECEIVER)
        if touch(far_row, now) == LEFT:
            return LEFT
        if one_copy(now, at, copies, copy, near, load_word(far_row + 8 * RECORD)) == LEFT:
            return LEFT
        copy = first_copy(copies, now)
    if load_word(copies) == 0:
        on(near, is_over, at)
        store_word(copies_at(routes, number, at), 0)
    else:
        on(near, set_due, at, soonest(copies))
    return 0


def one_copy(now: int, at: int, copies: int, copy: int, near: int, far: int) -> int:
    """The data is at a receiver, or its acknowledgement is back. 0, or LEFT."""
    niu = at // SLOTS
    slot = at % SLOTS
    if load_word(copy + 8 * COPY_STAGE) == COMING:
        if on(near, answer, niu, slot, far, load_word(copy + 8 * COPY_WORD)) == LEFT:
            return LEFT
        return remove(copies, copy)
    word = 0
    receives = 1 - on(
        far, opts_out, niu, load_word(copy + 8 * COPY_X), load_word(copy + 8 * COPY_Y)
    )
    if receives:
        turn = on(near, turn_of, niu, slot, far, load_word(copy + 8 * COPY_WORD))
        if turn:
            store_word(copy + 8 * COPY_DUE, turn)
            store_word(copy + 8 * COPY_WORD, turn)
            return 0
        word = on(near, reach, niu, slot, far)
        if word == LEFT:
            return LEFT
    if receives and on(near, is_marked, at):
        back = now + load_word(copy + 8 * COPY_BACK) + 1
        receiver = load_word(copy + 8 * COPY_RECEIVER)
        store_word(copy + 8 * COPY_STAGE, COMING)
        store_word(copy + 8 * COPY_WORD, word)
        store_word(copy + 8 * COPY_DUE, on(near, late, niu, slot, back, receiver + 1))
    else:
        remove(copies, copy)
    if are_all_coming(copies):
        on(near, has_left, at)
    return 0


# Tiles


def touch(row: int, now: int) -> int:
    """A request is about to change a tile, or to read it: one that sleeps, or is at rest, is
    brought up to date. 0, or LEFT."""
    if load_word(row + 8 * PLAIN) == 0:
        return LEFT
    mode = load_word(row + 8 * MODE)
    record = load_word(row + 8 * RECORD)
    if mode == SLEEPS:
        left = now - load_word(load_word(row + 8 * CYCLE))
        if left > 0:
            call_on(record, load_word(row + 8 * ENTRY), left)
        if load_word(load_word(row + 8 * DEFECT)) or on(record, is_at, now) == 0:
            return LEFT
        on(record, woken)
        store_word(row + 8 * MODE, RUNS)
    elif mode == RUNS:
        on(record, touched)
    elif mode == OUT:
        on(record, rested, now)
    else:
        return LEFT
    store_word(row + 8 * CHANGED, 1)
    return 0


def woken(S: View) -> int:
    """The tile does not sleep any more."""
    S.polling.state = OFF
    S.polling.look = S.tile.cycle
    S.polling.wait = 0
    return 0


def rested(S: View, now: int) -> int:
    """The tile has been at rest up to now, and is: neither L1 nor counters start anything."""
    S.tile.cycle = max(S.tile.cycle, now)
    return woken(S)


def touched(S: View) -> int:
    """Let the proof that its harts poll begin anew."""
    S.polling.state = OFF
    return 0


# Slots of a tile


def has_requests(S: View) -> int:
    """True if a request is under way."""
    return 1 if S.tile.pending & PENDING_NOC else 0


def due_from(S: View, now: int, first: int) -> int:
    """Return the first slot from `first` on with a request for other tiles that is due, or LEFT."""
    for at in range(first, SLOTS_OF_TILE):
        niu = at // SLOTS
        slot = at % SLOTS
        if S.noc.stage[niu, slot] and S.noc.due[niu, slot] <= now and not alone(S, niu, slot):
            return at
    return LEFT


def due_of(S: View, at: int) -> int:
    """Return when it is."""
    return S.noc.due[at // SLOTS, at % SLOTS]


def set_due(S: View, at: int, cycle: int) -> int:
    """Set it."""
    S.noc.due[at // SLOTS, at % SLOTS] = cycle
    return 0


def is_broadcast(S: View, at: int) -> int:
    """True if it is for a rectangle."""
    return 1 if S.noc.ctrl[at // SLOTS, at % SLOTS] & BROADCAST else 0


def is_coming(S: View, at: int) -> int:
    """True if its answer is under way."""
    return 1 if S.noc.stage[at // SLOTS, at % SLOTS] == COMING else 0


def is_marked(S: View, at: int) -> int:
    """True if it is answered."""
    return is_answered(S.noc.ctrl[at // SLOTS, at % SLOTS])


def has_left(S: View, at: int) -> int:
    """The data of a broadcast has been read by all."""
    return count_sent(S, at // SLOTS, at % SLOTS, S.noc.ctrl[at // SLOTS, at % SLOTS])


def is_over(S: View, at: int) -> int:
    """The slot is free."""
    S.noc.stage[at // SLOTS, at % SLOTS] = FREE
    return 0


def opts_out(S: View, niu: int, x: int, y: int) -> int:
    """True if the tile, which is at these coordinates, receives no broadcasts."""
    out = S.niu.word[niu, COLUMN_MASK] >> x | S.niu.word[niu, ROW_MASK] >> y
    return out & 1
