# SPDX-License-Identifier: Apache-2.0
"""Reads of L1 by an unpacker or the packer are seen byte by byte before they begin, of compressed
tiles too: their length is in their data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tensix_gdb.core.debug.gate_breakpoints import GateWatch
from tensix_gdb.core.debug.l1_ranges import Range
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind, WatchKind
from tensix_gdb.core.tensix.unpacker import pipeline as unpack_run
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker import start as unpack_start
from tests.core.tensix.drive import start
from tests.core.tensix.packer.packer import BF16, THREAD, formats, x_end
from tests.core.tensix.unpacker.test_unpack import BASE, MODES, memory_of, prepared
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange
from tests.machines import machine_on

ENOUGH = 4000
Prepare = Callable[[Machine], tuple[str, int]]


def seen(prepare: Prepare, first: int, size: int = 1) -> str:
    """Return what a watch of reads of these bytes says; empty if nothing reads them. What runs ends
    as it does without the watch."""
    plain, watched = (machine_on("reference", Schedule.LATENCY) for _ in range(2))
    for machine in (plain, watched):
        text, thread = prepare(machine)
        start(machine, text, thread=thread)
    ranges = (Range(first, first + size, WatchKind.READ),)
    watched.gates.add_watch(GateWatch("it", (), ranges=ranges, kind=WatchKind.READ))
    said = ""
    while plain.run(ENOUGH) is not None and plain.S.tensix.active:
        pass
    while (stop := watched.run(ENOUGH)) is not None:
        if stop.kind is StopKind.WATCH:
            said = said or stop.text
        elif not watched.S.tensix.active:
            break
    assert watched.hash() == plain.hash(), "a stop changes nothing"
    plain.close()
    watched.close()
    return said


def unpacking(u: Unpack) -> Prepare:
    def prepare(machine: Machine) -> tuple[str, int]:
        machine.poke(0, BASE, bytes(memory_of(u)[BASE:]))
        arrange(machine.S, u)
        return u.text(), u.thread

    return prepare


def begin(S: View, u: Unpack) -> int:
    """Let the UNPACR calculate its addresses; 0 or a fault."""
    modes = queue.FLIP if u.flip else 0
    at = (u.context, u.adc_thread, int(u.multi), modes, int(u.row_search))
    return unpack_start.start(S, u.thread, u.unpacker, 0, *at)


def span(u: Unpack) -> tuple[int, int, int, int]:
    """The first and the last byte of the datums that an UNPACR reads, and of their counters."""
    S = prepared(u, bytes(memory_of(u))).S
    j = u.unpacker * queue.DEPTH
    assert begin(S, u) == 0
    found = [int(S.unpack.data[j]) >> 3, int(S.unpack.deltas[j]) >> 1]
    while S.unpack.count[u.unpacker]:
        assert unpack_run.step(S) >= 0
    # What follows the last group of 32 is its counters, or 16 bytes further on.
    last = [(int(S.unpack.data[j]) - 1) >> 3, (int(S.unpack.deltas[j]) - 1) >> 1]
    return found[0], last[0], found[1], last[1]


COMPRESSED = [
    name
    for name, u in MODES.items()
    if u.compressed and not u.all_zero and max(u.counters[2:]) < 256
]


@pytest.mark.parametrize("name", COMPRESSED)
def test_a_compressed_tile_is_seen_to_its_end(name: str) -> None:
    """Its first and its last datum, and their counters; not what follows them."""
    u = MODES[name]
    prepare = unpacking(u)
    first, last, zeros, last_zeros = span(u)
    for at in (first, last, zeros, last_zeros):
        assert "read by UNPACR" in seen(prepare, at), at
    assert not seen(prepare, last_zeros + 1, 15 - last_zeros % 16)
    assert not seen(prepare, first - 1) or zeros < first


def test_a_tile_is_seen_to_its_end() -> None:
    u = MODES["face"]
    first, last, _, _ = span(u)
    assert "read by UNPACR" in seen(unpacking(u), first)
    assert "read by UNPACR" in seen(unpacking(u), last)
    assert not seen(unpacking(u), last + 1, 64)
    assert not seen(unpacking(replace(u, all_zero=True)), first, last - first)


def test_exponents_are_seen() -> None:
    u = MODES["BFP8 to B"]
    S = prepared(u, bytes(memory_of(u))).S
    assert begin(S, u) == 0
    first = int(S.unpack.exponents[u.unpacker * queue.DEPTH]) >> 4
    count = (u.out_counters[0] + 1) // 16  # a byte for each 16 datums
    assert "1 byte at" in (said := seen(unpacking(u), first)), said
    assert "read by UNPACR" in seen(unpacking(u), first + count - 1)
    assert not seen(unpacking(u), first + count)


def test_the_packer_from_l1() -> None:
    """PACR with Source_interface_selection: three datums of BF16 of L1."""

    def prepare(machine: Machine) -> tuple[str, int]:
        selected = {
            "THCON_SEC0_REG1_Source_interface_selection": 1,
            "THCON_SEC0_REG1_L1_source_addr": 1,
            "PCK0_ADDR_BASE_REG_0_Base": 0x120,
        }
        formats(machine, BF16, BF16, **selected)
        x_end(machine, 2)
        return "PACR read_intf_sel=R0, last=1", THREAD

    at = 0x40120
    assert f"2 bytes at {at + 4:#x} read by PACR" in seen(prepare, at + 4, 2)
    assert not seen(prepare, at + 6, 10)
    assert not seen(prepare, at - 2, 2)
