# SPDX-License-Identifier: Apache-2.0
"""Seconds until a hang under ttnn is said: `python -m scripts.examples.ttnn.hangs [NUMBER ...]`.

Runs the programs of `kernels.py`, ten on one tile of a whole chip and ten on 2x2 tiles, until the
server has said what polls, and prints a table: seconds from the launch to the sentence. A run
before that compiles the kernels. Needs what `scripts/ttnn` needs. Exit status 1 if one of them is
not said, or without its words.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from scripts.examples.ttnn.hangs.kernels import FOUR_TILES, ONE_TILE, Hang
from scripts.ttnntools.prepare import prepare

PROGRAM = Path(__file__).with_name("program.py")
SECONDS = 120.0  # for a sentence
QUIET = 1.0  # seconds without a line: the sentence is over
TITLE = "the program may hang"


def run(number: int, tiles: str, python: str) -> tuple[float, str]:
    """Run one; the seconds from its launch to the sentence, and the sentence. 0 and what the
    program has printed if there is none."""
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--port", "0", "--tiles", tiles]
    command += ["--python", python, "--", str(PROGRAM), str(number)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    lines: queue.Queue[tuple[float, str]] = queue.Queue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    try:
        return sentence(lines)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _read(pipe: IO[str], lines: queue.Queue[tuple[float, str]]) -> None:
    for line in pipe:
        lines.put((time.monotonic(), line))


def sentence(lines: queue.Queue[tuple[float, str]]) -> tuple[float, str]:
    """Wait for the sentence among `lines`, each with its time: what `run` returns."""
    launched, said, printed = 0.0, [], []
    after, end = 0.0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            when, line = lines.get(timeout=QUIET)
        except queue.Empty:
            if said:
                break
            continue
        printed.append(line)
        if line.startswith("launched"):
            launched = when
        if TITLE in line:
            after = when - launched
        if after:
            said.append(line)
    return (after, "".join(said)) if said else (0.0, "".join(printed[-20:]))


def main(numbers: Sequence[int]) -> int:
    """Run these, by default all, and print the table."""
    python, wrong = str(prepare()), 0
    rows: list[tuple[Hang, str]] = [(one, "14x10") for one in ONE_TILE]
    rows += [(one, "2x2") for one in FOUR_TILES]
    print("| hang | tiles | seconds | said |\n|---|---|--:|---|", flush=True)
    for number in numbers or range(len(rows)):
        hang, tiles = rows[number]
        run(number, tiles, python)  # compiles
        seconds, said = run(number, tiles, python)
        missing = [word for word in hang.says if word not in said]
        wrong += not seconds or bool(missing)
        if not seconds or missing:
            print(f"{hang.name}: missing {missing}\n{said}", file=sys.stderr)
        first = next((line.strip() for line in said.splitlines()[1:]), "")
        print(f"| {hang.name} | {tiles} | {seconds:.1f} | {first} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main([int(text) for text in sys.argv[1:]]))
