# SPDX-License-Identifier: Apache-2.0
"""Four models by ttnn on the emulated chip, beside torch: error, seconds, memory, cycles.

python -m scripts.examples.ttnn.models --python PYTHON [--tiles WxH] [--page FILE] [MODEL ...]
python -m scripts.examples.ttnn.models --python PYTHON [--tiles WxH] --planted

PYTHON has ttnn and torch. MODEL is mlp, resnet, bert or llama; without any all run. The first time
seconds have the compiler of the kernels in them. With `--planted` a constant of a kernel of ttnn
is changed, for SiLU, which a decoder layer has, and `tensix-gdb ttnn --compare` finds it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from scripts.examples.ttnn.models.planted import HEADER, NEW, OLD, planted_root
from tensix_gdb.gdbstub.host.ttnn.compiler import root_of, root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import ROOT, find_ttnn

INSIDE = Path(__file__).resolve().with_name("inside.py")
MODELS = ("mlp", "resnet", "bert", "llama")
COLUMNS = ("values", "error", "correlation", "seconds", "of processor", "MB", "cycles", "launches")
HEAD = "| model | tiles | " + " | ".join(COLUMNS) + " |\n" + "|---|---|" + "--:|" * len(COLUMNS)
RIGHT = 0.05  # error of the largest value


@dataclass(frozen=True)
class Row:
    """A model on a grid, and what its program wrote; nothing where it has ended before."""

    model: str
    tiles: str
    said: dict[str, Any]

    @property
    def is_right(self) -> bool:
        """True if it ran, and torch has the same."""
        return bool(self.said) and self.said["error"] <= RIGHT

    def line(self) -> str:
        """Return the row of the table."""
        said = self.said
        if not said:
            return f"| {self.model} | {self.tiles} | has not run |" + " |" * (len(COLUMNS) - 1)
        cells = (
            f"{said['values']:,}",
            f"{said['error']:.4f}",
            f"{said['correlation']:.6f}",
            f"{said['seconds']:.0f}",
            f"{said['processor']:.0f}",
            f"{said['host']} + {said['simulator']}",
            f"{said['cycles']:,}",
            f"{said['launches']}",
        )
        return f"| {self.model} | {self.tiles} | {' | '.join(cells)} |"


def table(rows: Iterable[Row]) -> str:
    """Return the table."""
    return "\n".join((HEAD, *(row.line() for row in rows))) + "\n"


def counted(lines: Iterable[str]) -> tuple[int, int]:
    """Return the cycles and launches of a file of --runs: those of the tile that has most."""
    cycles, launches = Counter[str](), Counter[str]()
    for line in lines:
        run = json.loads(line)
        cycles[run.get("tile", "")] += run["cycles"]
        launches[run.get("tile", "")] += 1
    return max(cycles.values(), default=0), max(launches.values(), default=0)


def command(python: str, tiles: str, options: Sequence[str], model: str) -> list[str]:
    """Return the command that runs a model."""
    start = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--python", python, "--ci"]
    return [*start, "--port", "0", "--tiles", tiles, *options, "--", str(INSIDE), model]


def run(python: str, tiles: str, model: str, folder: Path) -> Row:
    """Run a model, and return what there is to say of it."""
    runs, said = folder / f"{model}.runs", folder / f"{model}.json"
    words = [*command(python, tiles, ["--runs", str(runs)], model), str(said)]
    done = subprocess.run(words, stdout=subprocess.DEVNULL, check=False)
    if done.returncode or not said.exists():
        return Row(model, tiles, {})
    cycles, launches = counted(runs.read_text("utf-8").splitlines())
    return Row(model, tiles, {**json.loads(said.read_text()), "cycles": cycles,
                              "launches": launches})  # fmt: skip


def plant(python: str, tiles: str, folder: Path) -> int:
    """Run the decoder with a wrong constant in a kernel; return the status of the program."""
    ttnn = find_ttnn(python).folder
    base = root_with_compiler(ttnn) or root_of(ttnn)
    root = planted_root(base, folder / "root", HEADER, OLD, NEW)
    print(f"{HEADER.name}: {OLD!r} is {NEW!r}", flush=True)
    variables = {**os.environ, ROOT: str(root), "TT_METAL_CACHE": str(folder / "cache")}
    began = perf_counter()
    status = subprocess.run(
        command(python, tiles, ["--compare"], "llama"), env=variables
    ).returncode
    print(f"exit status {status} after {perf_counter() - began:.0f} s", flush=True)
    return status


def main(words: list[str]) -> int:
    """Print the table; 0 if all models are right, and with --planted if the line was found."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.models", description=__doc__)
    parser.add_argument("--python", required=True, help="a Python with ttnn and torch")
    parser.add_argument("--tiles", default="8x8", metavar="WxH", help="the grid (default: 8x8)")
    parser.add_argument("--page", type=Path, help="write the table to this file")
    parser.add_argument("--planted", action="store_true", help="find a wrong constant instead")
    parser.add_argument("models", nargs="*", choices=[*MODELS, []], help="default: all")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        if options.planted:
            return plant(options.python, options.tiles, Path(name))
        rows: list[Row] = []
        for model in options.models or MODELS:
            rows.append(run(options.python, options.tiles, model, Path(name)))
            print(rows[-1].line(), flush=True)
    if options.page is not None:
        options.page.write_text(table(rows), encoding="utf-8")
    return 0 if all(row.is_right for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
