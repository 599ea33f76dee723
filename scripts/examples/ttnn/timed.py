# SPDX-License-Identifier: Apache-2.0
"""The time of ttnn operations, by the clock and of processor, and the memory of what simulates: a
line of JSON.

scripts/ttnn --tiles 14x10 -- scripts/examples/ttnn/timed.py

Kernels have to be compiled already: run it twice. With `wait` it only opens the device, says so,
and closes it when its standard input ends.
"""

import json
import os
import sys
import time
from pathlib import Path

import numpy as np
import ttnn
from operations import array, tensor


def processes():
    """This process and those below it: the memory that each has had at most, in MB, and its seconds
    of processor. The driver starts the simulator, if that is not in this process."""
    own = os.getpid()
    parents, found = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            rows = dict(
                line.split(":\t", 1) for line in (folder / "status").read_text().splitlines()
            )
            spent = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]
        except (OSError, ValueError):
            continue
        pid = int(folder.name)
        parents[pid] = int(rows["PPid"])
        megabytes = int(rows.get("VmHWM", "0 kB").split()[0]) // 1024
        found[pid] = megabytes, sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")
    below = {own}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return found[own], [found[pid] for pid in below - {own}]


def processor():
    """Seconds of processor of all of them."""
    own, others = processes()
    return own[1] + sum(seconds for _, seconds in others)


def main():
    """Time each step once after a first time."""
    seconds = {}

    def timed(name, run):
        before, start = processor(), time.perf_counter()
        result = run()
        taken = time.perf_counter() - start
        seconds[name] = round(taken, 3), round(processor() - before, 2)
        return result

    device = timed("open_device", lambda: ttnn.open_device(device_id=0))
    if sys.argv[1:] == ["wait"]:
        print("open", flush=True)
        sys.stdin.read()
        ttnn.close_device(device)
        return
    draw = np.random.default_rng(3)
    try:
        for side, of in ((32, "32x32"), (256, "256x256")):
            a, b = (draw.normal(size=(side, side)).astype(np.float32) for _ in range(2))
            x, y = tensor(a, device), tensor(b, device)
            for run in ("first ", ""):
                name = f"{run}add {of}"
                timed(name, lambda x=x, y=y: array(ttnn.add(x, y)))
                timed(f"{run}matmul {of}", lambda x=x, y=y: array(ttnn.matmul(x, y)))
    finally:
        own, others = processes()
        simulator, host = max((megabytes for megabytes, _ in others), default=0), own[0]
        timed("close_device", lambda: ttnn.close_device(device))
    print(json.dumps({"seconds": seconds, "simulator": simulator, "host": host}), flush=True)


if __name__ == "__main__":
    main()
