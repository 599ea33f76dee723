# SPDX-License-Identifier: Apache-2.0
"""The effects of a request of one tile in another one, where nothing watches, as machine code or in
CPython.

`S` is the tile that has made the request, `far` the address of the other one's record. All is
LEFT, with nothing changed, that concerns more than L1 of both: registers, masks of bytes, ends of
L1, addresses that a client wants to know of. Python does that (core/chip/transfer.py), and
whatever is observed; tests hold the two together.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.engine.native import copy_bytes, on
from tensix_gdb.core.memory.ram import l1_read
from tensix_gdb.core.noc import wormhole
from tensix_gdb.core.noc.arrive import count_back, count_sent, count_there, flits
from tensix_gdb.core.noc.atomic import OPERATE
from tensix_gdb.core.noc.coordinates import way_back
from tensix_gdb.core.noc.landed import landed
from tensix_gdb.core.noc.order import late
from tensix_gdb.core.noc.request import (
    ATOMIC,
    BYTE_ENABLE,
    KIND,
    MARKED,
    READ,
    is_write_of_data,
    on_link,
)
from tensix_gdb.core.noc.state import COMING, FREE
from tensix_gdb.core.noc.turns import keep_banks, turn_of
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

LEFT = -1


def arrive(S: View, niu: int, slot: int, there: int, far: int) -> int:
    """The request is at its target, at the coordinates `there`. 0, or LEFT."""
    if waits_there(S, niu, slot, far):
        return 0
    ctrl = S.noc.ctrl[niu, slot]
    word = reach(S, niu, slot, far)
    if word < 0:
        return LEFT
    if ctrl & KIND == ATOMIC:
        S.noc.data[niu, slot] = word
    if ctrl & KIND != READ:
        count_sent(S, niu, slot, ctrl)
    if is_answered(ctrl):
        S.noc.stage[niu, slot] = COMING
        back = S.tile.cycle + cycles_back(S, niu, slot, there)
        S.noc.due[niu, slot] = late(S, niu, slot, back, 0)
    else:
        S.noc.stage[niu, slot] = FREE
    return 0


def waits_there(S: View, niu: int, slot: int, far: int) -> int:
    """True if it waits for a bank of its target, and has got another turn."""
    turn = turn_of(S, niu, slot, far, S.noc.turn[niu, slot])
    if turn:
        S.noc.turn[niu, slot] = turn
        S.noc.due[niu, slot] = turn
    return 1 if turn else 0


def come_back(S: View, niu: int, slot: int, far: int) -> int:
    """The answer is back. 0, or LEFT."""
    if answer(S, niu, slot, far, S.noc.data[niu, slot]) < 0:
        return LEFT
    S.noc.stage[niu, slot] = FREE
    return 0


def is_answered(ctrl: int) -> int:
    """True if the target answers."""
    return 1 if ctrl & KIND == READ or ctrl & MARKED else 0


def cycles_back(S: View, niu: int, slot: int, there: int) -> int:
    """Return cycles of an answer from the tile at `there`."""
    if S.noc.ctrl[niu, slot] & KIND == READ:
        return way_back(S, niu, there) + on_link(flits(S, niu, slot))
    return way_back(S, niu, there) + 1


def reach(S: View, niu: int, slot: int, far: int) -> int:
    """Process the request at one target: the word that an atomic answers with, else 0; or LEFT."""
    ctrl = S.noc.ctrl[niu, slot]
    word = 0
    if ctrl & KIND == ATOMIC:
        targ = S.noc.targ[niu, slot]
        if targ + 16 > L1_END[S.tile.chip] or on(far, is_noticed, targ, targ + 1):
            return LEFT
        word = on(far, word_at, targ & ~3)
        operands = S.noc.length[niu, slot] & MASK32
        if on(far, operate, operands, targ & ~15, S.noc.data[niu, slot]) < 0:
            return LEFT
    elif ctrl & KIND != READ and write(S, niu, slot, far) < 0:
        return LEFT
    keep_banks(S, niu, slot, far)
    on(far, has_come, niu, ctrl, flits(S, niu, slot))
    S.tile.idle_cycles = 0
    return word


def answer(S: View, niu: int, slot: int, far: int, word: int) -> int:
    """Process the answer of one target; `word` is that of an atomic. 0, or LEFT."""
    ctrl = S.noc.ctrl[niu, slot]
    ret = S.noc.ret[niu, slot]
    if ctrl & KIND == READ:
        source = S.noc.targ[niu, slot]
        length = S.noc.length[niu, slot]
        if max(source, ret) + length > L1_END[S.tile.chip]:
            return LEFT
        copy_bytes(S.noc.l1 + ret, on(far, own_l1) + source, length)
        landed(S, ret, ret + length)
    elif ctrl & KIND == ATOMIC:
        if ret > L1_END[S.tile.chip] - 4:
            return LEFT
        put_word(S, ret & ~3, word)
    count_back(S, niu, slot, ctrl)
    S.tile.idle_cycles = 0
    return 0


def write(S: View, niu: int, slot: int, far: int) -> int:
    """Write the data of a request. 0, or LEFT."""
    ctrl = S.noc.ctrl[niu, slot]
    source = S.noc.targ[niu, slot]
    to = S.noc.ret[niu, slot]
    length = S.noc.length[niu, slot]
    end = L1_END[S.tile.chip]
    if not is_write_of_data(ctrl):
        if S.tile.chip and not wormhole.is_one_word(source, S.noc.length[niu, slot]):
            return LEFT
        if source > end - 4 or on(far, is_noticed, source, source + 1):
            return LEFT
        return on(far, put_word, source & ~3, S.noc.data[niu, slot])
    if ctrl & BYTE_ENABLE or max(source, to) + length > end or on(far, is_noticed, to, to + length):
        return LEFT
    copy_bytes(on(far, own_l1) + to, S.noc.l1 + source, length)
    return on(far, landed, to, to + length)


# In the other tile


def own_l1(S: View) -> int:
    """Return the address of its L1."""
    return S.noc.l1


def word_at(S: View, addr: int) -> int:
    """Return a word of L1."""
    return l1_read(S, addr, 4, 0)


def put_word(S: View, addr: int, value: int) -> int:
    """Write a word of L1."""
    S.l1.word[addr >> 2] = value
    return landed(S, addr, addr + 4)


def operate(S: View, operands: int, line: int, data: int) -> int:
    """Execute an atomic; 0, or -1 for what is none."""
    return OPERATE[S.tile.chip](S, operands, line, data)


def is_noticed(S: View, first: int, end: int) -> int:
    """True if a client wants to know of a write to these addresses."""
    return 1 if first < S.noc.notice_end and S.noc.notice < end else 0


def has_come(S: View, niu: int, ctrl: int, size: int) -> int:
    """Count a request that is there; harts that poll can continue."""
    S.tile.idle_cycles = 0
    return count_there(S, niu, ctrl, size)
