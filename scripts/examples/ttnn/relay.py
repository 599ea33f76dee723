# SPDX-License-Identifier: Apache-2.0
"""Two tiles, with pages that go from one to the other through DRAM.

scripts/ttnn --tiles 2x1 -- scripts/examples/ttnn/relay.py [--without-barrier]

The first tile writes a page to DRAM. When the write is acknowledged, it increments a semaphore of
the second tile, which then reads the page. Without the barrier the increment may be there before
the page is: it is a race, which --races reports and some seeds of --schedule random:SEED show.
"""

import sys

import numpy as np
import ttnn
from operations import array, tensor

SHAPE, PAGES, SIZE = (128, 128), 16, 2048
BARRIER = "noc_async_write_barrier();"
KERNEL = """
#include "api/dataflow/dataflow_api.h"
constexpr uint32_t BANKS = NUM_DRAM_BANKS;  // 8, of Wormhole 12
void kernel_main() {
    uint32_t from = get_arg_val<uint32_t>(0), between = get_arg_val<uint32_t>(1);
    uint32_t to = get_arg_val<uint32_t>(2), is_first = get_arg_val<uint32_t>(3);
    uint32_t next_x = get_arg_val<uint32_t>(4), next_y = get_arg_val<uint32_t>(5);
    uint32_t semaphore = get_semaphore(0), size = get_arg_val<uint32_t>(6);
    volatile tt_l1_ptr uint32_t* arrived = (volatile tt_l1_ptr uint32_t*)semaphore;
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(7); page++) {
        // Pages are dealt out to the banks of DRAM in turn.
        uint32_t bank = page % BANKS, at = page / BANKS * size, l1 = get_write_ptr(0) + page * size;
        if (is_first) {
            noc_async_read(get_noc_addr_from_bank_id<true>(bank, from + at), l1, size);
            noc_async_read_barrier();
            noc_async_write(l1, get_noc_addr_from_bank_id<true>(bank, between + at), size);
            BARRIER
            noc_semaphore_inc(get_noc_addr(next_x, next_y, semaphore), 1);
        } else {
            noc_semaphore_wait_min(arrived, page + 1);
            noc_async_read(get_noc_addr_from_bank_id<true>(bank, between + at), l1, size);
            noc_async_read_barrier();
            noc_async_write(l1, get_noc_addr_from_bank_id<true>(bank, to + at), size);
        }
    }
    noc_async_write_barrier();
    noc_async_atomic_barrier();
}
"""


def relayed(source, device, kernel_source):
    """Copy a tensor through DRAM and two tiles."""
    between, result = (ttnn.subtract(source, source) for _ in range(2))
    cores = [ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0)]
    both = ttnn.CoreRangeSet([ttnn.CoreRange(*cores)])
    far = device.worker_core_from_logical_core(cores[1])
    buffers = [each.buffer_address() for each in (source, between, result)]
    arguments = ttnn.RuntimeArgs()
    for core in cores:
        arguments[core.x][core.y] = [*buffers, int(core.x == 0), far.x, far.y, SIZE, PAGES]
    kernel = ttnn.KernelDescriptor(
        kernel_source=kernel_source,
        source_type=ttnn.KernelDescriptor.SourceType.SOURCE_CODE,
        core_ranges=both,
        compile_time_args=[],
        runtime_args=arguments,
        config=ttnn.ReaderConfigDescriptor(),
    )
    page = ttnn.CBFormatDescriptor(buffer_index=0, data_format=ttnn.bfloat16, page_size=SIZE)
    buffer = ttnn.CBDescriptor(total_size=PAGES * SIZE, core_ranges=both, format_descriptors=[page])
    semaphore = ttnn.SemaphoreDescriptor(id=0, core_ranges=both, initial_value=0)
    program = ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[semaphore], cbs=[buffer])
    return ttnn.generic_op([source, between, result], program)


def main(words):
    """Send the tiles of a tensor of BF16; 0 if they arrive as they were."""
    barrier = "" if words == ["--without-barrier"] else BARRIER
    device = ttnn.open_device(device_id=0)
    try:
        values = np.arange(np.prod(SHAPE), dtype=np.float32).reshape(SHAPE) % 251
        kernel = KERNEL.replace("BARRIER", barrier)
        got = array(relayed(tensor(values, device), device, kernel))
        right = bool((got == values).all())
        print("relay: " + ("right" if right else "WRONG"), flush=True)
    finally:
        ttnn.close_device(device)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
