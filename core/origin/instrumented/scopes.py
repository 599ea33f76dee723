# SPDX-License-Identifier: Apache-2.0
"""Which instruction does what: functions of the machine that work for one instruction.

While one of them runs, what is written is written by that instruction. A function that only moves
values on (out of a queue, from a register of a pipeline to its destination) is a *carrier*: the
instruction is where the value was made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.tensix.config.pipeline import ACCESS
from tensix_gdb.core.tensix.frontend.configured import configured_at
from tensix_gdb.core.tensix.frontend.fifo import VIA_MOP, VIA_REPLAY, C
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.vector.configured import configured_by, scheduled_word

PACKER_PLACE = list(Unit).index(Unit.PACKER)
SFPLOADMACRO = "SFPLOADMACRO"
HART, TENSIX, NOC, DEBUG, CABLE = "hart", "tensix", "noc", "debug interface", "cable"


@dataclass(frozen=True, slots=True)
class Scope:
    """An instruction: of a hart, or of the Tensix thread of `thread` that `hart` has pushed."""

    kind: str
    hart: int = -1
    pc: int = 0
    thread: int | None = None
    word: int = 0
    pushed: int | None = None  # the cycle of its push, where that is kept
    carrier: bool = False
    unit: str = ""
    tile: int | None = None  # of a request, or a packet, that another tile has made
    configured: int = 0  # the store of its word of MopCfg, if it comes from a MOP
    is_replayed: bool = False  # from a MOP by way of a REPLAY, or from a REPLAY at the gate
    made: tuple[tuple[str, int], ...] = ()  # what SFPLOADMACRO schedules: names, their lines' pcs


Describe = Callable[..., Scope | None]


def _issue(S: Any, outer: Scope | None, hart: int, *_: int) -> Scope:
    return Scope(HART, hart, int(S.hart.pc[hart]))


def _process(S: Any, outer: Scope | None, hart: int, stream: int, *_: int) -> Scope:
    # Of a merged store this is the first of the stores: the instruction is where the value is from.
    return Scope(HART, hart, int(S.stream.pc[hart, stream, 0]), carrier=True)


def _port(S: Any, outer: Scope | None, hart: int, *_: int) -> Scope:
    return Scope(HART, hart, carrier=True)


def _gate(S: Any, outer: Scope | None, thread: int, *_: int) -> Scope | None:
    if not S.fifo.count[thread, C]:
        return None
    at = S.fifo.head[thread, C]
    word = int(S.fifo.word[thread, C, at])
    return Scope(
        TENSIX,
        int(S.fifo.hart[thread, C, at]),
        int(S.fifo.pc[thread, C, at]),
        thread,
        word,
        int(S.fifo.cycle[thread, C, at]),
        configured=_configured(S, thread, word)[0] if S.fifo.via[thread, C, at] & VIA_MOP else 0,
        is_replayed=bool(S.fifo.via[thread, C, at] & VIA_REPLAY),
    )


def _configured(S: Any, thread: int, word: int) -> tuple[int, bool]:
    """Return the store of its word of MopCfg, and True if that is a REPLAY that plays it."""
    if found := configured_at(S, thread, word, 0):
        return int(found), False
    found = configured_at(S, thread, word, VIA_REPLAY)
    return int(found), bool(found)


def _unpacker(S: Any, outer: Scope | None, unpacker: int, *_: int) -> Scope:
    j = queue.oldest(S, unpacker)
    unpack = S.unpack
    word, thread = int(unpack.word[j]), int(unpack.thread[j])
    made, played = _configured(S, thread, word)
    hart, pc = int(unpack.hart[j]), int(unpack.pc[j])
    return Scope(TENSIX, hart, pc, thread, word, configured=made, is_replayed=played)


def _front(S: Any, outer: Scope | None) -> Scope:
    # The front stage has one instruction, and the next one passes its gate when it is free.
    thread, place, passed = int(S.pack.running) - 1, PACKER_PLACE, S.passed
    hart, pc = int(passed.to_hart[thread, place]), int(passed.to_pc[thread, place])
    word = int(passed.to_word[thread, place])
    made, played = _configured(S, thread, word)
    return Scope(TENSIX, hart, pc, thread, word, configured=made, is_replayed=played)


def _carrier(S: Any, outer: Scope | None, *_: int) -> Scope:
    return Scope(TENSIX, carrier=True)


def _block(S: Any, outer: Scope | None, at: int) -> Scope:
    return Scope(TENSIX, thread=int(S.pack.out_thread[at]), carrier=True, unit="packer")


def _request(S: Any, outer: Scope | None, i: int) -> Scope:
    thcon = S.thcon
    word, thread = int(thcon.word[i]), int(thcon.owner[i])
    return Scope(TENSIX, int(thcon.hart[i]), int(thcon.pc[i]), thread, word)


def _answer(S: Any, outer: Scope | None) -> Scope | None:
    for i in range(int(S.thcon.requests)):
        if S.thcon.answer[i]:
            return _request(S, outer, i)
    return None


def _stage(S: Any, outer: Scope | None, stage: int) -> Scope | None:
    pipe = S.config_pipe
    if not pipe.op[stage] or pipe.thread[stage] > 2:
        return None
    thread, word = int(pipe.thread[stage]), int(pipe.word[stage])
    return Scope(TENSIX, int(pipe.hart[stage]), int(pipe.pc[stage]), thread, word)


def _access(S: Any, outer: Scope | None) -> Scope | None:
    return _stage(S, outer, ACCESS)


def _mover(S: Any, outer: Scope | None) -> Scope:
    return Scope(TENSIX, int(S.mover.hart), int(S.mover.pc), unit="mover")


def _noc(S: Any, outer: Scope | None, niu: int, slot: int, *_: int) -> Scope:
    return Scope(NOC, int(S.noc.hart[niu, slot]), int(S.noc.pc[niu, slot]), unit=f"NoC {niu}")


def _debug(S: Any, outer: Scope | None, core: int) -> Scope:
    return Scope(DEBUG, core)


def _scheduled(S: Any, outer: Scope | None, unit: int) -> Scope:
    macro = S.macro
    hart, pc, thread = (int(row[unit, 0]) for row in (macro.hart, macro.pc, macro.thread))
    word, made = scheduled_word(S, unit, 0), configured_by(S, unit, 0)
    return Scope(TENSIX, hart, pc, thread, word, unit=SFPLOADMACRO, made=made)


SCOPES: dict[str, Describe] = {
    "riscv.issue.issue": _issue,
    "riscv.pipeline.processed.process": _process,
    "clock.timed.use_port": _port,
    "riscv.pipeline.pipeline.retire": _port,
    "tensix.coprocessor.pass_gate": _gate,
    "tensix.unpacker.pipeline.work": _unpacker,
    "tensix.packer.pipeline.front": _front,
    "tensix.packer.pipeline.to_l1": _block,
    "tensix.packer.pipeline.to_device": _block,
    "tensix.scalar.memory_requests.at_l1": _request,
    "tensix.scalar.memory_requests.at_device": _request,
    "tensix.scalar.memory_requests.deliver": _answer,
    "tensix.scalar.pipeline.finish": _carrier,
    "tensix.config.pipeline.read_gprs": _stage,
    "tensix.config.pipeline.access": _access,
    "tensix.config.pipeline.shift": _carrier,
    "tensix.mover.unit.unit": _mover,
    "tensix.vector.writeback.advance": _carrier,
    "tensix.vector.scheduled.execute_unit": _scheduled,
    "tensix.frontend.replay_expander.move": _carrier,
    "tensix.frontend.mop_expander.move": _carrier,
    "noc.arrive.step": _noc,
    "clock.pending.memory_command": _debug,
}
