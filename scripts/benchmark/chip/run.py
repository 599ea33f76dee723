# SPDX-License-Identifier: Apache-2.0
"""Run the rows on a simulator, once more for each in which it dies."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tensix_gdb.gdbstub.host.library.command import SCRIPT, write_library
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions

HERE = Path(__file__).resolve().parent
SECONDS = 1800
FAILS = "fails"
OPEN, CLOSE = "open_device", "close_device"
MODULE = "-m tensix_gdb.gdbstub"
KEYS = ("host", "server", "from", "to")  # of a run, as rows.py writes it


@dataclass(frozen=True, slots=True)
class Simulated:
    """A simulator under a Python with ttnn, with its environment."""

    name: str
    python: str
    variables: dict[str, str]


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds of the processor, and the clock at its begin and end."""

    host: float
    server: float
    begin: float
    end: float


@dataclass(slots=True)
class Row:
    """The runs of a row; why there are none."""

    name: str
    runs: list[Run] = field(default_factory=list)
    right: bool = False
    why: str = ""

    def best(self) -> Run | None:
        """Return the run with the least time of the processor."""
        return min(self.runs, key=lambda run: run.host + run.server, default=None)


def run_rows(simulated: Simulated, names: Sequence[str], times: int) -> dict[str, Row]:
    """Run all; where the process dies in one, the rest is run by another one."""
    rows: dict[str, Row] = {}
    left = list(names)
    while True:
        done = subprocess.run(
            [simulated.python, str(HERE / "rows.py"), str(times), *left],
            env=simulated.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
        found = read_rows(done.stdout.splitlines(), f"{done.stderr}\n{done.stdout}")
        for name, row in found.items():
            if name == OPEN and OPEN in rows:
                rows[OPEN].runs += row.runs
            else:
                rows[name] = row
        print(f"{simulated.name}: {', '.join(found)}", file=sys.stderr, flush=True)
        after = [name for name in left if name not in rows]
        if not after or len(after) == len(left):
            return rows
        left = after


def read_rows(lines: Iterable[str], said: str) -> dict[str, Row]:
    """Read what rows.py has printed; the row that has begun and not ended is one that died, and
    `said` what was said of it."""
    rows: dict[str, Row] = {}
    begun = ""
    for line in lines:
        if not line.startswith('{"'):
            continue
        told = json.loads(line)
        if "begins" in told:
            begun = told["begins"]
            continue
        begun = ""
        runs = [
            Run(each["host"], each["server"], each["from"], each["to"]) for each in told["runs"]
        ]
        rows[told["row"]] = Row(told["row"], runs, told["right"])
    rows.pop(CLOSE, None)
    if begun and begun != CLOSE:
        rows[begun] = Row(begun, why=_last_sentence(said))
    return rows


def _last_sentence(said: str) -> str:
    """Return the line that says most about an end."""
    lines = [line.strip() for line in said.splitlines()]
    telling = [line for line in lines if "ERROR" in line or "rror:" in line]
    return (telling or ["it said nothing"])[-1][:100]


def sampled_folder(
    folder: Path, options: SimulatorOptions, arch: str = "blackhole"
) -> tuple[Path, Path]:
    """Write the folder of a simulator with a server that is sampled: its library, and the file of
    the samples."""
    library, samples = write_library(folder, options, arch), folder / "samples"
    script = folder / SCRIPT
    text = script.read_text("utf-8")
    assert MODULE in text, "the server is started in another way"
    words = f"{shlex.quote(str(HERE / 'sampled.py'))} {shlex.quote(str(samples))}"
    script.write_text(text.replace(MODULE, words), "utf-8")
    return library, samples
