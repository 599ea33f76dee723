# SPDX-License-Identifier: Apache-2.0
"""Frames: callers, by call frame information, and each frame's registers.

An inlined function has a frame of its own, as in GDB: it shares the registers of the frame that it
was inlined into.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.blocks import CodeBlock
from tensix_gdb.core.dwarf.callsites import call_site
from tensix_gdb.core.dwarf.entries import name_of
from tensix_gdb.core.dwarf.expression import Context, Expression, evaluate
from tensix_gdb.core.dwarf.info import DebugInfo

MASK32 = 0xFFFFFFFF
MAX_FRAMES = 256
SP = 2

ReadMemory = Callable[[int, int], bytes | None]


@dataclass(frozen=True, slots=True, repr=False)
class Frame:
    """One frame. `pc` is where it is or will continue; `look` is an address inside the call,
    which is what source lines and scopes are looked up with."""

    pc: int
    look: int
    registers: Mapping[int, int | None]
    info: DebugInfo
    memory: ReadMemory
    cfa: int | None
    blocks: tuple[CodeBlock, ...] = ()
    function: str = "?"
    file: str = ""
    line: int = 0

    outer: Frame | None = None

    def __repr__(self) -> str:
        return f"<{self.function} at {self.file or '?'}:{self.line}, pc {self.pc:#010x}>"

    def context(self) -> Context:
        """For location expressions of this frame's variables."""

        def base() -> int | None:
            return evaluate(self.info.frame_base(self.look), inner)

        inner = Context(
            self.registers.get, self.memory, lambda: None, lambda: self.cfa, lambda _: None
        )
        return Context(
            self.registers.get, self.memory, base, lambda: self.cfa, self._value_at_entry
        )

    def _value_at_entry(self, place: Expression) -> int | None:
        """Return the value that the caller put into `place` when it called; None when that is not
        known."""
        caller, mine = self.outer, self.info.function_at(self.look)
        if caller is None or mine is None:
            return None
        theirs = caller.info.function_at(caller.look)
        site = None if theirs is None else call_site(theirs.die, caller.pc)
        if site is None:
            return None
        # After a tail call it is not the caller's callee that runs here.
        callee = site.callee
        if callee is None:
            called = evaluate(site.target, caller.context()) if site.target else None
        else:
            function = caller.info.function(name_of(callee))
            called = None if function is None else function.low
        value = site.value(place)
        if called != mine.low or not value:
            return None
        return evaluate(value, caller.context())


def unwind(
    info_at: Callable[[int], DebugInfo | None],
    registers: Mapping[int, int | None],
    pc: int,
    memory: ReadMemory,
    most: int = MAX_FRAMES,
) -> list[Frame]:
    """Frames from the innermost on. The last one is where nothing more is known."""
    current: dict[int, int | None] = dict(registers)
    look = pc
    seen: set[tuple[int, int | None]] = set()
    physical: list[Frame] = []
    while len(physical) < most:
        info = info_at(look)
        if info is None or (look, current.get(SP)) in seen:
            break
        seen.add((look, current.get(SP)))
        cfa, caller, back = _caller(info, look, current, memory)
        physical.append(Frame(pc, look, dict(current), info, memory, cfa))
        if caller is None or not back:
            break
        # A call is the instruction before the return address: the line is that of the call.
        current, pc, look = caller, back, back - 1
    frames: list[Frame] = []
    outer: Frame | None = None
    for frame in reversed(physical):
        outer = replace(frame, outer=outer)
        frames[:0] = _with_inlined(outer)
    return frames[:most]


def _with_inlined(frame: Frame) -> list[Frame]:
    """Return the frame, preceded by those of the functions inlined where it is."""
    info = frame.info
    blocks = info.blocks_at(frame.look)
    row = info.lines.at(frame.look)
    file, line = (row.file, row.line) if row else ("", 0)
    frames: list[Frame] = []
    while True:
        start = max((i for i, b in enumerate(blocks) if b.inlined or b.is_function), default=0)
        name = blocks[start].name if blocks else "?"
        frames.append(
            replace(frame, blocks=tuple(blocks[start:]), function=name, file=file, line=line)
        )
        if not blocks or not blocks[start].inlined:
            return frames
        file, line = blocks[start].call_file, blocks[start].call_line
        blocks = blocks[:start]


def _caller(
    info: DebugInfo, look: int, registers: Mapping[int, int | None], memory: ReadMemory
) -> tuple[int | None, dict[int, int | None] | None, int | None]:
    """Return the CFA, the caller's registers and its return address, as far as they are known."""
    row = info.unwind_row(look)
    if row is None:
        return None, None, None
    context = Context(registers.get, memory, lambda: None, lambda: None, lambda _: None)
    how, first, offset = row.cfa
    if how == "expression":
        cfa = evaluate(first, context)
    else:
        held = registers.get(first)
        cfa = None if held is None else (held + offset) & MASK32
    if cfa is None:
        return None, None, None
    caller = dict(registers)
    caller[SP] = cfa
    for number, (kind, argument) in row.rules.items():
        caller[number] = _saved(kind, argument, number, cfa, registers, memory)
    back = caller.get(row.return_register)
    return cfa, caller, back


def _saved(
    kind: str,
    argument: object,
    number: int,
    cfa: int,
    registers: Mapping[int, int | None],
    memory: ReadMemory,
) -> int | None:
    match kind, argument:
        case "OFFSET", int():
            data = memory((cfa + argument) & MASK32, 4)
            return None if data is None or len(data) < 4 else int.from_bytes(data, "little")
        case "VAL_OFFSET", int():
            return (cfa + argument) & MASK32
        case "REGISTER", int():
            return registers.get(argument)
        case "SAME_VALUE", _:
            return registers.get(number)
    return None
