# SPDX-License-Identifier: Apache-2.0
"""When an unpacker does what: occupancy, the gate, the bank, L1 read over time. And its faults."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tensix_gdb.core.arch.blackhole import L1_BYTES, T0
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS, UNPACKERS_OWN
from tensix_gdb.core.tensix.unpacker.queue import DEPTH
from tests.core.tensix.drive import advance, ends, fill_sources, refused, start
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange, put

TILE = Unpack(dims=(1024, 1, 1, 1), out_counters=(1023, 0, 0, 0))


def cycles_busy(machine: Machine, *texts: str, unpacker: int = 0, thread: int = 0) -> int:
    """Cycles in which the unpacker has instructions."""
    start(machine, *texts, thread=thread)
    busy = 0
    for _ in range(3000):
        machine.run(1)
        busy += 1 if machine.record.S.busy.unpacker[unpacker, thread] else 0
        if busy and not machine.record.S.tensix.active:
            return busy
    raise AssertionError("it never ends")


# It begins in the first of two cycles of addresses; eight more, then so many bytes in each.
BEFORE = 9


@pytest.mark.parametrize(
    ("u", "more", "fetching"),
    [
        (TILE, {}, 2048 // 128),
        (replace(TILE, given="FP32", wanted="TF32"), {}, 4096 // 128),
        (replace(TILE, given="BFP8"), {}, 1024 // 128),
        (replace(TILE, given="BFP4"), {}, 512 // 64),
        (replace(TILE, given="BFP2"), {}, 256 // 16),
        (TILE, {"REG1_ovrd_default_throttle_mode": 1}, 2048 // 16),
        (TILE, {"REG1_ovrd_default_throttle_mode": 1, "REG2_Throttle_mode": 1}, 2048 // 32),
        (TILE, {"REG1_ovrd_default_throttle_mode": 1, "REG2_Throttle_mode": 2}, 2048 // 64),
        (replace(TILE, upsample=1, out_counters=(511, 0, 0, 0)), {}, 1024 // 32),
        (replace(TILE, upsample=2, out_counters=(255, 0, 0, 0)), {}, 512 // 16),
        (replace(TILE, out_counters=(0, 0, 0, 0)), {}, 1),
    ],
    ids=lambda v: "" if isinstance(v, Unpack) else str(v),
)
def test_occupied(timed: Machine, u: Unpack, more: dict[str, int], fetching: int) -> None:
    arrange(timed.record.S, u)
    for name, value in more.items():
        put(timed.record.S, f"THCON_SEC0_{name}", value)
    assert cycles_busy(timed, u.text()) == BEFORE + fetching


def test_back_to_back_is_a_pipeline(timed: Machine) -> None:
    u = replace(TILE, flip=False)
    arrange(timed.record.S, u)
    assert cycles_busy(timed, u.text(), u.text()) == BEFORE + 2 * 16


def test_unpackers_slow_each_other_down(timed: Machine) -> None:
    """Both want 128 bytes in a cycle and get half of it each."""
    a, b = TILE, replace(TILE, unpacker=1, thread=1, adc_thread=1)
    arrange(timed.record.S, a)
    arrange(timed.record.S, b)
    start(timed, b.text(), thread=1)
    alone = cycles_busy(timed, a.text())
    assert BEFORE + 2048 // 128 < alone <= BEFORE + 2048 // 64


def test_the_thread_waits_for_the_addresses_and_the_others_unpacr_too(timed: Machine) -> None:
    S = timed.record.S
    for thread in range(2):
        arrange(S, replace(TILE, thread=thread, adc_thread=thread, unpacker=thread))
    start(timed, replace(TILE, adc_thread=0).text(), "SETC16 0, 0")
    start(timed, replace(TILE, adc_thread=1, unpacker=1).text(), thread=1)
    held = [set(), set()]
    for _ in range(60):
        timed.run(1)
        for thread in range(2):
            held[thread].add(int(S.gate.held[thread]))
    assert Held.OWN_UNPACKER in held[0] or Held.OWN_UNPACKER in held[1]
    assert Held.UNIT in held[0] | held[1]


def test_so_many_wait_in_the_unpacker_and_no_more(timed: Machine) -> None:
    S = timed.record.S
    u = replace(TILE, flip=False)
    arrange(S, u)
    S.busy.src_client[0, 0] = MATRIX_OWNS
    start(timed, *[u.text()] * (DEPTH + 2))
    advance(timed, 200)
    assert S.busy.unpacker[0, 0] == S.unpack.count[0] == DEPTH
    assert S.gate.held[0] == Held.UNIT
    S.busy.src_client[0, 0] = UNPACKERS_OWN
    advance(timed, 400)
    assert S.busy.unpacker[0, 0] == S.unpack.count[0] == 0


def test_it_starts_and_waits_for_its_bank(timed: Machine) -> None:
    """C1 waits with it, C5 says why."""
    S = timed.record.S
    arrange(S, TILE)
    timed.poke(0, (TILE.base + 1) * 16, bytes([0x80, 0x3F] * 1024))
    S.busy.src_client[0, 0] = MATRIX_OWNS
    start(
        timed,
        TILE.text(),
        "STALLWAIT block_mask=B5, condition_mask=C1",
        "SETDMAREG new_value=1, result_half_reg=0",
    )
    advance(timed, 300)
    assert S.busy.unpacker[0, 0] == 1
    assert S.gate.held[0] == Held.LATCHED_WAIT
    assert S.src.a[0, 0, 0] == 0
    S.busy.src_client[0, 0] = UNPACKERS_OWN
    advance(timed, 100)
    assert S.src.a[0, 63, 15] == 0x7F
    assert S.gate.held[0] == Held.NOT


def test_l1_is_read_over_time(timed: Machine) -> None:
    """A store meanwhile is seen by what is read after it."""
    S = timed.record.S
    u = replace(TILE, more={"THCON_SEC0_REG1_ovrd_default_throttle_mode": 1})
    arrange(S, u)
    timed.images.clear()
    start(timed, u.text())
    while S.src.a[0, 20, 0] == 0 and S.unpack.done[S.unpack.head[0]] < 16 * 20:
        timed.run(1)
    timed.poke(0, (u.base + 1) * 16, bytes([0x80, 0x3F] * 1024))
    advance(timed, 400)
    rows = [row for row in range(64) if S.src.a[0, row, 15]]
    assert rows == list(range(rows[0], 64))
    assert 18 <= rows[0] <= 24


# -- what is undefined
FACE = Unpack()
DST = replace(FACE, to_dst=True, override=False)
# fmt: off
FAULTS: list[tuple[Fault, Unpack]] = [
    (Fault.UNPACK_CONTEXT, replace(FACE, unpacker=1, context=2)),
    (Fault.UNPACK_CONTEXT, replace(FACE, adc_thread=3)),
    (Fault.UNPACK_FORMAT, replace(FACE, given="BF16", wanted="FP32")),
    (Fault.UNPACK_FORMAT, replace(FACE, given="FP32", wanted="FP32")),
    (Fault.UNPACK_FORMAT, replace(FACE, given="TF32")),
    (Fault.UNPACK_FORMAT, replace(FACE, given="INT32")),
    (Fault.UNPACK_FORMAT, replace(DST, given="FP32", wanted="INT32")),
    (Fault.UNPACK_FORMAT, replace(FACE, given="BFP8", wanted="BFP4")),
    (Fault.UNPACK_FORMAT, replace(FACE, given="BFP4", wanted="BFP2")),
    (Fault.UNPACK_FORMAT, replace(FACE, given="BFP4a", wanted="BFP8a")),
    (Fault.UNPACK_FORMAT, replace(DST, given="BFP4", wanted="BFP8")),
    (Fault.UNPACK_ADDRESS, replace(FACE, base=L1_BYTES // 16 - 16)),
    (Fault.UNPACK_ADDRESS, replace(FACE, given="BFP8", base=L1_BYTES // 16 - 20)),
    (Fault.UNPACK_ADDRESS, replace(FACE, base=0xFFFFFFFE, counters=(0, 1000, 0, 0), limit=0)),
    (Fault.UNPACK_ADDRESS, replace(FACE, limit=0x1008, fifo_size=0x1FFFF)),
    (Fault.UNPACK_ADDRESS, replace(FACE, compressed=True, base=L1_BYTES // 16)),
    (Fault.UNPACK_RANGE, replace(FACE, counters=(2, 0, 0, 0), out_counters=(0, 0, 0, 0))),
    (Fault.UNPACK_ALIGNMENT, replace(FACE, haloize=True, counters=(4, 0, 0, 0))),
    (Fault.UNPACK_ALIGNMENT, replace(FACE, tileize=True, counters=(4, 0, 0, 0))),
    (Fault.UNPACK_ALIGNMENT, replace(FACE, strides=(1, 0, 0), out_counters=(255, 1, 0, 0))),
    (Fault.UNPACK_COMBINATION, replace(FACE, tileize=True, upsample=1)),
    (Fault.UNPACK_COMBINATION, replace(FACE, tileize=True, compressed=True)),
    (Fault.UNPACK_COMBINATION, replace(DST, haloize=True)),
    (Fault.UNPACK_COMBINATION, replace(DST, shifts=(1, 0, 0, 0))),
    (Fault.UNPACK_COMBINATION, replace(DST, override=True)),
    (Fault.UNPACK_ROW, replace(FACE, override=False, dest=80)),
]
# fmt: on


@pytest.mark.parametrize(("code", "u"), FAULTS, ids=lambda v: getattr(v, "name", ""))
def test_undefined_stops_before_it_starts(machine: Machine, code: Fault, u: Unpack) -> None:
    S = machine.record.S
    if u.adc_thread < 3 and u.context < 8:
        arrange(S, u)
    before = [[S.adc.value[0, 0, c, a] for c in range(2)] for a in range(4)]
    stop = refused(machine, replace(u, increments=(1, 1, 1, 1)).text())
    assert stop.code == code
    assert "UNPACR" in stop.text
    assert S.unpack.count[u.unpacker] == S.busy.unpacker[u.unpacker, 0] == 0
    assert [[S.adc.value[0, 0, c, a] for c in range(2)] for a in range(4)] == before


def test_a_broadcast_is_on_no_page(machine: Machine) -> None:
    stop = refused(machine, "UNPACR.Regular which_unpacker=UNP1, srcb_bcast=1")
    assert stop.code == Fault.UNPACK_BROADCAST


@pytest.mark.parametrize("to_dst", [False, True])
def test_an_exponent_that_does_not_fit_stops_in_the_middle(machine: Machine, to_dst: bool) -> None:
    """Row 2 of the face has it; the thread is elsewhere by then. Going on drops the rest."""
    u = replace(DST if to_dst else FACE, given="BFP8a")
    arrange(machine.record.S, u)
    at = (u.base + 1) * 16
    machine.poke(0, at, bytes([20, 20, 32] + [20] * 61))
    machine.poke(0, at + 64, bytes([0x40] * 1024))
    stop = refused(machine, u.text(), "SETDMAREG new_value=7, result_half_reg=2")
    assert (stop.code, stop.hart, stop.thread) == (Fault.UNPACK_EXPONENT, T0, 0)
    S = machine.record.S
    assert S.unpack.done[S.unpack.head[0]] == 32
    machine.faults.set("all=ignore")
    machine.run(100)
    assert S.unpack.count[0] == S.busy.unpacker[0, 0] == 0
    assert S.gpr.half[2] == 7


def test_compressed_data_that_leave_l1(machine: Machine) -> None:
    u = replace(FACE, compressed=True, base=L1_BYTES // 16 - 40, counters=(1, 0, 0, 0))
    arrange(machine.record.S, replace(u, out_counters=(4095, 0, 0, 0)))
    stop = refused(machine, u.text())
    assert stop.code == Fault.UNPACK_ADDRESS
    assert machine.record.S.unpack.count[0] == 1


def test_compressed_data_for_too_many_rows(machine: Machine) -> None:
    u = replace(FACE, compressed=True, override=False, counters=(1, 0, 0, 0))
    S = machine.record.S
    arrange(S, replace(u, out_counters=(4095, 0, 0, 0)))
    fill_sources(S)
    stop = refused(machine, u.text())
    assert stop.code == Fault.UNPACK_ROW
    changed = {row for row in range(64) for c in range(16) if S.src.a[0, row, c] != 0x1234}
    assert changed == set(range(16)), "all that there is room for, and nothing behind it"


# -- SoftReset.md
SOFT_RESET_0 = 0xFFB121B0


def set_reset(machine: Machine, bits: int) -> None:
    """Write SOFT_RESET_0 as the host does, but for the harts, which stay as they are."""
    harts = machine.record.S.tile_control.soft_reset & 0x47800
    machine.poke(0, SOFT_RESET_0, (harts | bits).to_bytes(4, "little"))


def test_a_soft_reset_ends_what_the_unpackers_do(timed: Machine) -> None:
    S = timed.record.S
    u = replace(TILE, flip=False)
    arrange(S, u)
    S.busy.src_client[0, 0] = MATRIX_OWNS
    start(timed, *[u.text()] * 3)
    advance(timed, 100)
    assert S.busy.unpacker[0, 0] == 3
    set_reset(timed, 0x83)
    assert S.busy.unpacker[0, 0] == S.unpack.count[0] == 0
    timed.images.clear()
    start(timed, u.text())
    advance(timed, 100)
    assert S.busy.unpacker[0, 0] == 0
    assert S.fifo.count[0, 2] == 1
    set_reset(timed, 0)
    advance(timed, 100)
    assert S.busy.unpacker[0, 0] == 1


def test_a_soft_reset_of_banks_and_data(machine: Machine) -> None:
    S = machine.record.S
    ends(machine, "SETDVALID flip_src_a=1, flip_src_b=1")
    for column in range(16):
        S.src.a[1, 63, column] = S.src.b[1, 63, column] = 1
    set_reset(machine, 1 << 15 | 1 << 20)
    assert [S.busy.src_client[i, 0] for i in range(2)] == [UNPACKERS_OWN, MATRIX_OWNS]
    assert [S.busy.unpack_bank[i] for i in range(2)] == [0, 1]
    assert [S.src.a[1, 63, c] for c in range(16)] == [1] * 4 + [0] * 4 + [1] * 8
    ends(machine, "SETDVALID flip_src_a=1")
    assert S.busy.src_client[0, 0] == UNPACKERS_OWN
    set_reset(machine, 1 << 16)
    assert [S.busy.src_client[1, bank] for bank in range(2)] == [UNPACKERS_OWN] * 2
    assert not any(S.src.b[1, 63, c] for c in range(16))
    set_reset(machine, 1 << 10)
    assert not any(S.src.a[1, 63, c] for c in range(16))
