# SPDX-License-Identifier: Apache-2.0
"""Runs one program of `kernels.py` under ttnn: `program.py NUMBER`, of ONE_TILE then FOUR_TILES.

Prints `launched` when the program is about to be started.
"""

import sys
from pathlib import Path

import numpy as np
import ttnn

sys.path.insert(0, str(Path(__file__).parent))
import kernels

SOURCE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
CONFIGS = {
    "read": ttnn.ReaderConfigDescriptor,
    "write": ttnn.WriterConfigDescriptor,
    "compute": ttnn.ComputeConfigDescriptor,
}


def range_of(x, y):
    """Return the set of this rectangle from 0, 0 on."""
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(x, y))])


def kernel(source, kind, arguments, cores, constants=()):
    """Make a kernel; `arguments` by x and y."""
    values = ttnn.RuntimeArgs()
    for (x, y), some in arguments.items():
        values[x][y] = list(some)
    return ttnn.KernelDescriptor(
        kernel_source=source,
        source_type=SOURCE,
        core_ranges=cores,
        compile_time_args=list(constants),
        runtime_args=values,
        config=CONFIGS[kind](),
    )


def of_one_tile(hang, a, b):
    """The program that copies four pages, with the edits of `hang`."""
    here = range_of(0, 0)
    sources = {"read": kernels.READ, "write": kernels.WRITE, "compute": kernels.COMPUTE}
    for name, old, new in hang.edits:
        assert old in sources[name], old
        sources[name] = sources[name].replace(old, new, 1)
    read, computed, written = hang.pages
    made = [
        kernel(sources["read"], "read", {(0, 0): (a.buffer_address(), read)}, here),
        kernel(sources["write"], "write", {(0, 0): (b.buffer_address(), written)}, here),
        kernel(sources["compute"], "compute", {}, here, [computed]),
    ]
    formats = [
        ttnn.CBFormatDescriptor(buffer_index=index, data_format=ttnn.bfloat16, page_size=2048)
        for index in (0, 16)
    ]
    buffers = [
        ttnn.CBDescriptor(total_size=4096, core_ranges=here, format_descriptors=[one])
        for one in formats
    ]
    return ttnn.ProgramDescriptor(kernels=made, semaphores=semaphores(here), cbs=buffers)


def of_four_tiles(hang, device):
    """A kernel on each of 2x2 tiles that meets the others."""
    places = [(0, 0), (1, 0), (0, 1), (1, 1)]
    all_four = range_of(1, 1)
    worker = [device.worker_core_from_logical_core(ttnn.CoreCoord(*place)) for place in places]
    known = [number for core in worker for number in (core.x, core.y)]
    arguments = {place: [number, *known] for number, place in enumerate(places)}
    source = kernels.MEET.replace("BODY", hang.body)
    made = [kernel(source, "read", arguments, all_four)]
    return ttnn.ProgramDescriptor(kernels=made, semaphores=semaphores(all_four), cbs=[])


def semaphores(cores):
    """Two, of 0."""
    return [
        ttnn.SemaphoreDescriptor(id=number, core_ranges=cores, initial_value=0)
        for number in range(2)
    ]


if __name__ == "__main__":
    number = int(sys.argv[1])
    hang = (*kernels.ONE_TILE, *kernels.FOUR_TILES)[number]
    device = ttnn.open_device(device_id=0)
    ones = np.ones((64, 64), np.float32)
    a = ttnn.Tensor(ones, ttnn.bfloat16, device, ttnn.TILE_LAYOUT)
    b = ttnn.clone(a)
    program = of_four_tiles(hang, device) if hang.body else of_one_tile(hang, a, b)
    print("launched", flush=True)
    ttnn.generic_op([a, b], program)
    ttnn.synchronize_device(device)
    print("ended", flush=True)
