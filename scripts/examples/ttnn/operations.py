# SPDX-License-Identifier: Apache-2.0
"""Operations of ttnn on one tile, or a grid of them, compared with NumPy.

scripts/ttnn [--tiles 2x2 --] scripts/examples/ttnn/operations.py [NAME ... | all]

`all` are those of more.py, too.
"""

import sys

import numpy as np
import ttnn
from more import more_operations

SHAPE = (64, 64)  # four tiles
KERNEL = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint32_t from = get_arg_val<uint32_t>(0), to = get_arg_val<uint32_t>(1);
    uint32_t l1 = get_write_ptr(0), size = get_arg_val<uint32_t>(2);
    uint32_t banks = get_arg_val<uint32_t>(4);
    // Pages are dealt out to the banks of DRAM in turn.
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(3); page++) {
        noc_async_read(get_noc_addr_from_bank_id<true>(page % banks, from), l1, size);
        noc_async_read_barrier();
        noc_async_write(l1, get_noc_addr_from_bank_id<true>(page % banks, to), size);
        noc_async_write_barrier();
    }
}
"""


def tensor(values, device):
    """Put an array onto the device, as tiles of BF16 in DRAM."""
    return ttnn.Tensor(values, ttnn.bfloat16, device, ttnn.TILE_LAYOUT)


def array(result):
    """Bring a tensor back, as an array of float32."""
    host = ttnn.to_dtype(result.cpu().to(ttnn.ROW_MAJOR_LAYOUT), ttnn.float32)
    return np.asarray(host.to_numpy(), dtype=np.float32)


def copied(source):
    """Copy a tensor by a kernel of our own, which is compiled from the text above."""
    result = ttnn.clone(source)
    result = ttnn.subtract(result, result)
    core = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))])
    pages, size, banks = 4, 2048, source.device().dram_grid_size().x
    arguments = ttnn.RuntimeArgs()
    arguments[0][0] = [source.buffer_address(), result.buffer_address(), size, pages, banks]
    kernel = ttnn.KernelDescriptor(
        kernel_source=KERNEL,
        source_type=ttnn.KernelDescriptor.SourceType.SOURCE_CODE,
        core_ranges=core,
        compile_time_args=[],
        runtime_args=arguments,
        config=ttnn.ReaderConfigDescriptor(),
    )
    buffer = ttnn.CBFormatDescriptor(buffer_index=0, data_format=ttnn.bfloat16, page_size=size)
    staging = ttnn.CBDescriptor(total_size=size, core_ranges=core, format_descriptors=[buffer])
    program = ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[], cbs=[staging])
    return ttnn.generic_op([source, result], program)


def in_shards(tensor_, device):
    """Move a tensor into the L1 of up to 2x2 tiles, a block to each."""
    grid = device.compute_with_storage_grid_size()
    blocks = ttnn.create_sharded_memory_config(
        shape=SHAPE,
        core_grid=ttnn.CoreGrid(y=min(grid.y, 2), x=min(grid.x, 2)),
        strategy=ttnn.ShardStrategy.BLOCK,
    )
    return ttnn.to_memory_config(tensor_, blocks)


def operations(a, b, device):
    """Each operation: what ttnn gives, and what NumPy gives."""
    x, y = tensor(a, device), tensor(b, device)
    in_l1 = lambda: ttnn.to_memory_config(tensor(a, device), ttnn.L1_MEMORY_CONFIG)  # noqa: E731
    return {
        "add": (lambda: ttnn.add(x, y), lambda: a + b),
        "sub": (lambda: ttnn.subtract(x, y), lambda: a - b),
        "matmul": (lambda: ttnn.matmul(x, y), lambda: a @ b),
        "matmul_256": (
            lambda: ttnn.matmul(
                tensor(np.tile(a, (4, 4)), device), tensor(np.tile(b, (4, 4)), device)
            ),
            lambda: np.tile(4 * (a @ b), (4, 4)),
        ),
        "clone": (lambda: ttnn.clone(x), lambda: a),
        "tilize": (lambda: ttnn.tilize(ttnn.untilize(x)), lambda: a),
        "transpose": (lambda: ttnn.transpose(x, 0, 1), lambda: a.T),
        "sum": (lambda: ttnn.sum(x, 1), lambda: a.sum(1)),
        "mean": (lambda: ttnn.mean(x, 1), lambda: a.mean(1)),
        "l1": (lambda: ttnn.add(in_l1(), y), lambda: a + b),
        "sharded": (lambda: ttnn.add(in_shards(x, device), in_shards(y, device)), lambda: a + b),
        "generic_op": (lambda: copied(x), lambda: a),
    }


def is_right(name, result, wanted):
    """Print whether a tensor has the values of an array, and return it."""
    got = array(result).reshape(wanted.shape)
    # BF16 has 8 bits, and matmul adds up in it.
    right = bool((np.abs(got - wanted) <= np.abs(wanted).max() / 64).all())
    print(f"{name}: {'right' if right else 'WRONG'}", flush=True)
    return right


def main(names):
    """Run them; 0 if all are right."""
    device = ttnn.open_device(device_id=0)
    draw = np.random.default_rng(1)
    a, b = (draw.integers(-8, 8, SHAPE).astype(np.float32) for _ in range(2))
    wrong = 0
    try:
        usual = operations(a, b, device)
        known = {**usual, **more_operations(a, b, device, tensor)}
        for name in known if names == ["all"] else names or usual:
            by_ttnn, by_numpy = known[name]
            wrong += not is_right(name, by_ttnn(), by_numpy())
    finally:
        ttnn.close_device(device)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
