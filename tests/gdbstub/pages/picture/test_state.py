# SPDX-License-Identifier: Apache-2.0
"""A picture says what `monitor` says at the same moment, and taking it changes nothing."""

from __future__ import annotations

import json
from random import Random

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, L1_BYTES, LOCAL_BASE, THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.regfiles import src
from tensix_gdb.gdbstub.pages.picture.state import Picture, as_json, take_picture
from tensix_gdb.gdbstub.tensix.blocked.why import monitor_why
from tensix_gdb.gdbstub.tensix.glance.dst_rows import letter
from tensix_gdb.gdbstub.tensix.monitor.dst import monitor_dst, monitor_vector
from tensix_gdb.gdbstub.tensix.monitor.frontend import monitor_fifo
from tensix_gdb.gdbstub.tensix.monitor.order import monitor_order
from tensix_gdb.gdbstub.tensix.monitor.shared_state import monitor_mutex, monitor_sem
from tensix_gdb.gdbstub.tensix.monitor.src import monitor_src
from tests.gdbstub.pages.picture.conftest import Recorded

STOPS = 12
ROWS_AT_ONCE = 64


def test_it_equals_what_monitor_says(recorded: Recorded) -> None:
    """At random cycles of a kernel with all units at work, and whenever others are at work."""
    history, machine = recorded.history, recorded.machine
    random = Random(1)
    first = cycles_with_others_at_work(recorded)
    assert {"T1 math", "T2 pack", "unpacker 0", "Matrix Unit"} <= frozenset().union(*first)
    for cycle in [random.randrange(1, history.end.cycle) for _ in range(STOPS)] + [*first.values()]:
        assert history.to_cycle(cycle)
        before = machine.hash()
        picture = take_picture(machine, "a stop")
        assert machine.hash() == before
        check(machine, picture)


def cycles_with_others_at_work(recorded: Recorded) -> dict[frozenset[str], int]:
    """For all that wait or work at the same time: such a cycle, of those that are looked at."""
    found: dict[frozenset[str], int] = {}
    for cycle in range(1, recorded.history.end.cycle, 3):
        assert recorded.history.to_cycle(cycle)
        picture = take_picture(recorded.machine)
        names = {thread.name for thread in picture.threads if thread.does and not thread.moves}
        names |= {unit.name for unit in picture.units if unit.threads}
        found.setdefault(frozenset(names), cycle)
    return found


def check(machine: Machine, picture: Picture) -> None:
    """Each part of the picture against the text of a command."""
    assert (picture.cycle, picture.ending) == (machine.S.tile.cycle, "a stop")
    assert json.loads(json.dumps(as_json(picture)))["harts"][1]["name"] == "T0"
    why, order = monitor_why(machine, 0, []), monitor_order(machine, 0, [])
    for hart in range(HARTS):
        state = picture.harts[hart]
        assert (state.name, state.pc) == (HART_NAMES[hart], machine.read_pc(hart))
        assert state.instructions == machine.S.hart.retired[hart]
        assert not state.does or f"{state.name}: {state.does}\n" in why
        assert all(f"{line}\n" in order for line in state.under_way)
    lines = [line for line in order.splitlines() if line.split("  ")[0] in HART_NAMES]
    assert lines == [line for hart in picture.harts for line in hart.under_way]
    for number in range(THREADS):
        thread = picture.threads[number]
        assert not thread.does or f"{thread.name}: {thread.does}\n" in why
        fifos = monitor_fifo(machine, 6 + number, [])
        for fifo in thread.fifos:
            assert f"FIFO {fifo.name}, " in fifos
            assert f": {fifo.count} of {fifo.capacity}\n" in fifos
            assert len(fifo.waiting) == fifo.count
            assert all(f"  {one.split(', ')[0]}" in fifos for one in fifo.waiting)
        assert not thread.gate or f"  {thread.gate}  pushed by" in fifos
        seen = f"C10 would wait: {thread.c10} requests of T{number}\n"
        assert (seen in order) == bool(thread.c10)
    rows = monitor_sem(machine, 0, []).splitlines()[1:]
    for semaphore, row in zip(picture.semaphores, rows, strict=True):
        wanted = [str(semaphore.number), str(semaphore.value), str(semaphore.max)]
        assert row.split()[:3] == wanted
        assert all(name in row for name in semaphore.waiting)
        assert semaphore.waiting or len(row.split()) == 3
    holders = [line.split()[1] for line in monitor_mutex(machine, 0, []).splitlines()[1:]]
    assert [mutex.holder or "none" for mutex in picture.mutexes] == holders
    sources = monitor_src(machine, 0, []).splitlines()
    for bank, line in zip(picture.banks, sources, strict=True):
        assert line.startswith(f"{bank.name.replace(' ', ' bank ')}: the {bank.client}'")
        assert ("where" in line) == bool(bank.pointed_at_by)


def test_lanes_are_as_monitor_shows_them(recorded: Recorded) -> None:
    machine = recorded.machine
    assert recorded.history.to_cycle(1)
    values = (0x7FC00000, 0xFF800000, 0x80000000, 0x3F800000, 1, 0x7F000000, 0xC0000000)
    for lane, value in enumerate(values):
        machine.S.vector.lreg[5, lane] = value
    lanes = take_picture(machine).lregs[5 * 32 :][: len(values)]
    assert lanes == "NI0maz" + "n"
    text = monitor_vector(machine, 0, ["5"]).splitlines()[1].split()[2:]
    assert text[: len(values)] == ["nan", "-inf", "-0", "1", "den", "1.701e+38", "-2"]
    assert recorded.history.to_cycle(1)


def test_the_map_of_memory(recorded: Recorded) -> None:
    """Every letter, against the bytes there and against what programs and stack pointers say."""
    machine, random = recorded.machine, Random(2)
    seen: set[str] = set()
    for _ in range(10):
        assert recorded.history.to_cycle(random.randrange(1, recorded.history.end.cycle))
        picture = take_picture(machine)
        assert len(picture.l1) == L1_BYTES // 1024
        for cell, kind in enumerate(picture.l1):
            start, end = cell * 1024, cell * 1024 + 1024
            there = [r.kind for r in picture.regions if r.start < end and r.end > start]
            data = machine.peek(0, start, 1024)
            assert kind == (there[-1] if there else "d" if any(data) else "."), hex(start)
        for hart, letters in enumerate(picture.local):
            pointer = machine.read_x(hart, 2)
            for cell, kind in enumerate(letters):
                start = LOCAL_BASE + cell * 128
                data = machine.peek(hart, start, 128)
                on_stack = not machine.S.hart.in_reset[hart] and pointer < start + 128
                on_stack = on_stack and pointer >= LOCAL_BASE
                assert kind == ("s" if on_stack else "d" if any(data) else ".")
        seen |= {*picture.l1, *"".join(picture.local)}
    assert {"1", "2", "3", "d", ".", "s"} <= seen
    assert recorded.history.to_cycle(1)


def test_dst_is_as_monitor_shows_it(recorded: Recorded) -> None:
    """At the end: a product in tile 0, nothing after it; and with values put there."""
    machine = recorded.machine
    assert recorded.history.to_cycle(recorded.history.end.cycle)
    check_dst(machine)
    row_with(machine, 3, 0x00FF | 1 << 8)  # NaN
    row_with(machine, 4, 0x80FF)  # minus infinity
    row_with(machine, 5, 0x8000)  # minus zero, the other columns have values
    machine.S.dst.undefined[6] = 1
    picture = take_picture(machine)
    assert (picture.dst[3], picture.dst[4], picture.dst[6]) == ("N", "I", "!")
    check_dst(machine)
    assert recorded.history.to_cycle(1)


def test_source_banks_are_as_monitor_shows_them(recorded: Recorded) -> None:
    """In each format that a bank may have: numbers, infinity, NaN, the largest of a row."""
    machine = recorded.machine
    assert recorded.history.to_cycle(400)
    seen = {letter for bank in take_picture(machine).banks for letter in bank.rows}
    assert seen > {"0"}
    random = Random(3)
    for number in (Format.BF16, Format.TF32, Format.FP16, Format.INT8, Format.INT16):
        machine.S.src.format[1, 1] = number
        for row in range(src.ROWS):
            for column in range(src.COLUMNS):
                kept = random.random() < 0.1
                machine.S.src.b[1, row, column] = random.randrange(1 << 19) if kept else 0
        machine.S.src.b[1, 5, 3] = 0xFF  # infinite, or a small integer
        machine.S.src.b[1, 6, 3] = 0x3FF1F  # of FP16 what the coprocessor has for infinity
        letters = take_picture(machine).banks[3].rows
        lines = monitor_src(machine, 0, ["b", "1"]).splitlines()
        rows = [line.split() for line in lines if line.strip()[:1].isdigit() and "zero" not in line]
        assert len(rows) > 30
        for row, *columns in rows:
            words = {column.lstrip("-") for column in columns}
            if words != {"0"} and words <= {"0", "den"}:
                assert letters[int(row)] == "a"
            else:
                assert letters[int(row)] == wanted_letter(columns), (number.name, columns)
    assert recorded.history.to_cycle(1)


def row_with(machine: Machine, row: int, datum: int) -> None:
    """Put a datum of Dst16b into column 2."""
    machine.S.dst.bits[row, 2] = datum


def check_dst(machine: Machine) -> None:
    picture = take_picture(machine)
    assert picture.dst_format == "bf16"
    for first in range(0, len(picture.dst), ROWS_AT_ONCE):
        text = monitor_dst(machine, 0, [f"{first}-{first + ROWS_AT_ONCE - 1}"])
        for line in text.splitlines()[2:]:
            row, *columns = line.split()
            assert picture.dst[int(row)] == wanted_letter(columns)


def wanted_letter(columns: list[str]) -> str:
    """From the text of a row."""
    if "undef" in columns:
        return "?" if set(columns) == {"undef"} else "!"
    words = {column.lstrip("-") for column in columns}
    if "nan" in words:
        return "N"
    if "inf" in words:
        return "I"
    if words == {"0"}:
        return "0"
    largest = max(abs(float(word)) for word in words if word != "den")
    exponent = 0
    while 2.0 ** (exponent + 1 - 127) <= largest:
        exponent += 1
    return chr(ord("a") + min(max((exponent - 102) // 2, 0), 25))


def test_a_row_of_32_bits() -> None:
    """The low halves tell NaN from infinity, and zero from a denormal."""
    zeros = bytes(32)
    infinite = b"\xff\x00" + bytes(30)
    assert letter(infinite, zeros) == "I"
    assert letter(infinite, b"\x01" + bytes(31)) == "N"
    assert letter(zeros, zeros) == "0"
    assert letter(zeros, b"\x01" + bytes(31)) == "a"
