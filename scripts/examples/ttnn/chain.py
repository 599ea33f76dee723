# SPDX-License-Identifier: Apache-2.0
"""A chain of tiles: each page of a tensor goes from tile to tile over the NoC.

scripts/ttnn --tiles 2x2 -- scripts/examples/ttnn/chain.py

The first tile reads a page from DRAM and writes it into the L1 of the next tile. When the write is
acknowledged, it increments a semaphore there, for which that tile waits. The last tile writes the
page to DRAM.
"""

import sys

import numpy as np
import ttnn
from operations import array, tensor

PAGES, SIZE = 4, 2048
KERNEL = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint32_t from = get_arg_val<uint32_t>(0), to = get_arg_val<uint32_t>(1);
    uint32_t next_x = get_arg_val<uint32_t>(2), next_y = get_arg_val<uint32_t>(3);
    uint32_t number = get_arg_val<uint32_t>(4), tiles = get_arg_val<uint32_t>(5);
    uint32_t semaphore = get_semaphore(0), size = get_arg_val<uint32_t>(6);
    volatile tt_l1_ptr uint32_t* arrived = (volatile tt_l1_ptr uint32_t*)semaphore;
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(7); page++) {
        uint32_t l1 = get_write_ptr(0) + page * size;
        if (number == 0) {
            noc_async_read(get_noc_addr_from_bank_id<true>(page % 8, from), l1, size);
            noc_async_read_barrier();
        } else {
            noc_semaphore_wait_min(arrived, page + 1);
        }
        if (number + 1 < tiles) {
            noc_async_write(l1, get_noc_addr(next_x, next_y, l1), size);
            noc_async_write_barrier();
            noc_semaphore_inc(get_noc_addr(next_x, next_y, semaphore), 1);
        } else {
            noc_async_write(l1, get_noc_addr_from_bank_id<true>(page % 8, to), size);
            noc_async_write_barrier();
        }
    }
    noc_async_atomic_barrier();
}
"""


def sent_along(source, device):
    """Copy a tensor through all tiles of the grid."""
    grid = device.compute_with_storage_grid_size()
    cores = [ttnn.CoreCoord(x, y) for y in range(grid.y) for x in range(grid.x)]
    result = ttnn.clone(source)
    result = ttnn.subtract(result, result)
    everywhere = ttnn.CoreRangeSet([ttnn.CoreRange(cores[0], cores[-1])])
    arguments = ttnn.RuntimeArgs()
    for number, core in enumerate(cores):
        near = device.worker_core_from_logical_core(cores[(number + 1) % len(cores)])
        buffers = [source.buffer_address(), result.buffer_address()]
        arguments[core.x][core.y] = [*buffers, near.x, near.y, number, len(cores), SIZE, PAGES]
    kernel = ttnn.KernelDescriptor(
        kernel_source=KERNEL,
        source_type=ttnn.KernelDescriptor.SourceType.SOURCE_CODE,
        core_ranges=everywhere,
        compile_time_args=[],
        runtime_args=arguments,
        config=ttnn.ReaderConfigDescriptor(),
    )
    page = ttnn.CBFormatDescriptor(buffer_index=0, data_format=ttnn.bfloat16, page_size=SIZE)
    buffer = ttnn.CBDescriptor(
        total_size=PAGES * SIZE, core_ranges=everywhere, format_descriptors=[page]
    )
    semaphore = ttnn.SemaphoreDescriptor(id=0, core_ranges=everywhere, initial_value=0)
    program = ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[semaphore], cbs=[buffer])
    return ttnn.generic_op([source, result], program)


def main():
    """Send four tiles of BF16 along; 0 if they arrive as they were."""
    device = ttnn.open_device(device_id=0)
    try:
        values = np.arange(64 * 64, dtype=np.float32).reshape(64, 64) % 251
        got = array(sent_along(tensor(values, device), device))
        right = bool((got == values).all())
        print("chain: " + ("right" if right else "WRONG"), flush=True)
    finally:
        ttnn.close_device(device)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
