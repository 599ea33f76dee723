# SPDX-License-Identifier: Apache-2.0
"""The place where a tile has stopped, in words and source lines: what a failed test shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dwarf import scope
from tensix_gdb.core.dwarf.frames import Frame
from tensix_gdb.core.dwarf.types import show
from tensix_gdb.core.explain.orders import broken_lines
from tensix_gdb.gdbstub.tensix.blocked.why import party
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.tile_state import TileState

AROUND = 2  # source lines before and after
MAX_FRAMES = 12
MAX_CHARACTERS = 72  # of a value


def report(tile: TileState) -> str:
    """Return the last stop in its source, its callers and variables, and what every hart does."""
    lines: list[str] = []
    stop = tile.stop
    if stop is None:
        lines.append(f"the tile has not stopped yet (cycle {tile.cycle})")
    else:
        lines.append(f"cycle {stop.cycle}: {stop.text}")
        # A Tensix thread is where its instruction was pushed.
        frames = stop.hart.frames() if stop.thread is None else stop.hart.frames_at(stop.pc)
        lines += source_lines(stop.hart, frames)
        lines += call_stack(frames)
    for hart in tile.harts:
        lines.append(f"{hart.name:2} {_whereabouts(hart)}")
    for thread in tile.tensix:
        waiter = party(tile.machine, HARTS + thread.number)
        if waiter.does:
            lines.append(waiter.text)
    lines += broken_lines(tile.machine.S, tile.machine.places)
    return "\n".join(lines)


def source_lines(hart: Hart, frames: Sequence[Frame]) -> Iterator[str]:
    """Yield the source around the innermost frame's line, with a mark at it; nothing when it is not
    found."""
    if not frames or hart.program is None:
        return
    text = hart.program.lines(frames[0].file)
    line = frames[0].line
    for number in range(max(line - AROUND, 1), min(line + AROUND, len(text)) + 1):
        yield f"  {'->' if number == line else '  '} {number:4}  {text[number - 1]}".rstrip()


def call_stack(frames: Sequence[Frame]) -> Iterator[str]:
    """Yield the frames with their parameters, and the variables of the innermost one."""
    for number, frame in enumerate(frames[:MAX_FRAMES]):
        given = ", ".join(
            f"{name}={value}" for name, value, parameter in _values(frame) if parameter
        )
        yield f"  #{number} {frame.function} ({given}) at {frame.file}:{frame.line}"
        if number == 0:
            for name, value, parameter in _values(frame):
                if not parameter:
                    yield f"       {name} = {value}"
    if len(frames) > MAX_FRAMES:
        yield f"  and {len(frames) - MAX_FRAMES} more frames"


def _values(frame: Frame) -> Iterator[tuple[str, str, bool]]:
    for variable in scope.variables(frame):
        try:
            shown_object = scope.object_of(frame, variable)
            value = shown_object.value()
            text = f"{value:#x}" if shown_object.type.name.endswith("*") else show(value)
        except scope.NoSuchName:
            text = "<optimized out>"
        if len(text) > MAX_CHARACTERS:
            text = text[:MAX_CHARACTERS] + "..."
        yield variable.name, text, variable.parameter


def _whereabouts(hart: Hart) -> str:
    state = hart.state.split(" at ")[0]
    frames = hart.frames()
    if state == "in reset":
        return state
    place = f", {frames[0].function} at {frames[0].file}:{frames[0].line}" if frames else ""
    return f"{state}, pc {hart.pc:#010x}{place}"
