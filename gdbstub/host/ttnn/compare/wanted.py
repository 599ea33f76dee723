# SPDX-License-Identifier: Apache-2.0
"""The command of a script that is compared, and what it is told by a variable."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.usage import UsageError

VARIABLE = "TENSIX_GDB_COMPARE"
WRONG = "TENSIX_GDB_WRONG"  # the file for a value that is wrong, for a page
DIFFERS = 4  # exit status
# Of the largest value that torch has. A product of BF16 over 784 terms is off by 0.036 where the
# program asks for no FP32 in Dst: Dst's BF16 adds up.
TOLERANCE = 0.05
RUN = Path(__file__).with_name("run.py")
WATCHED = Path(__file__).with_name("run_watched.py")


@dataclass(frozen=True)
class Comparison:
    """The settings of a comparison."""

    tolerance: float
    host: str
    port: int  # of the debugger's server, which is asked for origins
    holds: bool  # after the first wrong operation the program waits for a debugger
    alone: bool  # a chip of one tile
    recorded: bool  # a history is kept from the start
    log: str | None  # a file that gets a line for each operation

    def text(self) -> str:
        """Return it as the variable has it."""
        return json.dumps(asdict(self))


def parse_tolerance(text: str) -> float:
    """Return the number of `--compare`. UsageError with what to type."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number < 1:
        raise UsageError(
            f"--compare {text}: type which part of the largest value a result may be off, "
            f"for example --compare {TOLERANCE}; put -- before the program"
        )
    return number


def compared(command: list[str]) -> list[str]:
    """Return the command of a script with the comparison around it."""
    return _around(command, RUN)


def watched(command: list[str]) -> list[str]:
    """Return the command of a script of which the own comparisons are watched."""
    return _around(command, WATCHED)


def _around(command: list[str], run: Path) -> list[str]:
    python, *words = command
    # The folder that has tensix_gdb in it: as it was imported, and not where links lead to.
    return [python, str(run), str(run.parents[5]), *words]


def note_wrong(path: Path, lines: list[str], place: str | None) -> None:
    """Write which value is wrong, and its place on the chip as `monitor origin` takes it."""
    path.write_text(json.dumps({"lines": lines, "place": place}), encoding="utf-8")
