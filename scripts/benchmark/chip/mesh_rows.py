# SPDX-License-Identifier: Apache-2.0
"""The rows of `scripts/bench mesh`, run by a Python that has ttnn: a line of JSON for each, as
rows.py writes them, and the memory that was used most.

    python mesh_rows.py ROWS COLUMNS TIMES
"""

import sys
from pathlib import Path

import torch
import ttnn
from rows import Processor, say, timed

SIDES = (64, 256)  # of what each chip adds
MIB = 1024


def peak(process):
    """MiB that a process had at most."""
    lines = (Path("/proc") / str(process) / "status").read_text().splitlines()
    (kilobytes,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(kilobytes) / MIB


def main(rows, columns, times):
    """Open a mesh, add on each of its chips so many times, and close it."""
    processor, count = Processor(), rows * columns
    say(begins="open_mesh_device")
    opened, mesh = timed(processor, lambda: ttnn.open_mesh_device(ttnn.MeshShape(rows, columns)))
    say(row="open_mesh_device", runs=[opened], right=True)
    for side in SIDES:
        name = f"add {side}"
        torch.manual_seed(side)
        x = torch.randn(1, count, side, side, dtype=torch.bfloat16)
        mapper = ttnn.ShardTensorToMesh(mesh, dim=1)
        given = ttnn.from_torch(x, layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=mapper)

        def run(given=given):
            found = ttnn.get_device_tensors(ttnn.add(given, given))
            return [ttnn.to_torch(one) for one in found]

        say(begins=name)
        runs, result = [], None
        for _ in range(times + 1):  # kernels are compiled in the first one
            taken, result = timed(processor, run)
            runs.append(taken)
        right = all(torch.equal(one, 2 * x[:, i : i + 1]) for i, one in enumerate(result))
        say(row=name, runs=runs[1:], right=right)
    say(host=peak("self"), server=sum(peak(folder.name) for folder in processor.others))
    say(begins="close_device")
    ttnn.close_mesh_device(mesh)
    say(row="close_device", runs=[], right=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
