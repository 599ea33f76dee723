# SPDX-License-Identifier: Apache-2.0
"""`monitor print`: a variable of SFPI as 32 lanes, and `dst_reg[N]` as the lanes of a load.

monitor print y             vFloat, vInt, vUInt or vSMag, in the scope of the thread's pc
monitor print dst_reg[2]    what a load of dst_reg[2] would give there
monitor print               the names that are known there

Of a hart, values are those after everything that it has pushed so far: what the source says at its
pc. Of a Tensix thread, they are those before the instruction at its gate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREAD_NAMES
from tensix_gdb.core.explain.recorded import recorded_at
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend.fifo import VIA_REPLAY
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.state import (
    COLUMNS,
    DEST_RD_COL_EXCHANGE,
    FIRST,
    LANES,
    SECOND,
    any_config,
    enabled,
)
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate
from tensix_gdb.gdbstub.tensix.capabilities.threads import pc_of, tensix_of
from tensix_gdb.gdbstub.tensix.monitor.dst_text import FORMATS, UNDEFINED, lane_text, row_of
from tensix_gdb.gdbstub.tensix.monitor_row import selected
from tensix_gdb.gdbstub.tensix.vectors.drained import count_under_way, drained, words_under_way
from tensix_gdb.gdbstub.tensix.vectors.held import find_held, names_at, written_by

_DST = re.compile(r"(?:sfpi::)?dst_reg\[(0x[0-9a-fA-F]+|\d+)\]")
_NAME = re.compile(r"[A-Za-z_]\w*")
STRIDE, MOST_DST = 2, 1024  # of dst_reg, in rows; rows that an address has bits for
_KINDS: dict[str, Callable[[int], str]] = {
    "vFloat": lambda word: lane_text(word, "float"),
    "vInt": lambda word: lane_text(word, "int"),
    "vUInt": str,
    "vUInt16": str,
    "vSMag": lambda word: lane_text(word, "sm"),
}
_FORMATS = {address.FP32: "fp32", address.BF16: "bf16", address.FP16: "fp16"}
# FP32 on Wormhole keeps denormals, and is read as integers of 32 bits are.
_FORMATS[address.INT32] = "fp32"


def monitor_print(machine: Machine, thread: int, words: list[str]) -> str:
    """Return a variable or dst_reg[N] as lanes, or the names that are known."""
    number = _number(thread)
    hart, pc = _at(machine, thread, number)
    typed = "".join(words)
    if not typed:
        known = ", ".join([*names_at(machine, hart, pc), "dst_reg[N]"])
        return f"Known here: {known}.\n"
    dst = _DST.fullmatch(typed)
    if dst is None and not _NAME.fullmatch(typed):
        raise TargetError(
            f"{typed!r} is neither the name of a vFloat, vInt or vUInt nor dst_reg[N] with a number"
        )
    if dst is not None:
        index = int(dst[1], 0)
        if STRIDE * index >= MOST_DST:
            raise TargetError(f"dst_reg has {MOST_DST // STRIDE} places, and {index} is none")
        return _shown(machine, thread, number, partial(_dst, machine, number, index), None)
    held = find_held(machine, hart, pc, typed)

    def lanes() -> Iterator[str]:
        yield f"{held.name} is a {held.type} in LReg[{held.lreg}], {held.by}"
        text = _KINDS.get(held.type, _as_hex)
        undefined = int(machine.S.vector.undefined[held.lreg])
        values = [text(value) for value in _coming(machine, held.lreg)]
        yield from (v + "?" * (undefined >> i & 1) for i, v in enumerate(values))

    return _shown(machine, thread, number, lanes, held.lreg)


def lanes_in_hex(machine: Machine, thread: int, name: str) -> str:
    """Return the type of a variable and its lanes, `vFloat 3f800000 ...`, for GDB's expressions."""
    number = _number(thread)
    held = find_held(machine, *_at(machine, thread, number), name)
    if tensix_of(thread) is not None:
        values = _coming(machine, held.lreg)
    else:
        is_old = _is_old(machine, number, held.lreg)
        with drained(machine, number) as ended:
            if is_old and not ended:
                raise TargetError(
                    f"{name} is not there yet: what writes it waits (`monitor why`). "
                    f"`monitor print {name}` shows the lanes of now"
                )
            values = _coming(machine, held.lreg)
    return " ".join([held.type, *(f"{value:x}" for value in values)])


def _number(thread: int) -> int:
    """Return the Tensix thread that goes with a GDB thread."""
    number = selected(thread)
    if number is None:
        raise TargetError(
            f"{HART_NAMES[thread - 1]} has no Vector Unit: select T0, T1, T2 or a Tensix thread"
        )
    return number


def _is_old(machine: Machine, number: int, lreg: int | None) -> bool:
    """True if an instruction on its way to a thread writes the LReg."""
    writes = (written_by(machine, word) for word in words_under_way(machine.S, number))
    return lreg is not None and any(registers >> lreg & 1 for registers in writes)


def _as_hex(word: int) -> str:
    return lane_text(word, "hex")


def _at(machine: Machine, thread: int, number: int) -> tuple[int, int]:
    """Return the hart and the pc the scope of which counts."""
    gate = at_gate(machine, number) if tensix_of(thread) is not None else None
    if gate is None:
        return T0 + number, pc_of(machine, thread)
    if gate.via & VIA_REPLAY:
        # It is where it was recorded: its own origin is the REPLAY that has it played.
        places = [addr for _, addr in recorded_at(machine.images, gate.hart, gate.word)]
        if len(places) != 1:
            raise TargetError(
                f"{gate.name} at the gate comes from a REPLAY, and the program says "
                f"{'no' if not places else 'more than one'} place where it was recorded: "
                "`monitor vector` shows the LRegs"
            )
        return gate.hart, places[0]
    return gate.hart, gate.pc


def _shown(
    machine: Machine,
    thread: int,
    number: int,
    lanes: Callable[[], Iterator[str]],
    lreg: int | None,
) -> str:
    """Return a title and the lanes, as of the right moment, which the title says."""
    S = machine.S
    name = THREAD_NAMES[number]
    if tensix_of(thread) is not None:
        when = f"before the instruction at the gate of {name}" if at_gate(machine, number) else ""
        return _text(machine, lanes, when)
    count = count_under_way(S, number)
    is_old = _is_old(machine, number, lreg)
    with drained(machine, number) as ended:
        if ended:
            many = f"{count} instructions" if count != 1 else "one instruction"
            when = f"after {many} on the way to {name}" if count else ""
            return _text(machine, lanes, when)
    old = ", and this is older: one of them writes it" if is_old else ""
    when = f"now; {count} instructions on the way to {name} wait (`monitor why`){old}"
    return _text(machine, lanes, when)


def _text(machine: Machine, lanes: Callable[[], Iterator[str]], when: str) -> str:
    title, *cells = lanes()
    on = int(enabled(machine.S))
    title += f"; {when}" if when else ""
    disabled = LANES - (on & (1 << LANES) - 1).bit_count()
    title += f"; {disabled} lanes are disabled, ( )" if disabled else "; all lanes are enabled"
    shown = [cell if on >> lane & 1 else f"({cell})" for lane, cell in enumerate(cells)]
    rows = [
        f"lane {first:>2}" + "".join(f"{cell:>13}" for cell in shown[first : first + COLUMNS])
        for first in range(0, LANES, COLUMNS)
    ]
    return "\n".join([title, *rows]) + "\n"


def _coming(machine: Machine, lreg: int) -> list[int]:
    """Return the lanes of an LReg with the results that the Vector Unit has for it already: they
    are written at the end of this cycle or the next."""
    S = machine.S
    values = [int(S.vector.lreg[lreg, lane]) for lane in range(LANES)]
    for stage in (SECOND, FIRST):
        due = int(S.vector_late.lanes[stage, lreg])
        for lane in range(LANES):
            if due >> lane & 1:
                values[lane] = int(S.vector_late.value[stage, lreg, lane])
    return values


def _dst(machine: Machine, thread: int, index: int) -> Iterator[str]:
    """Yield a title, and the lanes that SFPLOAD would load from there in the format that is
    configured."""
    S = machine.S
    if any_config(S) >> DEST_RD_COL_EXCHANGE & 1:
        raise TargetError("LaneConfig exchanges columns of Dst: `monitor dst` shows its rows")
    mode = int(address.resolve(S, thread, address.SRCB))
    name = _FORMATS[mode]
    at = int(address.address(S, thread, STRIDE * index, address.SRCB))
    wide, text = FORMATS[name]
    first, odd = at & ~3, at >> 1 & 1
    yield (
        f"dst_reg[{index}] is rows {first} to {first + 3} of Dst{32 if wide else 16}b, "
        f"{'odd' if odd else 'even'} columns, as {name}"
    )
    for row in range(first, first + 4):
        datums = row_of(S, row % (MOST_DST // 2 if wide else MOST_DST), wide)
        for datum in datums[odd::2]:
            yield UNDEFINED if datum is None else text(datum)
