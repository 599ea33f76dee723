# SPDX-License-Identifier: Apache-2.0
"""Stops at a wait gate in words, and where a Tensix thread is.

A Tensix thread has no program of its own. It is where the instruction comes from that it will let
pass its gate next: the `.ttinsn`, store or MOP that a hart has pushed it with.
"""

from __future__ import annotations

from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREAD_NAMES
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.gate_breakpoints import GateArmed
from tensix_gdb.core.explain.made import made_since, made_text
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import reset_pc
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.core.tensix.frontend.fifo import VIA_MOP, VIA_REPLAY, A, B, C
from tensix_gdb.core.tensix.frontend.replay_expander import PLAYING
from tensix_gdb.core.tensix.gate.requests import BY_DEBUG, BY_OTHERS, BY_SAMPLES, BY_TDMA
from tensix_gdb.core.tensix.gate.watchpoints import CELLS, Cell
from tensix_gdb.core.tensix.regfiles.dst import COLUMNS
from tensix_gdb.core.tensix.vector.state import LANES


@dataclass(frozen=True, slots=True)
class Origin:
    """The place of a Tensix thread; `queued` when there is an instruction that comes from there."""

    hart: int
    pc: int
    queued: bool


def origin(S: View, thread: int) -> Origin:
    """Of the next instruction; of the last one when there is no other; where the T core starts when
    there never was one."""
    own = T0 + thread
    at_gate = _head(S, thread, C)
    if at_gate is not None:
        return at_gate
    if S.replay.mode[thread] == PLAYING:
        return Origin(int(S.replay.hart[thread]), int(S.replay.pc[thread]), True)
    in_fifo_b = _head(S, thread, B)
    if in_fifo_b is not None:
        return in_fifo_b
    if S.mop.expanding[thread]:
        return Origin(own, int(S.mop.pc[thread]), True)
    first = _head(S, thread, A)
    if first is not None:
        return first
    if S.passed.count[thread]:
        return Origin(int(S.passed.hart[thread]), int(S.passed.pc[thread]), False)
    return Origin(own, reset_pc(S, own), False)


def queued(S: View, thread: int) -> bool:
    """True if there is an instruction anywhere before the gate, or at it."""
    counts = S.fifo.count.raw
    if counts[thread, A] or counts[thread, B] or counts[thread, C]:
        return True
    return S.replay.mode[thread] == PLAYING or bool(S.mop.expanding[thread])


def _head(S: View, thread: int, fifo: int) -> Origin | None:
    if not S.fifo.count[thread, fifo]:
        return None
    at = S.fifo.head[thread, fifo]
    return Origin(int(S.fifo.hart[thread, fifo, at]), int(S.fifo.pc[thread, fifo, at]), True)


def expansion(via: int) -> str:
    """` of a MOP`, for an instruction that comes from an expansion."""
    if via & VIA_REPLAY:
        return " of a REPLAY in a MOP" if via & VIA_MOP else " of a REPLAY"
    return " of a MOP" if via & VIA_MOP else ""


def ordinal(number: int) -> str:
    """`2nd`."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def _which(S: View, cell: int) -> str:
    """Return which of several watched words of a matrix it is."""
    at = S.gate_watch.at[cell]
    match S.gate_watch.kind[cell]:
        case Cell.DST:
            column = at % (COLUMNS // 2) * 2
            return f" columns {column} and {column + 1}, as they are kept,"
        case Cell.LREG:
            return f" lane {at % LANES}"
    return ""


def explain_gate(S: View, stop: Stop, places: Places, gates: GateArmed) -> str:
    """Return one sentence about a stop of a Tensix thread that is no fault."""
    assert stop.thread is not None
    name = THREAD_NAMES[stop.thread]
    if stop.kind is StopKind.GATE:
        number = gates.break_number(S.stop.a)
        at = S.fifo.head[stop.thread, C]
        word, via = S.fifo.word[stop.thread, C, at], S.fifo.via[stop.thread, C, at]
        which = f", {ordinal(S.stop.b)}{expansion(via)}," if via else ""
        made = made_text(S, places, stop.thread, stop.hart, word, via)
        return (
            f"Gate breakpoint {number} ({gates.breaks[number].text}): {name} has "
            f"{show_on(word, S.tile.chip)}{which} at its gate, "
            f"pushed at {places.at(stop.hart, stop.pc)}{made}"
        )
    if stop.kind is StopKind.WATCH:
        new = S.gate_watch.value[S.stop.a] if S.stop.a < CELLS else S.l1_watch.new
        text = show_on(S.gate_watch.word, S.tile.chip)
        word = int(S.gate_watch.word)
        made = made_since(S, places, stop.thread, stop.hart, stop.pc, word)
        by = f"by {text} of {name}, pushed at {places.at(stop.hart, stop.pc)}{made}"
        return f"{_watch(S, gates)} {_done(S, S.l1_watch, new, S.stop.b)} {by}"
    return f"{name} at {places.at(stop.hart, stop.pc)}: step done"


def explain_request(S: View, stop: Stop, places: Places, gates: GateArmed) -> str:
    """Return one sentence about a watched access of a request that a hart, the host or another tile
    has made."""
    pending, niu = S.request_watch, int(S.request_watch.niu)
    hart, where = HART_NAMES[stop.hart], places.at(stop.hart, stop.pc)
    if niu == BY_OTHERS:
        by = gates.l1.by.text
    elif niu == BY_SAMPLES:
        by = "the debug bus, which writes samples"
    elif niu == BY_DEBUG:
        by = f"the debug interface, for {hart}"
    elif niu == BY_TDMA:
        by = f"a command of TDMA-RISC that {hart} has given at {where}"
    else:
        by = f"a request of NoC {niu} that {hart} has made at {where}"
    return f"{_watch(S, gates)} {_done(S, pending, pending.new, S.stop.b)} by {by}"


def _watch(S: View, gates: GateArmed) -> str:
    """`Watch 2 (sem 3):`; a client's own has no number for people."""
    number = gates.watch_number(S.stop.a)
    watch = gates.watches[number]
    what = f"Watch {number} ({watch.text}):" if number > 0 else f"{watch.text}:"
    if S.stop.a < CELLS and len(watch.words) > 1:
        what += _which(S, S.stop.a)
    return what


def _done(S: View, noted: Any, new: int, old: int) -> str:
    """Return in words what was done there."""
    if S.stop.a < CELLS:
        return f"changed from {old:#x} to {new:#x}"
    addr, size = int(noted.addr), int(noted.size)
    if noted.is_read:
        return f"{size} byte{'s' * (size != 1)} at {addr:#x} read"
    if old == new:
        return f"{addr:#x} written with {new:#x}, as it was,"
    return f"{addr:#x} changed from {old:#x} to {new:#x}"
