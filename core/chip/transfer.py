# SPDX-License-Identifier: Apache-2.0
"""A request from one Tensix tile to another one: its two ends, as for a tile alone
(core/noc/arrive.py).

    GOING ──► at its target: a write or atomic takes effect, the target counts ──► COMING
    COMING ──► back: the data of a read is written, the initiator counts

UNSPECIFIED(NoC/Ordering.md): when each 16 bytes of a packet are read and written. All move in
one cycle, as for a tile alone: a write's when it is at its target, a read's when its answer is in.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, B
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.debug.l1_ranges import HOST, Who
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine.entries import ANSWER, ARRIVE, COME_BACK, REACH
from tensix_gdb.core.memory import l1_watch
from tensix_gdb.core.noc import wormhole
from tensix_gdb.core.noc.arrive import count_back, count_sent, count_there, flits, outside_l1
from tensix_gdb.core.noc.atomic import IS_LINE, OPERATE, WORD_OF
from tensix_gdb.core.noc.carried import WORD
from tensix_gdb.core.noc.carry import LEFT, cycles_back, is_answered, waits_there
from tensix_gdb.core.noc.order import late
from tensix_gdb.core.noc.request import (
    ATOMIC,
    BYTE_ENABLE,
    FLIT,
    INLINE,
    KIND,
    MMIO,
    READ,
    is_write_of_data,
)
from tensix_gdb.core.noc.state import COMING, FREE
from tensix_gdb.core.noc.turns import keep_banks
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault

FAILED = -1


def arrive(near: End, far: End, niu: int, slot: int, there: int) -> bool:
    """The request is at its target, and may have to wait there. False with a fault of the hart that
    has started it."""
    if carried(near, far, ARRIVE.name, niu, slot, there, far.record.address) != LEFT:
        return True
    S, noc = near.S, near.S.noc
    if waits_there(S, niu, slot, far.record.address):
        return True
    ctrl = int(noc.ctrl[niu, slot])
    word = reach(near, far, niu, slot)
    if word == FAILED:
        return False
    if ctrl & KIND == ATOMIC:
        noc.data[niu, slot] = word
    if ctrl & KIND != READ:
        count_sent(S, niu, slot, ctrl)
    if is_answered(ctrl):
        noc.stage[niu, slot] = COMING
        back = S.tile.cycle + cycles_back(S, niu, slot, there)
        noc.due[niu, slot] = late(S, niu, slot, back, 0)
    else:
        noc.stage[niu, slot] = FREE
    return True


def come_back(near: End, far: End, niu: int, slot: int) -> bool:
    """The answer is back. False with a fault of the hart that has started the request."""
    if carried(near, far, COME_BACK.name, niu, slot, far.record.address) != LEFT:
        return True
    if not answer(near, far, niu, slot, int(near.S.noc.data[niu, slot])):
        return False
    near.S.noc.stage[niu, slot] = FREE
    return True


def carried(near: End, far: End, entry: str, *arguments: int) -> int:
    """Let the machine do it (carry.py), if it is not watched: its result, or LEFT."""
    if not near.is_plain() or not far.is_plain():
        return LEFT
    return near.machine.engine.call(entry, *arguments)


def name_maker(near: End, far: End, niu: int, slot: int) -> None:
    """Where L1 is watched, name the hart that has made the request."""
    for end in (near, far):
        if end.machine.memory.watched is not None:
            hart, pc = int(near.S.noc.hart[niu, slot]), int(near.S.noc.pc[niu, slot])
            where = near.machine.places.at(hart, pc)
            tile = f" of tile {near.name}" if end is not near else ""
            text = f"a request of NoC {niu} that {HART_NAMES[hart]}{tile} has made at {where}"
            own = (hart, pc) if end is near else (B, int(end.S.hart.pc[B]))
            end.l1.who = Who(text, *own)


def forget_maker(near: End, far: End) -> None:
    """Attribute all later writes to the host."""
    near.l1.who = far.l1.who = HOST


def reach(near: End, far: End, niu: int, slot: int) -> int:
    """`_reach`, with the maker of the request known where L1 is watched."""
    word = carried(near, far, REACH.name, niu, slot, far.record.address)
    if word != LEFT:
        return word
    name_maker(near, far, niu, slot)
    try:
        return _reach(near, far, niu, slot)
    finally:
        forget_maker(near, far)


def answer(near: End, far: End, niu: int, slot: int, word: int) -> bool:
    """`_answer`, with the maker of the request known where L1 is watched."""
    if carried(near, far, ANSWER.name, niu, slot, far.record.address, word) != LEFT:
        return True
    name_maker(near, far, niu, slot)
    try:
        return _answer(near, far, niu, slot, word)
    finally:
        forget_maker(near, far)


def _reach(near: End, far: End, niu: int, slot: int) -> int:
    """Process the request at one target. Return the word that an atomic answers with, or FAILED
    with a fault of the hart that has started it."""
    S = near.S
    ctrl = int(S.noc.ctrl[niu, slot])
    word = 0
    if ctrl & KIND == ATOMIC:
        word = _atomic(near, far, niu, slot)
        if word == FAILED:
            return FAILED
    elif ctrl & KIND != READ and not _write(near, far, niu, slot):
        return FAILED
    if far.watched and _writes(near.S, niu, slot, far.watched):
        far.on_write()
    if near.races is not None:
        near.races.arrived(near, far, niu, slot)
    keep_banks(S, niu, slot, far.record.address)
    count_there(far.S, niu, ctrl, flits(S, niu, slot))
    S.tile.idle_cycles = far.S.tile.idle_cycles = 0
    return word


def _writes(S: View, niu: int, slot: int, addresses: range) -> bool:
    """True if the request writes to one of these addresses."""
    noc = S.noc
    ctrl = int(noc.ctrl[niu, slot])
    if not is_write_of_data(ctrl):
        return ctrl & KIND != READ and int(noc.targ[niu, slot]) in addresses
    to = int(noc.ret[niu, slot])
    length = FLIT[S.tile.chip] if ctrl & BYTE_ENABLE else int(noc.length[niu, slot])
    return to < addresses.stop and addresses.start < to + length


def _answer(near: End, far: End, niu: int, slot: int, word: int) -> bool:
    """Process the answer of one target; `word` is that of an atomic."""
    S, noc = near.S, near.S.noc
    ctrl = int(noc.ctrl[niu, slot])
    ret = int(noc.ret[niu, slot])
    try:
        if ctrl & KIND == READ:
            source, length = int(noc.targ[niu, slot]), int(noc.length[niu, slot])
            data = far.memory.read(source, length)
            _moving(near, niu, slot, (far, source), (near, ret), length)
            near.memory.write(ret, data)
        elif ctrl & KIND == ATOMIC:
            if near.follower is not None:
                near.follower.answering(near.record, niu, slot, far.record, (near.record, ret & ~3))
            near.memory.write(ret & ~3, word.to_bytes(4, "little"))
    except MemoryFault:
        outside_l1(S, niu, slot, int(noc.targ[niu, slot]))
        return False
    _moved(near)
    if near.races is not None:
        near.races.answered(near, far, niu, slot)
    count_back(S, niu, slot, ctrl)
    S.tile.idle_cycles = 0
    return True


def _write(near: End, far: End, niu: int, slot: int) -> bool:
    noc = near.S.noc
    ctrl, length = int(noc.ctrl[niu, slot]), int(noc.length[niu, slot])
    source, to = int(noc.targ[niu, slot]), int(noc.ret[niu, slot])
    try:
        if ctrl & INLINE:
            for to, part in INLINE_PARTS[near.S.tile.chip](near.S, niu, slot):
                _moving(near, niu, slot, (near, WORD), (far, to), len(part))
                far.memory.write(to, part)
        elif ctrl & BYTE_ENABLE:
            enabled = length & 0xFFFFFFFF | int(noc.mask[niu, slot]) << 32
            source, to, flit = source & ~15, to & ~15, FLIT[near.S.tile.chip]
            old, new = far.memory.read(to, flit, watched=False), near.memory.read(source, flit)
            for i in range(flit if near.follower is not None else 0):
                if enabled >> i & 1:
                    _moving(near, niu, slot, (near, source + i), (far, to + i), 1)
            far.memory.write(to, bytes(new[i] if enabled >> i & 1 else old[i] for i in range(flit)))
        else:
            data = near.memory.read(source, length)
            _moving(near, niu, slot, (near, source), (far, to), length)
            far.memory.write(to, data)
    except MemoryFault:
        outside_l1(near.S, niu, slot, source if ctrl & INLINE else to)
        return False
    _moved(near)
    return True


def _word(S: View, niu: int, slot: int) -> list[tuple[int, bytes]]:
    """Return what an inline write puts where."""
    data = int(S.noc.data[niu, slot]).to_bytes(4, "little")
    return [(int(S.noc.targ[niu, slot]) & ~3, data)]


def _bytes_of_word(S: View, niu: int, slot: int) -> list[tuple[int, bytes]]:
    """The same on Wormhole, where it may be some of 16 bytes of L1 (core/noc/wormhole.py)."""
    targ, mask = int(S.noc.targ[niu, slot]), int(S.noc.length[niu, slot]) & MASK32
    if targ >= MMIO or wormhole.is_one_word(targ, mask):
        return _word(S, niu, slot)
    data, enabled = int(S.noc.data[niu, slot]).to_bytes(4, "little"), mask | mask >> 16
    return [((targ & ~15) + i, data[i & 3 :][:1]) for i in range(16) if enabled >> i & 1]


INLINE_PARTS = (_word, _bytes_of_word)


def _moving(
    near: End, niu: int, slot: int, source: tuple[End, int], to: tuple[End, int], length: int
) -> None:
    """Tell the one that follows data, if there is one."""
    if near.follower is not None:
        ends = (source[0].record, source[1]), (to[0].record, to[1])
        near.follower.moving(near.record, niu, slot, *ends, length)


def _moved(near: End) -> None:
    if near.follower is not None:
        near.follower.moved()


def _atomic(near: End, far: End, niu: int, slot: int) -> int:
    """Execute it: the word that was there before, or FAILED."""
    S, noc = near.S, near.S.noc
    operands, targ = int(noc.length[niu, slot]) & 0xFFFFFFFF, int(noc.targ[niu, slot])
    hart, pc = int(noc.hart[niu, slot]), int(noc.pc[niu, slot])
    if targ + 16 > L1_END[S.tile.chip]:
        fault(S, hart, Fault.NOC_OUTSIDE_L1, targ, pc)
        return FAILED
    old = int.from_bytes(far.memory.read(targ & ~3, 4), "little")
    if near.follower is not None:
        word = (targ & ~15) + 4 * WORD_OF[S.tile.chip](operands)
        to, length = (targ & ~15, 16) if IS_LINE[S.tile.chip](operands) else (word, 4)
        answer_of = (far.record, targ & ~3)
        near.follower.combining(near.record, niu, slot, (far.record, to), length, answer_of)
    far_is_watched = far.machine.memory.watched is not None
    if far_is_watched:
        l1_watch.forget(far.S)
    if OPERATE[S.tile.chip](far.S, operands, targ & ~15, int(noc.data[niu, slot])) < 0:
        fault(S, hart, Fault.NOC_ATOMIC, operands, pc)
        return FAILED
    if far_is_watched:
        far.l1.keep_notes()
    _moved(near)
    return old
