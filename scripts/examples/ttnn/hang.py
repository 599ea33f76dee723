# SPDX-License-Identifier: Apache-2.0
"""A program of ttnn that hangs: its reader brings a tile of A, and forgets the tile of B.

scripts/ttnn scripts/examples/ttnn/hang.py

`python -m scripts.examples.ttnn.triage` runs tt-triage on it.
"""

import numpy as np
import ttnn

READER = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint64_t from = get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0));
    cb_reserve_back(0, 1);
    noc_async_read(from, get_write_ptr(0), 2048);
    noc_async_read_barrier();
    cb_push_back(0, 1);
}
"""
COMPUTE = """
#include "api/compute/matmul.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tile_move_copy.h"
void kernel_main() {
    compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16);
    matmul_init(0, 1);
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    matmul_tiles(0, 1, 0, 0, 0);
    tile_regs_commit();
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
}
"""


def program(source):
    """Make the program, on one tile."""
    here = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))])
    arguments = ttnn.RuntimeArgs()
    arguments[0][0] = [source.buffer_address()]
    common = {
        "source_type": ttnn.KernelDescriptor.SourceType.SOURCE_CODE,
        "core_ranges": here,
        "compile_time_args": [],
    }
    reader = ttnn.KernelDescriptor(
        kernel_source=READER,
        runtime_args=arguments,
        config=ttnn.ReaderConfigDescriptor(),
        **common,
    )
    compute = ttnn.KernelDescriptor(
        kernel_source=COMPUTE, config=ttnn.ComputeConfigDescriptor(), **common
    )
    formats = [
        ttnn.CBFormatDescriptor(buffer_index=index, data_format=ttnn.bfloat16, page_size=2048)
        for index in (0, 1, 16)
    ]
    buffers = [
        ttnn.CBDescriptor(total_size=2048, core_ranges=here, format_descriptors=[one])
        for one in formats
    ]
    return ttnn.ProgramDescriptor(kernels=[reader, compute], semaphores=[], cbs=buffers)


if __name__ == "__main__":
    device = ttnn.open_device(device_id=0)
    ones = np.ones((32, 32), np.float32)
    a = ttnn.Tensor(ones, ttnn.bfloat16, device, ttnn.TILE_LAYOUT)
    result = ttnn.clone(a)
    print("hangs", flush=True)
    ttnn.generic_op([a, result], program(a))
    ttnn.synchronize_device(device)
    print("it does not hang", flush=True)
