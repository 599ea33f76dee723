# SPDX-License-Identifier: Apache-2.0
"""Running and stepping in slices: generators that give None after each slice, and last the stop.

They are synchronous and know no event loop: `Tile` runs them to their end at once, `AsyncTile` lets
other tasks run between two slices. A hart that has paused at its ebreak stays there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dwarf.frames import Frame
from tensix_gdb.core.dwarf.lines import Row
from tensix_gdb.core.stop import Stop as MachineStop
from tensix_gdb.gdbstub.tensix.blocked.why import describe_stop
from tensix_gdb.gdbstub.testing.breakpoint import armed_numbers
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.program import NoSuchPlace
from tensix_gdb.gdbstub.testing.report import report
from tensix_gdb.gdbstub.testing.stop import REASONS, NotStopped, Stop
from tensix_gdb.gdbstub.testing.tile_state import TileState

__tracebackhide__ = True  # pytest shows the test's own line

CYCLES = 10_000_000  # after which a run is taken for one that does not end
SLICE = 1 << 20  # cycles between two looks at whether the engine has moved up

Slices = Iterator[Stop | None]


def running(tile: TileState, cycles: int = CYCLES, *, fresh: bool = True) -> Slices:
    """Run until a stop; NotStopped after so many cycles. `fresh` forgets armed steps."""
    machine = tile.machine
    tile.begin_run()
    if fresh:
        machine.disarm()
    for hart in range(HARTS):
        if not machine.S.hart.paused[hart]:
            machine.resume_from(hart)
    end = tile.cycle + cycles
    while tile.cycle < end:
        machine.engine.poll()
        stop = machine.run(min(SLICE, end - tile.cycle))
        tile.end_run(is_unfinished=stop is None and tile.cycle < end)
        if stop is None:
            yield None
        elif _wanted(tile, stop):
            tile.stop = _stop(tile, stop)
            yield tile.stop
            return
        else:
            machine.resume_from(stop.hart)
            tile.begin_run()
    raise NotStopped(f"nothing stopped the tile in {cycles} cycles\n{report(tile)}")


def _wanted(tile: TileState, stop: MachineStop) -> bool:
    """True if a breakpoint with a true condition, or anything but a breakpoint, wants this stop."""
    armed = armed_numbers(tile.machine, stop)
    applying = [breakpoint for breakpoint in tile.breakpoints if breakpoint.applies(stop, armed)]
    subject = tile.harts[stop.hart] if stop.thread is None else tile.tensix[stop.thread]
    try:
        holding = [breakpoint for breakpoint in applying if breakpoint.holds(subject)]
    except Exception:
        tile.stop = _stop(tile, stop)  # a condition that fails is reported where it was asked
        raise
    for breakpoint in holding:
        breakpoint.hits += 1
    return bool(holding) or not applying


def _stop(tile: TileState, stop: MachineStop) -> Stop:
    stop = describe_stop(tile.machine, stop)
    hart = tile.harts[stop.hart]
    frames = hart.frames() if stop.thread is None else hart.frames_at(stop.pc)
    function, file, line = "", "", 0
    if frames:
        function, file, line = frames[0].function, frames[0].file, frames[0].line
    reason = REASONS[stop.kind]
    place = (function, file, line)
    thread = None if stop.thread is None else tile.tensix[stop.thread]
    return Stop(reason, hart, stop.pc, tile.cycle, stop.text, *place, stop.addr, thread)


def to(tile: TileState, place: str | int, hart: str | int | Hart | None, cycles: int) -> Slices:
    """Run to a place; NotStopped when something else stops the tile."""
    target = tile.break_at(place, hart=hart)
    try:
        for stop in running(tile, cycles):
            if stop is not None and not target.hits:
                raise NotStopped(f"the tile did not get to {place}\n{report(tile)}")
            yield stop
    finally:
        tile.delete(target)


def to_end(tile: TileState, harts: Sequence[Hart], cycles: int) -> Slices:
    """Run until these harts have paused, or no hart issues when none is named; NotStopped when
    anything but an ebreak or ecall comes first. The stop is that of the last one."""
    paused = tile.machine.S.hart.paused
    end = tile.cycle + cycles
    while True:
        for stop in running(tile, max(end - tile.cycle, 1)):
            if stop is None:
                yield None
        assert tile.stop is not None
        if tile.stop.reason not in ("ebreak", "ecall", "idle"):
            raise NotStopped(f"the programs did not come to their ends\n{report(tile)}")
        if tile.machine.idle() or (harts and all(paused[hart.number] for hart in harts)):
            yield tile.stop
            return


def steps(tile: TileState, hart: Hart, count: int) -> Slices:
    """Let a hart execute so many instructions."""
    for left in range(count, 0, -1):
        tile.machine.disarm()
        tile.machine.step(hart.number)
        for stop in running(tile, fresh=False):
            if stop is None:
                yield None
            elif left == 1 or stop.reason != "step":
                yield stop
                return


def line(tile: TileState, hart: Hart, *, over: bool) -> Slices:
    """Let a hart go to the beginning of another line, as GDB's `step` and `next` do; `over` what
    it calls, inlined functions included."""
    if hart.program is None:
        raise NoSuchPlace(f"{hart.name} has no program, so no lines")
    lines = hart.program.info.lines
    here, outer = lines.at(hart.pc), hart.frames()
    while True:
        tile.machine.disarm()
        tile.machine.step(hart.number, *lines.range_at(hart.pc))
        for stop in running(tile, fresh=False):
            if stop is None:
                yield None
            elif stop.reason != "step":
                yield stop
                return
        row, frames = lines.at(hart.pc), hart.frames()
        called = _has_called(outer, frames)
        if called and (over or row is None):
            # What it called is one more piece of the same line.
            for stop in returning(tile, hart, CYCLES):
                if stop is None:
                    yield None
                elif stop.reason != "step":
                    yield stop
                    return
            row, frames = lines.at(hart.pc), hart.frames()
        elif called or (row is None and len(frames) < 2):
            yield from _into(tile, hart)
            return
        if row is None or (over and _is_inlined_into(outer, frames)):
            continue
        begins = row.addr == hart.pc and not _same_line(row, here)
        if begins and row.statement:
            yield tile.stop
            return
        # Code of another line that is no beginning of a statement is run through. Where the
        # hart came into the middle of a line, or back into a caller, that line is left next.
        if not begins or frames[0].cfa != outer[0].cfa:
            here, outer = row, frames


def _same_line(row: Row, other: Row | None) -> bool:
    return other is not None and (row.file, row.line) == (other.file, other.line)


def _is_inlined_into(outer: Sequence[Frame], frames: Sequence[Frame]) -> bool:
    """True if these are the frames of `outer` with functions inlined into its innermost one."""
    more = len(frames) - len(outer)
    return more > 0 and bool(outer) and frames[more].cfa == frames[0].cfa == outer[0].cfa


def _into(tile: TileState, hart: Hart) -> Slices:
    """After a step into a function, run to the end of its prologue."""
    function = hart.program.info.function_at(hart.pc) if hart.program else None
    if function is None or hart.program is None or function.low != hart.pc:
        yield tile.stop
        return
    second_line = hart.program.info.second_line(function)
    if second_line == hart.pc:
        yield tile.stop
        return
    tile.machine.disarm()
    tile.machine.step(hart.number, hart.pc, second_line)
    yield from running(tile, fresh=False)


def returning(tile: TileState, hart: Hart, cycles: int) -> Slices:
    """Let a hart return to its caller. The stop's reason is "step" when it did."""
    frames = _real(hart.frames())
    if len(frames) < 2:
        raise NoSuchPlace(f"{hart.name}: nothing is known of a caller here")
    inner = frames[0].cfa

    def returned(there: Hart) -> bool:
        # A deeper recursion passes the same address with a lower stack.
        return inner is None or there.registers["sp"] >= inner

    target = tile.break_at(frames[1].pc, hart=hart, when=returned)
    try:
        for stop in running(tile, cycles):
            if stop is not None and stop.hart is hart and target.hits:
                stop = tile.stop = _as_step(tile, stop)
            yield stop
    finally:
        tile.delete(target)


def _real(frames: Sequence[Frame]) -> list[Frame]:
    """Frames without those of inlined functions, which have no return address."""
    return [frame for frame in frames if not frame.blocks or not frame.blocks[0].inlined]


def _as_step(tile: TileState, stop: Stop) -> Stop:
    at = [
        breakpoint
        for breakpoint in tile.breakpoints
        if (stop.hart.number, stop.pc) in breakpoint.addresses
    ]
    if len(at) > 1:
        return stop  # a breakpoint of the test's own is there too
    return replace(stop, reason="step", text=stop.text.replace(": breakpoint", ": step done"))


def _has_called(outer: Sequence[Frame], frames: Sequence[Frame]) -> bool:
    """True if the hart is now in a function that the frame `outer[0]` has called."""
    before, now = _real(outer), _real(frames)
    if not before or len(now) < 2:
        return False
    return now[0].cfa != before[0].cfa and any(frame.cfa == before[0].cfa for frame in now[1:])
