# SPDX-License-Identifier: Apache-2.0
"""Two tiles: what one of them has stored is multiplied and packed in the other one."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import T0, T2, B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.chip.replayable import ChipHistory, begin_chip_history
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.program.elf import read_elf
from tests.conftest import Build
from tests.core.chip.programs import at
from tests.core.tensix.packer.packer import BF16
from tests.programs.build import PROGRAMS
from tests.programs.data_path import LEFT, RIGHT, defines, prepare, put

PLACES = SENDER, RECEIVER = (1, 2), (3, 4)
READ, DRAM, MULTICAST = 1, 2, 3
DRAM_AT = 0 | 0 << 6
RECTANGLE = 3 | 4 << 6 | 4 << 12 | 4 << 18
FAR = PROGRAMS / "far.c"
STORES = next(i for i, line in enumerate(FAR.read_text().splitlines(), 1) if "0x40a0" in line)


def chip_of(
    program: Build, how: int, schedule: str = "latency", engine: str = "compiled"
) -> tuple[Chip, ChipHistory]:
    """A chip on which the product is packed, with its history from the beginning."""
    chip = Chip([SENDER, RECEIVER], engine=engine, schedule=Execution.parse(schedule))
    history = begin_chip_history(chip)
    common = (f"HOW={how}", f"ADDRESS={RIGHT:#x}", f"DRAM_AT={DRAM_AT}")
    for place, own in (
        (SENDER, (f"SENDER={at(SENDER)}", f"RECTANGLE={RECTANGLE}")),
        (RECEIVER, (f"FROM={at(SENDER)}", f"RECEIVER={at(RECEIVER)}")),
    ):
        chip.tiles[place].load(B, read_elf(program("far", "B", defines=(*common, *own))))
    put(chip.tiles[SENDER].poke, RIGHT, [[1.0] * 32 for _ in range(32)])
    until_paused(history, SENDER, B)
    until_paused(history, RECEIVER, B)
    machine = chip.tiles[RECEIVER]
    prepare(machine.poke, BF16, fp32=False)
    put(machine.poke, LEFT, [[1.0] * 32 for _ in range(32)])
    for hart, name in enumerate(("T0", "T1", "T2")):
        line = defines(hart + 1, phases=1)
        machine.load(T0 + hart, read_elf(program("data_path", name, defines=line)))
    until_paused(history, RECEIVER, T2)
    rest(history, 1_000)  # of the packer
    return chip, history


def until_paused(history: ChipHistory, place: Place, hart: int) -> None:
    """Run until a hart has come to its end."""
    while "paused at" not in history.whole.machines[PLACES.index(place)].hart_state(hart):
        rest(history, 1_000)


def rest(history: ChipHistory, cycles: int) -> None:
    """Run for so many cycles, past the ends of programs."""
    end = history.whole.cycle + cycles
    while history.whole.cycle < end:
        history.run(end - history.whole.cycle)
