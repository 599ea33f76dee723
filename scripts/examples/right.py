# SPDX-License-Identifier: Apache-2.0
"""Reports of races and checks in right programs of ours and tt-metal's: firmware, `tensix-gdb new`.

python -m scripts.examples.right --firmware FOLDER [--write]

FOLDER is ttnn/tt_metal/pre-compiled. Boots each build there, builds and runs the kernels of `new`
and `new --llk` for both chips, all with `--races --check all`, and prints what is reported, by
word and with a verdict; exit status 1 if a run is wrong or a report has no verdict. With --write
the table goes into the manual.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.examples.ttnn.alarms import identity, word
from scripts.examples.ttnn.judged import REAL, Row
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb

BLOCK = Generated(
    "right programs", "python -m scripts.examples.right --firmware FOLDER --write",
    MANUAL / "alarms.md",
)  # fmt: skip
CHIPS = ("blackhole", "wormhole")
OF_BLACKHOLE = "drisc"  # a folder that no build for Wormhole has
TILES = ("--tile", "0x21000=left.npy:bf16", "--tile", "0x31000=right.npy:bf16")
SUM = ("--expect", "0x41000=sum.npy:bf16")

# fmt: off
ROWS = (
    Row("RACE", r"^L1 ", r"^B .*deassert_ncrisc_trisc brisc\.cc", r"^T\d .*trisc\.cc", REAL,
        "B stores subordinate_sync and lets the T cores go, and a T core stores its byte of it",
        "L1 and the soft reset are two regions, and B does not read the word back before: it may "
        "be stored after the T core's byte, which B then waits for without an end "
        "(BabyRISCV/MemoryOrdering.md)."),
    Row("RACE", r"PRNG_SEED", r"^T\d ", r"^T\d ", REAL, "the three T cores store PRNG_SEED",
        "Nothing orders the three stores. Harmless: all store the same value."),
)
# fmt: on


@dataclass
class Runs:
    """Programs of one kind, and what they have reported."""

    name: str
    right: int = 0
    wrong: int = 0
    reports: list[dict[str, Any]] = field(default_factory=list)

    def run(self, folder: Path, *words: str) -> None:
        """Run one, which has to end as it should."""
        file = folder / "reports.json"
        file.unlink(missing_ok=True)
        observing = ("--races", "--check", "all", "--races-to", str(file))
        status, said = _quiet("run", *words, *observing)
        if status or not file.exists():
            print(f"{self.name}: {' '.join(words)}: {status}\n{said[-2000:]}", file=sys.stderr)
            self.wrong += 1
            return
        self.right += 1
        self.reports += json.loads(file.read_text("utf-8"))["races"]

    def row(self) -> str:
        """A row of the table."""
        words = Counter(map(word, self.reports))
        text = ", ".join(f"{count} {each}" for each, count in sorted(words.items()))
        wrong = f", {self.wrong} wrong" if self.wrong else ""
        return f"| {self.name} | {self.right}{wrong} | {text or 'none'} |"


def firmware(builds: Path) -> Iterator[Runs]:
    """Boot the builds for each chip."""
    for chip in CHIPS:
        runs = Runs(f"tt-metal's firmware boots, {chip}")
        with tempfile.TemporaryDirectory() as temporary:
            for build in sorted(one for one in builds.iterdir() if one.is_dir()):
                if (build / OF_BLACKHOLE).is_dir() is (chip == CHIPS[0]):
                    runs.run(Path(temporary), "--arch", chip, "--firmware", str(build))
        yield runs


def new() -> Iterator[Runs]:
    """The kernels of `tensix-gdb new`."""
    for chip in CHIPS:
        for kind in ((), ("--llk",)):
            runs = Runs(" ".join(("`new", *kind)) + f"`, {chip}")
            with tempfile.TemporaryDirectory() as temporary, contextlib.chdir(temporary):
                _quiet("new", "mine", "--arch", chip, *kind)
                with contextlib.chdir("mine"):
                    source = "add.cpp" if kind else "add.c"
                    llk = ("--get-llk",) if kind else ()
                    _quiet("build", "--arch", chip, *llk, source)
                    runs.run(Path.cwd(), "--arch", chip, "--dir", "build", *TILES, *SUM)
            yield runs


def table(all_runs: Sequence[Runs]) -> str:
    """A row for each kind of program, then one for each of ROWS."""
    lines = ["| programs | runs | reports |", "|---|--:|---|", *(one.row() for one in all_runs)]
    kinds = [(runs, row_of(one)) for runs in all_runs for one in runs.reports]
    lines += ["", "| report | what | reports | verdict | why |", "|---|---|--:|---|---|"]
    for row in ROWS:
        count = sum(each is row for _, each in kinds)
        if count:
            lines.append(f"| {row.word} | {row.what} | {count} | {row.verdict} | {row.why} |")
    return "\n".join(lines) + "\n"


def row_of(report: dict[str, Any]) -> Row | None:
    """Return the row of a report; None if it is not judged."""
    return next((row for row in ROWS if row.fits(identity(report))), None)


def _quiet(*words: str) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = tensix_gdb(list(words))
    return status, out.getvalue()


def main(argv: Sequence[str] | None = None) -> int:
    """Run all."""
    parser = argparse.ArgumentParser(prog="right", description=__doc__.split("\n\n")[0])
    parser.add_argument("--firmware", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    arguments = parser.parse_args(argv)
    all_runs = [*new(), *firmware(arguments.firmware)]
    said = table(all_runs)
    print(said, end="")
    unknown = [one for runs in all_runs for one in runs.reports if row_of(one) is None]
    for one in unknown:
        print(f"not judged: {one['text']}")
    if arguments.write:
        BLOCK.write(said)
    return 1 if unknown or any(runs.wrong for runs in all_runs) else 0


if __name__ == "__main__":
    sys.exit(main())
