# SPDX-License-Identifier: Apache-2.0
"""One ttnn program in `latency`, and in many seeds of `random`: which of them fail.

python -m scripts.examples.ttnn.seeds [--tiles 2x1] [--seeds FIRST-LAST] [SCRIPT.py ARGS]

The program is relay.py if none is named. A seed that fails does so again:
`tensix-gdb ttnn --schedule random:SEED -- SCRIPT.py`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from scripts.ttnntools.prepare import prepare

RELAY = Path(__file__).resolve().with_name("relay.py")
SECONDS = 600


def main(words: list[str]) -> int:
    """Print the seeds that fail, and how many were tried; 0 if none fails."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.seeds")
    parser.add_argument("--tiles", default="2x1")
    parser.add_argument("--seeds", default="1-200", metavar="FIRST-LAST")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args(words)
    program = arguments.program or [str(RELAY)]
    first, _, last = arguments.seeds.partition("-")
    schedules = ["latency", *(f"random:{seed}" for seed in range(int(first), int(last) + 1))]
    python, failed = str(prepare()), 0
    for schedule in schedules:
        options = ["--python", python, "--port", "0", "--tiles", arguments.tiles]
        done = subprocess.run(
            [
                *(sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", *options),
                *("--schedule", schedule, "--", *program),
            ],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if done.returncode:
            failed += 1
            said = (done.stdout.splitlines() or [f"status {done.returncode}"])[-1]
            print(f"{schedule}: {said}", flush=True)
    print(f"{failed} of {len(schedules)} fail", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
