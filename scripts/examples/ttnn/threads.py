# SPDX-License-Identifier: Apache-2.0
"""One ttnn program on a chip with 1, 2 and 4 threads: recorded, and replayed to the same hash.

python -m scripts.examples.ttnn.threads [--arch wormhole] [--tiles 2x2] [--reference]
    [SCRIPT.py ARGS]

The program runs once with each number of threads. Each recording is replayed with each of them;
with --reference the first one in plain Python too, which takes some ten seconds for the example.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.isa.architecture import DIALECTS

CHAIN = Path(__file__).resolve().with_name("chain.py")
COMMAND = (sys.executable, "-m", "tensix_gdb.gdbstub")
THREADS = (1, 2, 4)
SECONDS = 3600
EQUAL = re.compile(r"^equal: .*, (\d+) cycles with \d+ inputs, hash (\w+)$", re.MULTILINE)


def main(words: list[str]) -> int:
    """Print a row for each run and replay; 0 if all hashes are equal."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.threads")
    parser.add_argument("--arch", choices=DIALECTS, default="blackhole", help="the chip")
    parser.add_argument("--tiles", default="2x2")
    parser.add_argument("--reference", action="store_true", help="replay in plain Python, too")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args(words)
    program = arguments.program or [str(CHAIN)]
    hashes = set()
    with tempfile.TemporaryDirectory() as folder:
        for threads in THREADS:
            recording = str(Path(folder, f"{threads}.recording"))
            _run(arguments.arch, arguments.tiles, threads, recording, program)
            hashes |= {_replayed(recording, "--threads", str(other)) for other in THREADS}
        if arguments.reference:
            first = str(Path(folder, f"{THREADS[0]}.recording"))
            hashes.add(_replayed(first, "--engine", "reference"))
    print("all are equal" if len(hashes) == 1 else f"DIFFERENT: {len(hashes)} hashes")
    return 0 if len(hashes) == 1 else 1


def _run(arch: str, tiles: str, threads: int, recording: str, program: list[str]) -> None:
    options = ["--python", str(prepare()), "--port", "0", "--arch", arch, "--tiles", tiles]
    options += ["--threads", str(threads), "--record-to", recording]
    start = perf_counter()
    done = subprocess.run(
        [*COMMAND, "ttnn", *options, "--", *program],
        stdout=subprocess.PIPE,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    last = (done.stdout.splitlines() or [""])[-1]
    print(f"with {threads} threads: {last}, {perf_counter() - start:.1f} s", flush=True)
    if done.returncode:
        raise SystemExit(f"the program ended with status {done.returncode}")


def _replayed(recording: str, *options: str) -> str:
    """Replay a recording; the hash, or what was said if it is not equal."""
    start = perf_counter()
    command = [*COMMAND, "replay", *options, recording]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    found = EQUAL.search(done.stdout)
    said = f"cycle {found[1]}, hash {found[2]}" if found else done.stdout + done.stderr
    print(f"  replay {' '.join(options)}: {said}, {perf_counter() - start:.1f} s", flush=True)
    return found[2] if found else said


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
