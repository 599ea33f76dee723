# SPDX-License-Identifier: Apache-2.0
"""Races that were found in LLK and tt-metal, re-created in bugs.c: what one run says of each, with
the bug and with its fix, and in how many of 50 seeds the bug shows by itself.

`python -m scripts.examples.races.bugs` puts the table into the manual.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.race.checks.table import ALL
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.order.report.located import Located, located
from tests.programs.build import build

SOURCE = Path(__file__).resolve().with_name("bugs.c")
BLOCK = Generated("bugs", "python -m scripts.examples.races.bugs", MANUAL / "race-bugs.md")
SEEDS = 50
CYCLES = 3000
HARTS = {1: "T0", 2: "T1"}
NONE = "no value to show"


@dataclass(frozen=True, slots=True)
class Bug:
    """One of them. `says` is what has to be among the reports of one run in `latency`."""

    number: int
    links: str
    what: str
    says: str  # a verdict, or a check
    checks: tuple[str, ...] = ()
    strict: bool = False
    has_value: bool = True  # an order of events in which it goes wrong changes what main returns


# fmt: off
BUGS = (
    Bug(1, "tt-metal#19201, tt-llk#181, tt-llk#185, tt-metal#22080",
        "get_tile sends the message before it posts the semaphore: the hang of SDPA and Llama",
        "S1", ("S1",), strict=True),
    Bug(2, "tt-llk#1658 (1)",
        "relu is set by WRCFG of a word that has the zero flag of the math thread, too", "race",
        ("S7",)),
    Bug(3, "tt-llk#1661, tt-metal#48585",
        "SETDMAREG, then WRCFG of its GPR without a wait for THCON", "race"),
    Bug(4, "tt-llk#1164", "tensix_sync does not use the value that it loads", "race", ("S5",)),
    Bug(5, "tt-metal#55108", "mailbox_read returns before the message is there", "race", ("S5",)),
    Bug(6, "tt-llk#1231", "STALLWAIT with p_stall::UNPACK as its block mask", "race", ("S2",)),
    Bug(7, "tt-llk#1695, tt-llk#1061", "a store to configuration after a STALLWAIT", "race",
        ("S11",)),
    Bug(8, "tt-metal#53412", "MOVD2A into a bank that the unpacker has", "S3", ("S3",),
        has_value=False),
    Bug(9, "tt-metal#52256, tt-metal#55107",
        "a wait for SRCA_VLD tests the bank from before a flip", "S3", ("S3",), has_value=False),
    Bug(10, "tt-metal#53413, tt-metal#54483",
        "SETRWC gives SrcA back before the unpacker has handed it over", "S4", ("S4",),
        has_value=False),
    Bug(11, "tt-llk#1671", "two T cores load, change and store one word", "race", ("S8",)),
    Bug(12, "WRCFG.md; no issue of Tenstorrent's is known to be about it",
        "no NOP between a write of configuration and its reader", "S10",
        ("S10",), has_value=False),
)
# fmt: on


def programs(bug: Bug, fixed: bool, folder: Path) -> dict[int, Path]:
    """The ELF file of each hart."""
    found = {}
    for hart, name in HARTS.items():
        out = folder / f"{bug.number}-{int(fixed)}-{name}.elf"
        defines = (f"BUG={bug.number}", f"FIXED={int(fixed)}", f"HART={hart - 1}")
        found[hart] = build(SOURCE, name, out, defines=defines)
    return found


def loaded(elfs: dict[int, Path], execution: Execution) -> Machine:
    """A tile with the programs."""
    machine = Machine(engine="compiled", schedule=execution)
    for hart, path in elfs.items():
        machine.load(hart, read_elf(path))
    return machine


def ended(machine: Machine) -> tuple[int, ...]:
    """Run until both programs have ended, or cannot; what main of each has returned."""
    for _ in range(4):
        stop = machine.run(CYCLES // 4)
        assert stop is None or stop.kind is not StopKind.FAULT, stop.text
    return tuple(machine.read_x(hart, 10) for hart in HARTS)


def reports(bug: Bug, elfs: dict[int, Path], checks: Sequence[str] | None = None) -> list[Located]:
    """Return the reports of one observed run, with the checks that are about the bug."""
    machine = loaded(elfs, Execution(Schedule.LATENCY))
    names = [name for name in ALL if name in bug.checks] if checks is None else checks
    machine.observe_races(strict=bug.strict, checks=names)
    ended(machine)
    found = located(machine.races(), machine.places)
    machine.close()
    return found


def kind(one: Located) -> str:
    """`race`, `sampling`, `promised`, or the check."""
    return one.report.check or one.report.verdict.value


def lines(one: Located) -> str:
    """The lines of both sides."""
    return ", ".join(side.place.partition(" ")[0] for side in one.sides)


def seeds(bug: Bug, folder: Path) -> int:
    """In how many seeds the program returns something else than the one with the fix."""
    machine = loaded(programs(bug, True, folder), Execution(Schedule.LATENCY))
    right = ended(machine)[0]
    machine.close()
    machine = loaded(programs(bug, False, folder), Execution(Schedule.RANDOM))
    wrong = 0
    for seed in range(1, SEEDS + 1):
        machine.reseed(seed)
        machine.reset()
        wrong += ended(machine)[0] != right
    machine.close()
    return wrong


def table(folder: Path) -> str:
    """A row for each bug."""
    rows = ["| | bug | reported in one run | with the fix | seeds of 50 that show it |",
            "|--:|---|---|---|---|"]  # fmt: skip
    for bug in BUGS:
        found = reports(bug, programs(bug, False, folder))
        said = "; ".join(dict.fromkeys(f"{kind(one)} ({lines(one)})" for one in found))
        after = reports(bug, programs(bug, True, folder))
        silent = "; ".join(kind(one) for one in after) or "nothing"
        shown = str(seeds(bug, folder)) if bug.has_value else NONE
        what = f"{bug.what} ({bug.links})"
        rows.append(f"| {bug.number} | {what} | {said or 'nothing'} | {silent} | {shown} |")
    return "\n".join(rows) + "\n"


def main() -> int:
    """Make the table."""
    with tempfile.TemporaryDirectory() as name:
        BLOCK.write(table(Path(name)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
