# SPDX-License-Identifier: Apache-2.0
"""The debug bus: what each signal shows is what the record has, on both engines."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence

from tensix_gdb.core.arch.blackhole import PUSH_BASE, T0, T1, T2, TILE_CONTROL_BASE, B
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.debug.signal_names import CHANNELS, COUNTERS, NAMES
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.assembler import SPIN, asm, image, li
from tests.core.devices.scripts import Load, Store, fault_of, finish, program, run
from tests.tools import unavailable

REG0, REG1, REG2, BUS, DATA = (TILE_CONTROL_BASE + at for at in (0x48, 0x4C, 0x50, 0x54, 0x5C))
ENABLED = 1 << 29
MAILBOX = 0xFFEC0000
PC_BUF = 0xFFE80000
HELD = "SEMWAIT block=ALL, sem=S1, wait=C0"


def reads(tile: Machine) -> Callable[[int, int, int], int]:
    """Words of the debug bus, as a debugger reads them."""

    def word(daisy: int, signal: int, number: int) -> int:
        tile.poke(B, BUS, (ENABLED | number << 25 | daisy << 16 | signal).to_bytes(4, "little"))
        return int.from_bytes(tile.peek(B, DATA, 4), "little")

    return word


def signal(tile: Machine, name: str) -> int:
    return NAMES[name].value(reads(tile))


def pushed(tile: Machine, hart: int, *texts: str, after: Sequence[int] = (SPIN,)) -> Machine:
    """The tile after a hart has pushed instructions."""
    words = li(10, PUSH_BASE)
    for text in texts:
        words += [*li(11, parse(text)), asm("sw", rs1=10, rs2=11)]
    tile.load(hart, image([*words, *after], 0x6000 * hart))
    tile.run(400)
    return tile


def test_names_are_those_of_tt_exalens() -> None:
    if importlib.util.find_spec("ttexalens") is None:
        unavailable("tt-exalens is not installed: it is for Linux on x86-64")
    from ttexalens.hardware.blackhole.functional_worker_debug_bus_signals import (
        debug_bus_signal_map as theirs,
    )

    for name, ours in NAMES.items():
        parts = [theirs[part] for part in (name, f"{name}/0", f"{name}/1") if part in theirs]
        first = parts[0]
        at = 32 * first.rd_sel + (first.mask & -first.mask).bit_length() - 1
        assert (first.daisy_sel, first.sig_sel, at) == (ours.daisy, ours.signal, ours.first), name
        assert sum(part.mask.bit_count() for part in parts) == ours.width, name


def test_a_program_reads_it(tile: Machine) -> None:
    """A hart loads the same as a debugger sees."""
    tile.S.rwc.dst[0] = 0x2A5
    selections = [ENABLED | number << 25 | 3 << 16 | s for s in (2, 3) for number in range(4)]
    steps = [step for one in selections for step in (Store(BUS, one), Load(DATA))]
    found = run(tile, B, *steps)
    word = reads(tile)
    assert found == [word(3, s, number) for s in (2, 3) for number in range(4)]
    assert NAMES["rwc0_dst"].value(lambda _, s, n: found[4 * (s - 2) + n]) == 0x2A5


def test_self_test(tile: Machine) -> None:
    word = reads(tile)
    assert [word(7, 255, number) for number in range(4)] == [7, 0xA5A5A5A5, 0x5A5A5A5A, 0xA5A5A5A5]


def test_what_no_page_describes_is_no_zero(tile: Machine) -> None:
    word = reads(tile)
    assert word(3, 6, 0) == word(8, 2, 1) == word(2, 0x300, 3) == 0xFFFFFFFF


def test_row_counters(tile: Machine) -> None:
    S = tile.S
    rows = ("srca", "srca_cr", "srcb", "srcb_cr", "dst", "dst_cr")
    ours = (S.rwc.src_a, S.rwc.src_a_cr, S.rwc.src_b, S.rwc.src_b_cr, S.rwc.dst, S.rwc.dst_cr)
    for thread in range(3):
        for place, row in enumerate(ours):
            row[thread] = 7 + 11 * thread + place + (512 if place > 3 else 0)
    for thread in range(3):
        for name, row in zip(rows, ours, strict=True):
            assert signal(tile, f"rwc{thread}_{name}") == row[thread]


def test_address_counters(tile: Machine) -> None:
    S = tile.S
    for number, channel in enumerate(CHANNELS):
        thread, unit = ((0, 0), (0, 1), (2, 2))[number // 2]
        for axis in range(4):
            S.adc.value[thread, unit, number % 2, axis] = 0x1000 + 16 * number + axis
            S.adc.cr[thread, unit, number % 2, axis] = 0x1800 + 16 * number + axis
        for axis, name in enumerate(COUNTERS):
            bits = (0x3FFFF, 0x1FFF, 0xFF, 0xFF)[axis]
            assert signal(tile, f"{channel}_{name}_counter") == 0x1000 + 16 * number + axis & bits
            assert signal(tile, f"{channel}_{name}_cr") == 0x1800 + 16 * number + axis & bits


def test_what_stands_at_a_wait_gate(tile: Machine) -> None:
    pushed(tile, T1, HELD, "SETDMAREG 0, 5, 0, 4", *["NOP"] * 4)
    assert signal(tile, "tensix_frontend_t1_thread_inst") == parse("SETDMAREG 0, 5, 0, 4")
    assert not signal(tile, "tensix_frontend_t1_ibuffer_empty")
    assert not signal(tile, "tensix_frontend_t1_req_iramd_buffer_empty")
    assert signal(tile, "trisc1_pc_buffer_i_busy")
    assert signal(tile, "tensix_frontend_t0_ibuffer_empty")
    assert signal(tile, "tensix_frontend_t0_thread_inst") == 0
    assert not signal(tile, "trisc0_pc_buffer_i_busy")


def test_a_full_fifo_and_the_mop_expander(tile: Machine) -> None:
    again = [asm("sw", rs1=10, rs2=11), asm("jal", imm=-4)]
    pushed(tile, T2, HELD, "NOP", after=again)
    assert not signal(tile, "trisc2_trisc_mop_buf_full")  # Auto TTSync has no slot left before
    assert signal(tile, "trisc2_mop_decode_mop_stage_valid")
    assert signal(tile, "trisc2_mop_decode_mop_stage_opcode") == parse("NOP")
    assert signal(tile, "tensix_frontend_t2_req_iramd_buffer_full")
    assert not signal(tile, "trisc2_trisc_mop_buf_empty")
    tile.S.fifo.count[2, 0] = 32
    assert signal(tile, "trisc2_trisc_mop_buf_full")
    assert not signal(tile, "trisc2_pc_buffer_i_mops_outstanding")


def test_who_waits_for_what(tile: Machine) -> None:
    """T0 for a mailbox of B, T1 for its PCBuf, T2 for its Tensix thread, which holds something."""
    wait = [asm("lw", rd=12, rs1=10), asm("add", rd=12, rs1=12, rs2=12), SPIN]
    tile.load(T0, image([*li(10, MAILBOX), *wait], 0x6000))
    tile.load(T1, image([*li(10, PC_BUF), *wait], 0xC000))
    done = [*li(10, PC_BUF + 4), *wait]
    pushed(tile, T2, HELD, "NOP", after=done)
    assert signal(tile, "brisc_o_mailbox_rd_req_ready") == 0b1101
    assert signal(tile, "trisc0_risc_wrapper_trisc_o_mailbox_rd_req_ready") == 0b1111
    assert signal(tile, "trisc1_pc_buffer_trisc_read_request_pending")
    assert signal(tile, "trisc1_pc_buffer_cmd_fifo_empty")
    assert signal(tile, "trisc2_pc_buffer_trisc_sync_activated")
    assert not signal(tile, "trisc1_pc_buffer_trisc_sync_activated")
    load = 0x6000 + 4 * len(li(10, MAILBOX))
    assert signal(tile, "trisc0_dbg_obs_cmt_pc") == load


# Samples in L1


def test_one_sample(tile: Machine) -> None:
    """tt-exalens' read_signal_group: prepare, an address, one write, the next 16 bytes on."""
    tile.S.rwc.src_a[0] = 9
    steps = [Store(BUS, ENABLED | 3 << 16 | 2), Store(REG2, 15 | 2 << 4), Store(REG0, 0x4000 >> 4)]
    for _ in range(2):
        steps += [Store(REG2, 1 | 1 << 12), Store(REG2, 1)]
    run(tile, B, *steps)
    word = reads(tile)
    wanted = b"".join(word(3, 2, number).to_bytes(4, "little") for number in range(4))
    assert tile.peek(B, 0x4000, 48) == wanted * 2 + bytes(16)
    assert wanted[0] & 63 == 9


def test_a_series_of_samples(tile: Machine) -> None:
    """T0 counts in a register of L1; the pc of T1, which spins, is sampled five times."""
    tile.load(T1, image([SPIN], 0xA000))
    tile.load(
        B,
        image(
            program(
                [
                    Store(BUS, ENABLED | 7 << 16 | 15),
                    Store(REG2, 15),
                    Store(REG0, 0x4000 >> 4),
                    Store(REG1, (0x4000 >> 4) + 5),
                    Store(REG2, 4 | 9 << 4 | 1 << 12),
                    Store(REG2, 4 | 9 << 4),
                ]
            ),
            0x1000,
        ),
    )
    assert tile.run(5000) is not None
    tile.run(100)
    samples = [tile.peek(B, 0x4000 + 16 * i, 16) for i in range(6)]
    pcs = [int.from_bytes(one[4:8], "little") & 0x3FFFFFFF for one in samples]
    assert pcs == [0xA000] * 5 + [0]
    assert not tile.S.tile.pending


def test_a_mode_that_no_page_has(tile: Machine) -> None:
    code, text = fault_of(tile, B, Store(REG2, 2))
    assert code is Fault.UNIMPLEMENTED_REGISTER
    assert "DBG_L1_MEM_REG2" in text
    assert finish(tile) is not None
