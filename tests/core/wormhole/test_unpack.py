# SPDX-License-Identifier: Apache-2.0
"""UNPACR and UNPACR_NOP of Wormhole, on both engines, against the model of the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.arch.wormhole import L1_BYTES
from tensix_gdb.core.devices.wormhole import config_words
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.pipeline import speed
from tensix_gdb.core.tensix.unpacker.target import X1, X2, X4, speed_wormhole
from tests.core.tensix.drive import fill_sources, run
from tests.core.tensix.programs import ttinsn
from tests.core.tensix.unpacker.test_unpack import BASE, DST, FACE, MODES, both, check, memory_of
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange
from tests.core.wormhole.programs import words_of
from tests.machines import machine_on

# Counters of Wormhole have eight bits of Z and W, and its 8-bit floats are e5m2.
HERE = {
    name: replace(u, piece=16)
    for name, u in MODES.items()
    if not u.e4m3 and max(*u.counters[2:], *u.out_counters[2:]) < 256
}


def _record(u: Unpack, memory: bytes) -> Record:
    record = Record(LAYOUT)
    record.S.tile.chip = WORMHOLE
    config_words.power_up(record.S)
    arrange(record.S, u)
    slot = next(slot for slot in record.layout.slots.values() if slot.path == "l1.byte")
    record.row(slot)[: len(memory)] = memory
    return record


@pytest.mark.parametrize("name", HERE)
def test_as_the_page_has_it(name: str) -> None:
    u = HERE[name]
    memory = memory_of(u)
    record = _record(u, memory)
    assert both(record, u) == 0
    check(record.S, u, memory)


@pytest.mark.parametrize("given", ["BF16", "FP32"])
def test_no_row_of_dst_by_override(given: str) -> None:
    """UNPACR_Regular.md, commit 1391ed25: Dst with SetOvrdWithAddr is undefined here too."""
    u = replace(DST, given=given, override=True)
    record = _record(u, memory_of(u))
    assert both(record, u) == Fault.UNPACK_COMBINATION
    assert not any(record.S.dst.bits[row, 0] for row in range(16))


def test_l1_ends_earlier() -> None:
    last = L1_BYTES // 16 - 32 - 1  # so that a face of 512 bytes, after its header, is the last
    for base, code in ((last, 0), (last + 1, Fault.UNPACK_ADDRESS)):
        u = replace(FACE, base=base)
        assert both(_record(u, b""), u) == code


@pytest.fixture(params=["reference", "compiled"])
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(request.param, Schedule.LATENCY, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


def ends(machine: Machine, *texts: str, thread: int = 0) -> None:
    stop = run(machine, {1 + thread: [ttinsn(word) for word in words_of(texts)]})
    assert stop is not None
    assert stop.kind.name == "ALL_PAUSED", stop.text


@pytest.mark.parametrize("name", ["face", "BFP8 to B", "to Dst, 32 bits", "tile of 32 columns"])
def test_from_the_thread(tile: Machine, name: str) -> None:
    u = replace(HERE[name], increments=(1, 2, 3, 1))
    memory = memory_of(u)
    tile.poke(0, BASE, memory[BASE:])
    S = tile.record.S
    arrange(S, u)
    ends(tile, u.text(), thread=u.thread)
    check(S, u, memory)
    assert S.busy.src_client[u.unpacker, 0] == MATRIX_OWNS


def test_nop_fills_and_hands_over(tile: Machine) -> None:
    S = tile.record.S
    fill_sources(S)
    ends(
        tile,
        "UNPACR_NOP which_unpacker=UNP0, wait_like_unpacr=1, negative_inf_src_a=1",
        "UNPACR_NOP which_unpacker=UNP1, negative_inf_src_a=1",
    )
    assert S.src.a[0, 63, 15] == 0x7FFFF
    assert S.src.b[0, 63, 15] == 0  # negative infinity is SrcA's alone
    assert S.src.a[1, 0, 0] == S.src.b[1, 0, 0] == 0x1234
    assert not S.busy.src_client[0, 0]


def test_nop_clears_its_sum(tile: Machine) -> None:
    """Accumulate with a value of 0 needs no address; others would, and no page has its bits."""
    tile.record.S.unpack.accumulator[1] = 0x1234
    ends(tile, "UNPACR_NOP.SETREG which_unpacker=UNP1, accumulate=1")
    assert tile.record.S.unpack.accumulator[1] == 0
    for text in ("value11=1", "value11=1, accumulate=1", "value11=0"):
        words = words_of([f"UNPACR_NOP.SETREG which_unpacker=UNP1, {text}"])
        stop = run(tile, {1: [ttinsn(word) for word in words]})
        assert stop is not None
        assert stop.code == Fault.UNPACK_SETREG
        assert "TDMA-RISC.md" in stop.text


def test_rareb_stops_by_name(tile: Machine) -> None:
    words = words_of(["UNPACR.Regular which_unpacker=UNP1, rareb_en=1"])
    stop = run(tile, {1: [ttinsn(word) for word in words]})
    assert stop is not None
    assert stop.code == Fault.TENSIX_WORMHOLE


def test_zeros_need_no_conversion() -> None:
    """LLK's UNPACR to SrcA after 32 bits to Dst, with the formats of those (TEN-3868)."""
    for all_zero, code in ((True, 0), (False, Fault.UNPACK_FORMAT)):
        u = replace(FACE, given="FP32", all_zero=all_zero)
        record = _record(u, b"")
        fill_sources(record.S)
        assert both(record, u) == code
        assert (record.S.src.a[0, 0, 0] == 0) == all_zero


def test_throttle_mode_is_the_speed() -> None:
    for mode, wanted in enumerate((X1, X2, X4)):
        u = replace(FACE, more={"THCON_SEC0_REG2_Throttle_mode": mode})
        record = _record(u, b"")
        assert speed_wormhole(record.S, 0, 0, 0) == wanted


@pytest.mark.parametrize(
    ("first", "second", "got"),
    # The page's table, by row: what unpacker 1 wants, then what unpacker 0 wants.
    [
        (X1, X1, (X1, X1)), (X2, X1, (X2, X1)), (X4, X1, (X4, X1)),
        (X1, X2, (X1, X2)), (X2, X2, (X1, X1)), (X4, X2, (X2, X1)),
        (X1, X4, (X1, X4)), (X2, X4, (X1, X2)), (X4, X4, (X2, X2)),
    ],
)  # fmt: skip
def test_unpackers_slow_each_other_down(first: int, second: int, got: tuple[int, int]) -> None:
    S = _record(FACE, b"").S
    S.unpack.speed[queue.oldest(S, 0)] = first
    S.unpack.speed[queue.oldest(S, 1)] = second
    found = tuple(speed(S, i, queue.oldest(S, i), 1) for i in range(2))
    assert found == got


@pytest.mark.parametrize("kind", ["FP32", "INT32"])
def test_zeros_of_32_bits_need_no_conversion(kind: str) -> None:
    """LLK puts this after its last UNPACR to Dst (TEN-3868): zeros to SrcA, formats as they are."""
    u = replace(FACE, given=kind, wanted=kind, all_zero=True, flip=False)
    memory = memory_of(replace(u, given="FP32", wanted="TF32"))
    record = _record(u, memory)
    for row in range(64):
        record.S.src.a[0, row, 5] = 0x12345
    assert both(record, u) == 0
    assert [int(record.S.src.a[0, row, 5]) for row in (0, 15, 16)] == [0, 0, 0x12345]
    record = _record(replace(u, all_zero=False), memory)
    assert both(record, replace(u, all_zero=False)) == Fault.UNPACK_FORMAT
