# SPDX-License-Identifier: Apache-2.0
"""UNPACR_NOP, context counters, the hand-over of banks, STOREIND to a bank: by their pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tensix_gdb.core.devices.overlay import OVERLAY_BASE
from tensix_gdb.core.faults.codes import Category, Fault
from tensix_gdb.core.faults.policy import Policies, Policy, PolicyError
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS, UNPACKERS_OWN
from tensix_gdb.gdbstub.tensix.blocked.fault_report import counted_faults
from tests.core.tensix.drive import ends, fill_sources, refused, run_thread, start
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange, put

DATUM = 0x7FFFF
SET_DVALID, LIKE_UNPACR, BOTH = "set_dvalid=1", "stall_clr_cntrl=1", "bank_clr_ctrl=1"


def contents(S: Any) -> list[set[int]]:
    """The different values in SrcA's banks, then in SrcB's."""
    return [
        {side[bank, row, column] for row in range(64) for column in range(16)}
        for side in (S.src.a, S.src.b)
        for bank in range(2)
    ]


OLD = {0x1234}


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("which_unpacker=UNP0, src_clr_val_ctrl=ZERO", [{0}, OLD, OLD, OLD]),
        ("which_unpacker=UNP1, src_clr_val_ctrl=ZERO", [OLD, OLD, {0}, OLD]),
        ("which_unpacker=UNP0, src_clr_val_ctrl=NEGINF", [{DATUM}, OLD, OLD, OLD]),
        (f"which_unpacker=UNP0, {BOTH}, src_clr_val_ctrl=NEGINF", [{DATUM}, {DATUM}, OLD, OLD]),
        (f"which_unpacker=UNP1, {BOTH}, src_clr_val_ctrl=ZERO", [OLD, OLD, {0}, {0}]),
    ],
)
def test_a_bank_is_filled(tile: Machine, text: str, after: list[set[int]]) -> None:
    S = tile.record.S
    fill_sources(S)
    ends(tile, f"UNPACR_NOP.ClearSrc {text}")
    assert contents(S) == after
    assert S.busy.src_client[0, 0] == UNPACKERS_OWN


@pytest.mark.parametrize("unpacker", [0, 1])
def test_filled_and_handed_over_with_its_format(tile: Machine, unpacker: int) -> None:
    S = tile.record.S
    fill_sources(S)
    put(S, f"THCON_SEC{unpacker}_REG2_Out_data_format", 5)
    S.config.thread[0, 5] = 1  # SRCA_SET_Base
    ends(
        tile,
        f"UNPACR_NOP.ClearSrc which_unpacker=UNP{unpacker}, {SET_DVALID}, {LIKE_UNPACR}, "
        "src_clr_val_ctrl=ZERO",
    )
    assert contents(S)[2 * unpacker] == {0}
    assert S.busy.src_client[unpacker, 0] == MATRIX_OWNS
    assert S.busy.unpack_bank[unpacker] == 1
    assert S.src.format[unpacker, 0] == 5
    assert S.src.unpack_row[unpacker, 0] == (16 if unpacker == 0 else 0)


@pytest.mark.parametrize("text", ["UNPACR_NOP.Nop", "UNPACR_NOP.ClearSrc"])
def test_only_handed_over(tile: Machine, text: str) -> None:
    S = tile.record.S
    fill_sources(S)
    more = ", src_clr_val_ctrl=ZERO" if "Clear" in text else ""
    ends(tile, f"{text} which_unpacker=UNP1, clr_to1_fmt_ctrl=3{more}")
    assert contents(S) == [OLD] * 4
    assert S.busy.src_client[1, 0] == MATRIX_OWNS
    ends(tile, f"{text} which_unpacker=UNP1, clr_to1_fmt_ctrl=3{more}")
    assert [S.busy.src_client[1, bank] for bank in range(2)] == [MATRIX_OWNS] * 2


def test_nothing(tile: Machine) -> None:
    before = [tile.record.S.busy.src_client[i, 0] for i in range(2)]
    ends(tile, "UNPACR_NOP.Nop which_unpacker=UNP0", "UNPACR_NOP.Nop which_unpacker=UNP1")
    assert [tile.record.S.busy.src_client[i, 0] for i in range(2)] == before


@pytest.mark.parametrize(("like_unpacr", "waits"), [(0, (0, 1)), (1, (1, 0))])
def test_which_bank_is_waited_for(tile: Machine, like_unpacr: int, waits: Sequence[int]) -> None:
    """The unpackers' own bank, or that of the Matrix Unit."""
    S = tile.record.S
    S.busy.unpack_bank[0] = 1
    text = f"UNPACR_NOP.ClearSrc which_unpacker=UNP0, stall_clr_cntrl={like_unpacr}"
    for bank, expected in ((1, waits[0]), (0, waits[1])):
        S.busy.src_client[0, 0] = S.busy.src_client[0, 1] = UNPACKERS_OWN
        S.busy.src_client[0, bank] = MATRIX_OWNS
        fill_sources(S)
        stop = run_thread(tile, [f"{text}, src_clr_val_ctrl=ZERO"])
        assert (stop is None or S.busy.unpacker[0, 0] == 1) == bool(expected)
        S.busy.src_client[0, bank] = UNPACKERS_OWN
        tile.run(200)
        assert contents(S)[1] == {0}
        assert S.busy.unpacker[0, 0] == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("which_unpacker=UNP1, src_clr_val_ctrl=NEGINF", Fault.UNPACK_FILL),
        ("which_unpacker=UNP0, src_clr_val_ctrl=ONE", Fault.UNPACK_FILL),
        ("which_unpacker=UNP0, src_clr_val_ctrl=IMM", Fault.UNPACK_FILL),
        ("which_unpacker=UNP0, clr_to1_fmt_ctrl=1, src_clr_val_ctrl=ZERO", Fault.TENSIX_MODE),
    ],
)
def test_what_nobody_describes(machine: Machine, text: str, code: Fault) -> None:
    fill_sources(machine.record.S)
    stop = refused(machine, f"UNPACR_NOP.ClearSrc {text}")
    assert stop.code == code
    assert contents(machine.record.S) == [OLD] * 4


# -- contexts
def test_the_context_counter(tile: Machine) -> None:
    S = tile.record.S
    put(S, "THCON_SEC0_REG2_Context_count", 2)
    count_on = "UNPACR.IncrementContextCounter which_unpacker=UNP0"
    for expected in (1, 2, 3, 0, 1):
        ends(tile, count_on, thread=1)
        assert [S.unpack.context[0, thread] for thread in range(3)] == [0, expected, 0]
    put(S, "THCON_SEC0_REG2_Context_count_non_log2_en", 1)
    put(S, "THCON_SEC0_REG2_Context_count_non_log2", 3)
    for expected in (2, 0, 1):
        ends(tile, count_on, thread=1)
        assert S.unpack.context[0, 1] == expected
    ends(tile, "SETC16 UNPACK_MISC_CFG_CfgContextOffset_0, 0x0101", thread=1)
    assert S.unpack.context[0, 1] == 1
    ends(tile, "SETC16 UNPACK_MISC_CFG_CfgContextOffset_0, 0x0020", thread=1)
    assert S.unpack.context[0, 1] == 2
    ends(tile, "SETC16 UNPACK_MISC_CFG_CfgContextOffset_0, 0x1010", thread=1)
    assert S.unpack.context[0, 1] == 0


def test_contexts_by_counter_and_offset(tile: Machine) -> None:
    """Two contexts in turn, behind an offset of 2, each with its address."""
    S = tile.record.S
    for context, base in ((2, 0x900), (3, 0xA00)):
        arrange(S, Unpack(context=context, base=base, out_counters=(0, 0, 0, 0)))
        tile.poke(0, (base + 1) * 16, (0x3F80 + context).to_bytes(2, "little"))
    put(S, "THCON_SEC0_REG2_Context_count", 3)
    ends(tile, "SETC16 UNPACK_MISC_CFG_CfgContextOffset_0, 2")
    unpack = Unpack(out_counters=(0, 0, 0, 0)).text() + ", use_context_counter=1"
    ends(tile, unpack)
    assert S.src.a[0, 0, 0] == 2 << 11 | 0x7F
    # What the page counts on from is the context with the offset.
    assert S.unpack.context[0, 0] == 3
    S.unpack.context[0, 0] = 1
    ends(tile, unpack)
    assert S.src.a[1, 0, 0] == 3 << 11 | 0x7F


def test_a_flush_of_the_cache_changes_nothing_that_can_be_seen(tile: Machine) -> None:
    """It unpacks nothing, hands no bank over and moves no counter on."""
    S = tile.record.S
    fill_sources(S)
    for unpacker in range(2):
        S.adc.value[0, unpacker, 0, 0] = S.adc.value[0, unpacker, 1, 1] = 5

    def visible() -> list[object]:
        counters = [int(S.adc.value[0, u, c, a]) for u in (0, 1) for c in (0, 1) for a in range(4)]
        clients = [int(S.busy.src_client[side, bank]) for side in (0, 1) for bank in (0, 1)]
        banks = [int(S.busy.unpack_bank[i]) for i in (0, 1)]
        rows = [int(S.src.unpack_row[side, 0]) for side in (0, 1)]
        return [contents(S), counters, clients, banks, rows, int(S.unpack.context[0, 0])]

    before = visible()
    ends(tile, "UNPACR.FlushCache which_unpacker=UNP0", "UNPACR.FlushCache which_unpacker=UNP1")
    assert visible() == before
    assert [int(S.busy.unpacker[u, 0]) for u in (0, 1)] == [0, 0]
    assert [int(S.unpack.count[u]) for u in (0, 1)] == [0, 0]


def test_the_next_set_of_rows(tile: Machine) -> None:
    """Unpack_Src_Reg_Set_Upd: without FlipSrc the next UNPACR goes 16 rows further."""
    S = tile.record.S
    u = Unpack(override=False, flip=False, out_counters=(15, 0, 0, 0))
    arrange(S, replace(u, more={"THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd": 1}))
    tile.poke(0, (u.base + 1) * 16, bytes([0x80, 0x3F] * 16))
    ends(tile, u.text(), u.text())
    assert [row for row in range(64) if S.src.a[0, row, 0]] == [0, 16]
    assert S.src.unpack_row[0, 0] == 32
    assert S.busy.src_client[0, 0] == UNPACKERS_OWN


# -- stores to devices
@pytest.mark.parametrize("form", ["Pop", "PopStream", "PopStream with 0"])
def test_what_streams_do_not_do_yet_stops_by_name(machine: Machine, form: str) -> None:
    machine.record.S.config.thread[0, 42] = 3 << 8 | 17
    text = "UNPACR_NOP." + form.split()[0] + " which_unpacker=UNP0"
    if form.startswith("PopStream"):
        text += f", stream_id=17, msg_clr_cnt={0 if '0' in form else 3}"
    stop = refused(machine, "UNPACR_NOP.Nop which_unpacker=UNP0", text)
    assert stop.code == Fault.UNPACK_DEVICE
    S = machine.record.S
    j = int(S.unpack.head[0])
    assert S.unpack.left[j] == OVERLAY_BASE + 17 * 0x1000 + 266 * 4
    assert S.unpack.total[j] == 3


def test_a_register_is_written_in_order(tile: Machine) -> None:
    """Unpacker_Reg_Wr_Addr 3 names a register of stream 5 of the overlay, by way of bits 17:12."""
    S = tile.record.S
    register = 10  # REMOTE_DEST_BUF_SIZE
    put(S, "THCON_SEC1_REG10_Unpacker_Reg_Wr_Addr", (1 << 10 | register) << 12)
    text = "UNPACR_NOP.PopStreamMany which_unpacker=UNP1, reg_addr_hi=1, reg_addr_lo=1, stream_id=5"
    addr = OVERLAY_BASE + 5 * 0x1000 + register * 4
    ends(tile, f"{text}, msg_clr_cnt=1000")
    assert int.from_bytes(tile.peek(0, addr, 4), "little") == 1000
    ends(tile, *[f"{text}, msg_clr_cnt=2000, accumulate=1"] * 2)
    assert int.from_bytes(tile.peek(0, addr, 4), "little") == 4000
    assert S.unpack.accumulator[1] == 4000
    ends(tile, f"{text}, msg_clr_cnt=0, accumulate=1")
    assert int.from_bytes(tile.peek(0, addr, 4), "little") == 4000
    assert S.unpack.accumulator[1] == 0


# -- STOREIND_Src.md
WORDS = {8: 0xC2A93F85, 9: 0x12344321}


def gprs(machine: Machine, values: dict[int, int]) -> None:
    for reg, value in values.items():
        machine.record.S.gpr.word[reg] = value


def halves() -> list[int]:
    """The four datums: sign, mantissa, exponent from Dst's order and from that of FP32, in turn."""
    found = []
    for word in WORDS.values():
        low, high = word & 0xFFFF, word >> 16
        found.append((low >> 15) << 18 | (low >> 8 & 0x7F) << 11 | low & 0xFF)
        found.append((high >> 15) << 18 | (high & 0x7F) << 11 | high >> 7 & 0xFF)
    return found


@pytest.mark.parametrize(
    ("side", "addr", "override", "src_row", "row"),
    [
        ("b", 5 * 4 + 2, 0, 32, 37),
        ("a", 9 * 4 + 1, 0, 16, 21),
        ("a", 60 * 4 + 3, 1, 16, 56),
        ("a", 3 * 4, 1, 0, None),
    ],
)
def test_storeind(
    tile: Machine, side: str, addr: int, override: int, src_row: int, row: int | None
) -> None:
    S = tile.record.S
    S.config.thread[0, 5] = override << 2
    S.src.unpack_row[0, 0] = S.src.unpack_row[1, 0] = src_row
    gprs(tile, {**WORDS, 1: addr - 3, 2: 0x0030FFFF})
    source = int(side == "b")
    ends(
        tile,
        f"STOREIND.Src store_to_src_b={source}, offset_half_reg=5, offset_increment=BY_16, "
        "data_reg=9, addr_reg=1",
    )
    found = {
        (r, c): value
        for r in range(64)
        for c in range(16)
        if (value := getattr(S.src, side)[0, r, c])
    }
    column = addr % 4 * 4
    wanted = {(row, column + i): value for i, value in enumerate(halves())}
    assert found == ({} if row is None else wanted)
    assert S.gpr.word[2] == 0x0040FFFF
    assert S.thcon.state == 0


def test_storeind_waits_for_its_bank(tile: Machine) -> None:
    S = tile.record.S
    S.busy.src_client[1, 0] = MATRIX_OWNS
    gprs(tile, WORDS)
    run_thread(tile, ["STOREIND.Src store_to_src_b=1, data_reg=8, addr_reg=1"])
    assert S.src.b[0, 0, 0] == 0
    S.busy.src_client[1, 0] = UNPACKERS_OWN
    tile.run(200)
    assert S.src.b[0, 0, 0] == halves()[0]


@pytest.mark.parametrize(("side", "row"), [(1, 16), (0, 20), (0, 0x4000)])
def test_storeind_outside(machine: Machine, side: int, row: int) -> None:
    gprs(machine, {1: row * 4})
    stop = refused(machine, f"STOREIND.Src store_to_src_b={side}, data_reg=8, addr_reg=1")
    assert stop.code == Fault.STOREIND_ROW


@pytest.mark.parametrize("policy", ["silicon=count", "silicon=ignore"])
@pytest.mark.parametrize("thread", [0, 1, 2])
def test_where_cards_are_reported_to_hang(tile: Machine, thread: int, policy: str) -> None:
    """T0 waits in unpacker 0 for its bank; of T1 and T2 a NOP there is told, once a place."""
    S = tile.record.S
    tile.faults.set(policy)
    waits = f"UNPACR_NOP.ClearSrc which_unpacker=UNP0, {LIKE_UNPACR}, src_clr_val_ctrl=ZERO"
    S.busy.src_client[0, 0] = MATRIX_OWNS
    start(tile, waits)
    tile.run(100)
    tile.images.clear()
    other = "UNPACR_NOP.Nop which_unpacker=UNP1"
    start(tile, other, "UNPACR_NOP.Nop which_unpacker=UNP0", thread=thread)
    for _ in range(4):
        tile.run(100)
    lines = list(counted_faults(tile))
    if thread == 0 or policy == "silicon=ignore":
        assert lines == []
        return
    assert lines[0] == "SiliconDefect: 1 counted"
    pc = 0x2000 * (thread + 1) + 4
    assert lines[1].startswith(
        f"  T{thread} at {pc:#010x}, 1 time: SiliconDefect: UNPACR_NOP.Nop in Tensix thread "
        f"{thread}, pushed at {pc:#010x}, reaches an unpacker in which thread 0 has instructions"
    )
    assert lines[1].endswith("(tt-metal#54689)")
    assert len(lines) == 2


def test_a_silicon_defect_never_stops() -> None:
    policies = Policies()
    policies.set("all=stop")
    assert policies.of[Category.SILICON_DEFECT] is Policy.COUNT
    with pytest.raises(PolicyError, match="SiliconDefect cannot stop"):
        policies.set("silicon=stop")
    again = Policies()
    again.set(policies.text())
    assert again.of == policies.of
