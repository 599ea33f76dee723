# SPDX-License-Identifier: Apache-2.0
"""Origins through requests of a Wormhole tile's NIUs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import origins
from tensix_gdb.core.origin.rerun import Again
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, image
from tests.core.chip.programs import COPY, DATA, RESULT, copy_word, store
from tests.core.race.network.test_noc import poll
from tests.core.wormhole.test_noc_races import RD_RESP, WR_ACK, counted, words
from tests.core.wormhole.test_noc_requests import BYTE_ENABLE, FAR, INLINE, MARKED, READ, WRITE

STORED = [*store(DATA, 0x1234), *poll(DATA, 0x1234)]
BROUGHT = [*counted(RD_RESP, 1), *copy_word(COPY, RESULT)]


def chain(program: Sequence[int], place: int) -> list[Origin]:
    """Return what the word at `place` was made of, and that, always by its first part."""
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY, arch=Arch.WORMHOLE)
    machine.load(B, image([*program, SPIN], 0))
    run_to_cycle(machine, 6000)
    found = [*origins(machine, Again(machine), [f"{place:#x}"]).trees]
    while found[-1].made_of:
        found.append(found[-1].made_of[0])
    machine.close()
    return found


def whats(program: Sequence[int], place: int) -> list[str]:
    return [one.what.partition(":")[0] for one in chain(program, place)]


def test_a_read_of_ourselves() -> None:
    found = chain([*STORED, *words(READ, DATA, COPY, 64), *BROUGHT], RESULT)
    names = [one.what.partition(":")[0] for one in found[:5]]
    assert names == [f"L1 {RESULT:#x}", "reg B a1", f"L1 {COPY:#x}", f"L1 {DATA:#x}", "reg B a1"]
    assert found[2].by.startswith("a request of NoC 0 that B has made at ")


@pytest.mark.parametrize(("flags", "length"), [(0, 64), (BYTE_ENABLE, 0xF)])
def test_through_dram(flags: int, length: int) -> None:
    sends = words(WRITE | MARKED | flags, DATA, 0x1000, length, ret_at=FAR)
    reads = words(READ, 0x1000, COPY, 64, targ_at=FAR)
    found = whats([*STORED, *sends, *counted(WR_ACK, 1), *reads, *BROUGHT], RESULT)
    names = [f"L1 {RESULT:#x}", "reg B a1", f"L1 {COPY:#x}", "DRAM 0 0x1000", f"L1 {DATA:#x}"]
    assert found[:5] == names


def test_an_inline_write() -> None:
    """The word comes from the register that has held it."""
    sends = words(WRITE | INLINE | MARKED, DATA, length=0xF0, data=0x77)
    found = chain([*sends, *counted(WR_ACK, 1)], DATA + 4)
    assert found[0].values == ["0x00000077"]
    assert found[0].by.startswith("a request of NoC 0 that B has made at ")
    assert any(one.what.startswith("reg B a1") for one in found)
