# SPDX-License-Identifier: Apache-2.0
"""The memory that a chip needs: a loop of operations of ttnn for so many seconds, and what the
server has after each round.

tensix-gdb ttnn --tiles 14x10 -- scripts/examples/ttnn/resident.py 600
"""

import os
import sys
import time
from pathlib import Path

import torch
import ttnn

OPERATIONS = (
    lambda x: ttnn.add(x, x),
    ttnn.exp,
    lambda x: ttnn.matmul(x, x),
    lambda x: ttnn.softmax(x, dim=-1),
    ttnn.layer_norm,
    ttnn.clone,
)
SIDES = (64, 256)


def server():
    """Return the folder in /proc of the process that this one has started."""
    own = str(os.getpid())
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "stat").read_text().rpartition(")")[2].split()[1] == own:
                return folder
        except OSError:  # it has ended
            continue
    sys.exit("no process was started: is this run by tensix-gdb ttnn?")


def resident(folder):
    """Return the MB of a process."""
    rows = (folder / "status").read_text().splitlines()
    (row,) = (row for row in rows if row.startswith("VmRSS:"))
    return int(row.split()[1]) // 1000


def main(seconds):
    """Run them, again and again."""
    device = ttnn.open_device(device_id=0)
    process, begun, count = server(), time.monotonic(), 0
    print(f"after open_device: {resident(process)} MB", flush=True)
    tensors = [
        ttnn.from_torch(
            torch.randn(side, side, dtype=torch.bfloat16), layout=ttnn.TILE_LAYOUT, device=device
        )
        for side in SIDES
    ]
    while time.monotonic() - begun < seconds:
        for run in OPERATIONS:
            for tensor in tensors:
                ttnn.to_torch(run(tensor))
                count += 1
        passed = time.monotonic() - begun
        print(f"{count} operations, {passed:.0f} s: {resident(process)} MB", flush=True)
    ttnn.close_device(device)


if __name__ == "__main__":
    main(float(sys.argv[1]))
