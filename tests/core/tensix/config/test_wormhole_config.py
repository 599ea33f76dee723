# SPDX-License-Identifier: Apache-2.0
"""RDCFG keeps its thread at the gate on Wormhole, and on Blackhole it does not (RDCFG.md of both).

LLK's fast tilize of Wormhole depends on it: RDCFG of a tile descriptor, and at once a SETDMAREG of
one half of the GPR (llk_unpack_tilize.h, _llk_unpack_fast_tilize_init_).
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.core.tensix.drive import ends

WORD = 92  # THCON_SEC1_REG0_TileDescriptor of Wormhole: the X dimension is in its high half
GIVEN = 0x01000015
READ = f"RDCFG result_reg=12, cfg_index={WORD}"
HALF = "SETDMAREG.Immediate new_value=0x20, result_half_reg=25"


def gpr(arch: Arch, schedule: Schedule, engine: str, *, strict: bool = False, seed: int = 1) -> int:
    machine = Machine(engine=engine, schedule=schedule, arch=arch, seed=seed)
    S = machine.record.S
    S.schedule.strict = strict
    S.gpr.word[13] = GIVEN
    ends(machine, f"WRCFG input_reg=13, cfg_index={WORD}", "NOP", "NOP", READ, HALF)
    found = int(S.gpr.word[12])
    machine.close()
    return found


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
def test_setdmareg_comes_after_rdcfg_on_wormhole(schedule: Schedule, engine: str) -> None:
    assert gpr(Arch.WORMHOLE, schedule, engine) == 0x00200015


def test_in_every_seed() -> None:
    for seed in range(1, 20):
        found = gpr(Arch.WORMHOLE, Schedule.RANDOM, "compiled", strict=True, seed=seed)
        assert found == 0x00200015, seed


def test_it_comes_before_on_blackhole() -> None:
    assert gpr(Arch.BLACKHOLE, Schedule.LATENCY, "reference") == GIVEN
