# SPDX-License-Identifier: Apache-2.0
"""tt_cfg_qstatus and tt_cfg_bstatus: what is queued and what executes, by type."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import NC, T0, T1
from tensix_gdb.core.machine import Machine
from tests.assembler import asm, li
from tests.core.tensix.programs import push_all, run, run_thread

QSTATUS, BSTATUS, CFG0 = 0xBC0, 0xBC1, 0x7C0
SYNC, CONFIG, SCALAR, MISC, MOP, REPLAY = 1 << 7, 1 << 6, 1 << 2 | 1 << 8, 1 << 8, 1 << 1, 1 << 0
CC = 1 << 11 | 1 << 24
HELD = ["SEMINIT new_max=1, new_value=0, sem=S0", "SEMWAIT block=0x1ff, sem=S0, wait=C0"]


def test_nothing_is_there(tile: Machine) -> None:
    assert tile.read_csr(T0, QSTATUS) == CC, "every lane is enabled"
    assert tile.read_csr(T0, BSTATUS) == 0


def test_what_waits_at_the_gate_is_queued(tile: Machine) -> None:
    assert run_thread(tile, [*HELD, "SEMPOST sem=S1", "RDCFG result_reg=1, cfg_index=70"]) is None
    own = SYNC | CONFIG
    assert tile.read_csr(T0, QSTATUS) == own | own << 13 | CC
    assert tile.read_csr(T1, QSTATUS) == own << 13 | CC
    assert tile.read_csr(NC, QSTATUS) == own | own << 13 | CC, "NC has no thread of its own"
    assert tile.read_csr(T0, BSTATUS) == own | own << 11


def test_the_expanders_have_types_of_their_own(tile: Machine) -> None:
    recorded = [*HELD, "REPLAY index=0, count=4, exec=0, load=1", *["SFPNOP"] * 4]
    playing = [*recorded, *["NOP"] * 12, "REPLAY index=0, count=4, exec=0, load=0"]
    assert run_thread(tile, playing) is None
    status = tile.read_csr(T0, QSTATUS)
    assert status is not None
    assert status & 0x7FF == MISC | REPLAY


def test_what_executes_is_busy(tile: Machine) -> None:
    tile.record.S.gpr.word[1] = 0x800
    assert run_thread(tile, ["ATCAS set_val=1, cmp_val=2, ofs=0, addr_reg=1"]) is None
    assert tile.read_csr(T0, QSTATUS) == CC
    assert tile.read_csr(T0, BSTATUS) == SCALAR | SCALAR << 11


def test_no_lane_enabled(tile: Machine) -> None:
    assert run_thread(tile, ["SFPENCC imm2=E, vd=L0, mod1=EI|RI"]) is not None
    assert tile.read_csr(T0, QSTATUS) == 0


def test_frozen(tile: Machine) -> None:
    freeze = [*li(5, 1 << 29), asm("csrrs", rs1=5, imm=CFG0)]
    program = [*freeze, *push_all([*HELD, "SEMPOST sem=S1"])]
    assert run(tile, {T0: program}) is None
    cfg0 = tile.read_csr(T0, CFG0)
    assert cfg0 is not None
    assert tile.read_csr(T0, QSTATUS) == CC, "as it was"
    tile.write_csr(T0, QSTATUS, 0x123)
    assert tile.read_csr(T0, QSTATUS) == 0x123
    tile.write_csr(T0, CFG0, cfg0 & ~(1 << 29))
    assert tile.read_csr(T0, QSTATUS) == SYNC | SYNC << 13 | CC
