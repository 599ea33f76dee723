# SPDX-License-Identifier: Apache-2.0
"""Where a datum on chip 1 came from: an all_gather is recorded, replayed, and asked.

`python -m scripts.examples.ttnn.far_origin [--python PYTHON]` puts what was typed and said between
the marks in the manual. It needs what `scripts/ttnn` needs. Exit status 1 if the recording has not
the same hash with 1, 2 and 4 threads, or the datum does not come from chip 0.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

PROGRAM = Path(__file__).with_name("gathered.py")
BLOCK = Generated("far origin", "python -m scripts.examples.ttnn.far_origin", MANUAL / "chips.md")
COMMAND = (sys.executable, "-m", "tensix_gdb.gdbstub")
FILE = "gather.recording"
THREADS = (1, 2, 4)
LAST = "15000"  # cycles that have all of it, without the start of the fabric
ASKED = re.compile(r"in (DRAM \d+ 0x[0-9a-f]+:2)")
# An answer begins with the datum and ends with what the host has put there.
WAY = ("c1.DRAM", "c1.e4 L1", "c0.e4 L1", "c0.")
LONGEST = 150


def said(words: Sequence[str], folder: Path) -> str:
    """Return what a command prints; it has to end with 0."""
    ran = subprocess.run(
        [*COMMAND, *words], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    )
    return ran.stdout


def shown(text: str) -> list[str]:
    """Return lines with no arguments of templates, and no more of one than a page has room for."""
    lines = []
    for line in text.splitlines():
        while (shorter := re.sub(r"(\w)<[^<>]*>", r"\1", line)) != line:
            line = shorter
        lines.append(line if len(line) <= LONGEST else f"{line[: LONGEST - 4].rstrip()} ...")
    return lines


def hashes(replays: Sequence[str]) -> set[str]:
    """Return the different hashes that were said."""
    return {found for text in replays for found in re.findall(r"hash (\w+)", text)}


def comes_over_the_cable(lines: Sequence[str]) -> bool:
    """True if an answer goes from chip 1 by the two Ethernet tiles to chip 0, and to its host."""
    places = [line.strip() for line in lines]
    begins = all(place.startswith(one) for place, one in zip(places, WAY, strict=False))
    return len(places) > len(WAY) and begins and "put there from outside" in places[-1]


def session(python: str, folder: Path) -> tuple[list[str], bool]:
    """Return what is typed and said, and whether it is as it should be."""
    options = ["--python", python, "--port", "0", "--chips", "2", "--tiles", "2x2"]
    ran = said(["ttnn", *options, "--record-to", FILE, "--", str(PROGRAM)], folder)
    wanted = [line for line in ran.splitlines() if line.startswith(("all_gather:", "chip 1 has"))]
    asked = ASKED.search(ran)
    if asked is None:
        return wanted, False
    replays = [said(["replay", "--threads", str(count), FILE], folder) for count in THREADS]
    question = ["origin", "--recording", FILE, "--of-tile", "c1.1-2", "--last", LAST, "--brief"]
    question.append(f"c1.{asked[1]}")
    answer = said(question, folder).splitlines()
    first = next(i for i, line in enumerate(answer) if line.startswith("c1.DRAM"))
    typed = [f"$ tensix-gdb ttnn --chips 2 --tiles 2x2 --record-to {FILE} -- gathered.py", *wanted]
    for count, text in zip(THREADS, replays, strict=True):
        typed += [f"$ tensix-gdb replay --threads {count} {FILE}", *text.splitlines()]
    typed.append(f"$ tensix-gdb {' '.join(question[:-1])} '{question[-1]}'")
    is_right = len(hashes(replays)) == 1 and comes_over_the_cable(answer[first:])
    return [*typed, *shown("\n".join(answer[first:]))], is_right


def main() -> int:
    """Make the session."""
    parser = argparse.ArgumentParser(prog="far_origin", description=__doc__.split("\n\n")[0])
    parser.add_argument("--python", metavar="PYTHON", help="one that has ttnn and torch")
    python = parser.parse_args().python or str(prepare())
    with tempfile.TemporaryDirectory() as folder:
        lines, is_right = session(python, Path(folder))
    print("\n".join(lines))
    if is_right:
        BLOCK.write("\n".join(["```", *lines, "```"]) + "\n")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
