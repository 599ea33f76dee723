# SPDX-License-Identifier: Apache-2.0
"""Programs of ttnn on all tiles of a chip, of which one goes wrong: `hang` or `wrong`.

tensix-gdb ttnn --tiles 14x10 --ci --share bugs -- scripts/examples/ttnn/chip_fails.py hang

Each tile copies a page. In `hang` the reader of one tile never gives its page to the writer; in
`wrong` that reader brings another page, and the program ends with status 1.
"""

import sys

import torch
import ttnn

READER = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint32_t page = get_arg_val<uint32_t>(1);
    cb_reserve_back(0, 1);
    noc_async_read(get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0)) + page * 2048,
                   get_write_ptr(0), 2048);
    noc_async_read_barrier();
    if (get_arg_val<uint32_t>(2)) return;
    cb_push_back(0, 1);
}
"""
WRITER = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    cb_wait_front(0, 1);
    noc_async_write(get_read_ptr(0),
                    get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0))
                        + get_arg_val<uint32_t>(1) * 2048, 2048);
    noc_async_write_barrier();
    cb_pop_front(0, 1);
}
"""
WRONG = (3, 4)  # the tile that goes wrong; of a smaller grid the last one
PAGE = 2048


def program(source, target, grid, kind):
    """Make the program: a page for each tile."""
    cores = ttnn.CoreRangeSet(
        [ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(grid.x - 1, grid.y - 1))]
    )
    readers, writers = ttnn.RuntimeArgs(), ttnn.RuntimeArgs()
    place = min(WRONG[0], grid.x - 1), min(WRONG[1], grid.y - 1)
    for y in range(grid.y):
        for x in range(grid.x):
            page, is_wrong = y * grid.x + x, (x, y) == place
            brings = page + (is_wrong and kind == "wrong")
            readers[x][y] = [source, brings, int(is_wrong and kind == "hang")]
            writers[x][y] = [target, page]
    common = {
        "source_type": ttnn.KernelDescriptor.SourceType.SOURCE_CODE,
        "core_ranges": cores,
        "compile_time_args": [],
    }
    kernels = [
        ttnn.KernelDescriptor(kernel_source=text, runtime_args=args, config=config, **common)
        for text, args, config in (
            (READER, readers, ttnn.ReaderConfigDescriptor()),
            (WRITER, writers, ttnn.WriterConfigDescriptor()),
        )
    ]
    form = ttnn.CBFormatDescriptor(buffer_index=0, data_format=ttnn.bfloat16, page_size=PAGE)
    buffer = ttnn.CBDescriptor(total_size=PAGE, core_ranges=cores, format_descriptors=[form])
    return ttnn.ProgramDescriptor(kernels=kernels, semaphores=[], cbs=[buffer])


def main(kind):
    """Run it, and compare."""
    device = ttnn.open_device(device_id=0)
    grid = device.compute_with_storage_grid_size()
    numbers = torch.arange(grid.x * grid.y + 1, dtype=torch.bfloat16)
    # Rows of a page each, all of a tensor in one bank.
    rows = numbers.repeat_interleave(PAGE // 2).reshape(1, -1)
    a = ttnn.from_torch(rows, device=device)
    result = ttnn.clone(a)
    print(f"{grid.x} x {grid.y} tiles", flush=True)
    ttnn.generic_op([a, result], program(a.buffer_address(), result.buffer_address(), grid, kind))
    found = ttnn.to_torch(result)[0, :: PAGE // 2][: grid.x * grid.y]
    is_right = torch.equal(found, numbers[: grid.x * grid.y])
    ttnn.close_device(device)
    if not is_right:
        sys.exit("a page is wrong")


if __name__ == "__main__":
    main(sys.argv[1])
