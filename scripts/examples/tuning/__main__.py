# SPDX-License-Identifier: Apache-2.0
"""The steps of the manual's chapter about tuning: `python -m scripts.examples.tuning` runs each,
and puts what its report says between the marks of the chapter."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.cli.main import main as tensix_gdb
from tests.programs.build import build

BLOCK = Generated("tuning", "python -m scripts.examples.tuning", MANUAL / "tuning.md")
SOURCE = Path(__file__).with_name("tuning.c")
MVMULS = 256
WIDTH = 100
STEPS = (
    "One MVMUL in each round of a loop, all onto the same rows of Dst.",
    "It is the Matrix Unit that keeps the instruction: a block of Dst that was written is not read "
    "again in the next five cycles. With ADDR_MOD_1 each MVMUL goes to the next eight rows.",
    "Now the T core is in the way: a round of its loop has three instructions, one of them pushes. "
    "Four MVMULs in a round:",
    "The core still has six instructions for four pushes. REPLAY: the expander passes sixteen "
    "MVMULs for one push.",
)


def run(step: int, folder: Path) -> tuple[int, list[str]]:
    """Cycles from the first MVMUL to the last, and the first sentences of the report."""
    elf = build(SOURCE, "T1", folder / "t1.elf", optimize="-O2", defines=(f"STEP={step}",))
    trace = folder / f"step{step}.json"
    with contextlib.redirect_stdout(io.StringIO()):
        tensix_gdb(["run", "--elf", f"t1={elf}", "--trace", str(trace)])
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        tensix_gdb(["report", str(trace)])
    return between(trace), out.getvalue().splitlines()


def between(trace: Path) -> int:
    """Cycles from the first MVMUL that passes the gate until the last one has."""
    events = json.loads(trace.read_text("utf-8"))["traceEvents"]
    own = [one for one in events if one.get("cat") == "passes" and one["name"] == "MVMUL"]
    return int(max(one["ts"] + one["dur"] for one in own) - min(one["ts"] for one in own))


def steps(folder: Path) -> Iterator[str]:
    """Each step as Markdown."""
    for number, text in enumerate(STEPS, 1):
        cycles, report = run(number, folder)
        first = [line for line in report if line][1:]
        cut = next((i for i, line in enumerate(first) if line.startswith("T1 ")), len(first))
        said = (
            f"{number}. {text} {cycles} cycles from the first MVMUL to the last, "
            f"{MVMULS / cycles:.0%} of the bound."
        )
        yield (
            textwrap.fill(said, WIDTH, subsequent_indent="   ") + "\n\n"
            "```\n"
            f"$ tensix-gdb run --elf t1=step{number}.elf --trace step{number}.json\n"
            f"$ tensix-gdb report step{number}.json\n" + "\n".join(first[:cut]) + "\n```\n"
        )


def all_that_is_shown(folder: Path) -> str:
    """As Markdown."""
    return "\n".join(steps(folder))


def main() -> None:
    """Write the chapter."""
    with tempfile.TemporaryDirectory() as folder:
        BLOCK.write(all_that_is_shown(Path(folder)))


if __name__ == "__main__":
    main()
