# SPDX-License-Identifier: Apache-2.0
"""The Configuration Unit: results, the stages of its pipeline, and who overtakes whom."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.numeric.prng import seeded
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.frontend.fifo import A, B, C
from tests.assembler import EBREAK, image
from tests.core.tensix.drive import ends, refused
from tests.core.tensix.programs import push_all
from tests.machines import machine_on

GLOBAL = 190


def test_wrcfg_and_rdcfg(tile: Machine) -> None:
    S = tile.record.S
    for i in range(4):
        S.gpr.word[64 + 8 + i] = 0x100 + i
    ends(tile, "WRCFG input_reg=9, cfg_index=70", "WRCFG input_reg=10, is_128_bit=1, cfg_index=78",
               "NOP", "RDCFG result_reg=20, cfg_index=70", thread=1)  # fmt: skip
    assert S.config.word[0, 70] == 0x101
    assert [S.config.word[0, i] for i in range(75, 81)] == [0, 0x100, 0x101, 0x102, 0x103, 0]
    assert S.gpr.word[64 + 20] == 0x101


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
def test_an_address_in_the_configuration_is_moved_on(schedule: Schedule, engine: str) -> None:
    """LLK's matmul does so between two UNPACR: the sum has what RDCFG has read."""
    machine = machine_on(engine, schedule)
    S = machine.record.S
    S.config.word[0, 70] = 0x100
    S.gpr.word[9] = 0x23
    ends(machine, "REPLAY index=0, count=5, exec=1, load=1",
                  "RDCFG result_reg=8, cfg_index=70",
                  "ADDDMAREG.Reg result_reg=8, right_reg=9, left_reg=8",
                  "STALLWAIT block=B7, wait=C0", "WRCFG input_reg=8, cfg_index=70", "NOP",
                  *["REPLAY index=0, count=5, exec=0, load=0"] * 2)  # fmt: skip
    assert (S.config.word[0, 70], S.gpr.word[8]) == (0x169, 0x169)


def test_the_bank_and_the_words_of_both(tile: Machine) -> None:
    S = tile.record.S
    S.gpr.word[3] = 5
    ends(tile, "SETC16 cfg_index=CFG_STATE_ID_StateID, new_value=1",
               "WRCFG input_reg=3, cfg_index=70", f"WRCFG input_reg=3, cfg_index={GLOBAL}",
               f"RMWCIB1 mask=0xf0, new_value=0xab, index4={GLOBAL}")  # fmt: skip
    assert (S.config.word[0, 70], S.config.word[1, 70]) == (0, 5)
    assert S.config.word[0, GLOBAL] == S.config.word[1, GLOBAL] == 0xA005


def test_state_reset_is_not_done_by_rmwcib(tile: Machine) -> None:
    S = tile.record.S
    S.config.word[0, 70] = 9
    ends(tile, "RMWCIB0 mask=0xff, new_value=1, index4=4")
    assert S.config.word[0, 70] == 9
    S.config.word[0, 4] = 0
    ends(tile, "WRCFG input_reg=3, cfg_index=4")
    assert S.config.word[0, 70] == 0


@pytest.mark.parametrize("texts", [
    ["SETDMAREG new_value=5, result_half_reg=6", "WRCFG input_reg=3, cfg_index=186"],
    ["RMWCIB0 mask=0xff, new_value=5, index4=186"],
], ids=["WRCFG", "RMWCIB"])  # fmt: skip
def test_prng_seed(tile: Machine, texts: list[str]) -> None:
    """Every lane of the Vector Unit and the packer begin anew, each with a state of its own."""
    ends(tile, *texts)
    S = tile.record.S
    states = [S.vector.prng[lane] for lane in range(32)]
    assert states == [seeded(5, lane) for lane in range(32)]
    assert len(set(states)) == 32
    assert S.pack.random == seeded(5, 0)


@pytest.mark.parametrize("mask_mode", [0, 1])
@pytest.mark.parametrize("mode", range(8))
def test_cfgshiftmask(tile: Machine, mode: int, mask_mode: int) -> None:
    S = tile.record.S
    scratch, rotate, width = 0x50F, 24, 15
    S.config.word[0, 209] = S.config.word[1, 209] = scratch
    old = 0xFFF86F34
    S.config.word[0, 80] = old
    ends(tile, f"CFGSHIFTMASK mask_mode={mask_mode}, alu_mode={mode}, mask_width={width}, "
               f"rotate_amt={rotate}, scratch_index=0, cfg_index=80")  # fmt: skip
    mask, value = 0xFFFF << 8, scratch << 8  # rotated right by 24: left by 8
    kept = old if mask_mode else old & ~mask
    model = (
        *(kept | value, kept & value, kept ^ value, kept + value),
        *(kept | ~value, kept & ~value, kept ^ ~value, kept - value),
    )
    assert S.config.word[0, 80] == model[mode] & 0xFFFFFFFF


def test_what_is_behind_the_configuration_stops(tile: Machine) -> None:
    stop = refused(tile, "RDCFG result_reg=1, cfg_index=224")
    assert "RDCFG" in stop.text


def cycle_trace(texts: list[str]) -> list[tuple[int, ...]]:
    """The stages of the pipeline, in each cycle in which any is occupied."""
    machine = machine_on("reference", Schedule.LATENCY)
    seen = []
    S = machine.record.S
    machine.load(1, image([*push_all(texts), EBREAK], 0x1000))
    for _ in range(60):
        machine.run(1)
        stages = tuple(int(S.config_pipe.op[i]) for i in range(6))
        if any(stages):
            seen.append(stages)
    return seen


def test_streamwrcfg_can_be_overtaken_in_its_first_stage() -> None:
    machine = machine_on("reference", Schedule.RANDOM)
    S, seen = machine.record.S, set()
    for seed in range(1, 40):
        machine.images.clear()
        machine.reseed(seed)
        machine.reset()
        ends(machine, "STREAMWRCFG cfg_index=70", "RMWCIB0 mask=0xff, new_value=7, index4=70")
        seen.add(int(S.config.word[0, 70]))
    assert seen == {0, 7}, "0 when the value of the stream comes later"


def test_stages_in_time() -> None:
    wrcfg, write, done = 2, "WRCFG input_reg=3, cfg_index=70", (0, 0, 0, 0, 0, 9)
    assert cycle_trace([write]) == [(0, 0, 0, wrcfg, 0, 0), (0, 0, 0, 0, wrcfg, 0), done]
    # RMWCIB enters at stage 0 and waits for what is in front of it.
    assert cycle_trace([write, "RMWCIB0 mask=1, new_value=1, index4=70"]) == [
        (0, 0, 0, wrcfg, 0, 0), (0, 0, 0, 0, wrcfg, 0), (0, 0, 0, 0, 6, 9), done
    ]  # fmt: skip
    # STREAMWRCFG that has left its first stage holds everybody up, whatever thread it is of.
    assert cycle_trace(["STREAMWRCFG cfg_index=70", "RMWCIB0 mask=1, new_value=1, index4=70"]) == [
        *(tuple(int(i == stage) for i in range(6)) for stage in range(5)), (0, 0, 0, 0, 6, 9), done
    ]  # fmt: skip
    assert cycle_trace(["RDCFG result_reg=1, cfg_index=70"]) == [
        (0, 0, 0, 0, 7, 0), (0, 0, 0, 0, 0, 7)
    ]  # fmt: skip
    assert cycle_trace(["CFGSHIFTMASK cfg_index=70"]) == [
        (0, 0, 0, 5, 4, 0), (0, 0, 0, 0, 5, 0), done
    ]  # fmt: skip


def test_c12_sees_the_instructions_of_other_threads() -> None:
    """T0's RMWCIB0 and T2's have each cycle of the unit between them: T1 waits until they end, on a
    card too (mesham/tt-sim, C12_XTHREAD)."""
    machine = machine_on("reference", Schedule.LATENCY)
    others = ["RMWCIB0 mask=0, new_value=0, index4=70", "NOP"] * 20
    waits = ["STALLWAIT block_mask=ALL, condition_mask=C12", "NOP"] * 4
    for hart, texts in ((T0, others), (T1, waits), (T2, others)):
        machine.load(hart, image([*push_all(texts), EBREAK], 0x1000 * hart))
    S, seen = machine.record.S, []
    for _ in range(120):
        machine.run(1)
        left = [sum(int(S.fifo.count[thread, fifo]) for fifo in (A, B, C)) for thread in range(3)]
        seen.append(left)
    waits_for_both = next(left for left in seen if 0 < left[1] < 7 and left[0] + left[2] == 0)
    assert waits_for_both[1] == 6, "the first of T1's four passes when nothing of T0 and T2 is left"
    assert seen[-1] == [0, 0, 0]
