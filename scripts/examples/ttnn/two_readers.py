# SPDX-License-Identifier: Apache-2.0
"""Two operands in DRAM, read by one core of each tile or by both, multiplied, the product in L1.

scripts/ttnn --tiles 8x2 -- scripts/examples/ttnn/two_readers.py CASE ...

A case is READERS,BLOCK,BYTES,PAYLOAD,WxH: `nc` (NC reads both operands on NoC 0), `b` (B does on
NoC 1) or `both` (NC one, B the other); tiles for each barrier; bytes of a request, 0 for a page;
`math`, or `none` if nothing is multiplied; tiles of the chip. It is what tt-metal's example
dual_noc_read measures, of which there are a card's times (scripts/published/ttnn.csv). Kernels are
written anew.
"""

import sys

import numpy as np
import ttnn
from operations import array, tensor

PAGE, WIDTH, IN_DST = 2048, 4, 8  # bytes of a tile, tiles in a row of an operand, tiles in Dst
ROWS_ALONE, ROWS_EACH = 1024, 256  # of an operand: of one tile, of each of several
LAUNCHES = 2  # the second finds its code where the first has left it
READ = """
#include "api/dataflow/dataflow_api.h"
constexpr uint32_t BLOCK = get_compile_time_arg_val(0), BYTES = get_compile_time_arg_val(1);
constexpr uint32_t OPERANDS = get_compile_time_arg_val(2), PAGE = get_compile_time_arg_val(3);

template <uint32_t CB, typename Operand>
FORCE_INLINE void request(const Operand& operand, uint32_t first) {
    const uint32_t to = get_write_ptr(CB);
    for (uint32_t tile = 0; tile < BLOCK; tile++)
        for (uint32_t at = 0; at < PAGE; at += BYTES)
            noc_async_read(operand.get_noc_addr(first + tile) + at, to + tile * PAGE + at, BYTES);
}

void kernel_main() {
    constexpr auto left = TensorAccessorArgs<4>();
    constexpr auto right = TensorAccessorArgs<left.next_compile_time_args_offset()>();
    const auto a = TensorAccessor(left, get_arg_val<uint32_t>(0), PAGE);
    const auto b = TensorAccessor(right, get_arg_val<uint32_t>(1), PAGE);
    const uint32_t first = get_arg_val<uint32_t>(2), tiles = get_arg_val<uint32_t>(3);
    if constexpr (OPERANDS)
        for (uint32_t done = 0; done < tiles; done += BLOCK) {
            if constexpr (OPERANDS & 1) cb_reserve_back(0, BLOCK);
            if constexpr (OPERANDS & 2) cb_reserve_back(1, BLOCK);
            if constexpr (OPERANDS & 1) request<0>(a, first + done);
            if constexpr (OPERANDS & 2) request<1>(b, first + done);
            noc_async_read_barrier();
            if constexpr (OPERANDS & 1) cb_push_back(0, BLOCK);
            if constexpr (OPERANDS & 2) cb_push_back(1, BLOCK);
        }
}
"""
MULTIPLY = """
#include "api/compute/common.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/tile_move_copy.h"
constexpr uint32_t CHUNK = get_compile_time_arg_val(0);

void kernel_main() {
    compute_kernel_hw_startup(0, 1, 16);
    mul_init(0, 1);
    for (uint32_t left = get_arg_val<uint32_t>(0); left; left -= CHUNK) {
        cb_wait_front(0, CHUNK);
        cb_wait_front(1, CHUNK);
        cb_reserve_back(16, CHUNK);
        tile_regs_acquire();
        if constexpr (get_compile_time_arg_val(1))
            for (uint32_t tile = 0; tile < CHUNK; tile++) mul_tiles(0, 1, tile, tile, tile);
        tile_regs_commit();
        tile_regs_wait();
        for (uint32_t tile = 0; tile < CHUNK; tile++) pack_tile(tile, 16);
        tile_regs_release();
        cb_push_back(16, CHUNK);
        cb_pop_front(0, CHUNK);
        cb_pop_front(1, CHUNK);
    }
}
"""
READERS = {"nc": (3, 0), "b": (0, 3), "both": (1, 2)}  # operands of NC, of B, as bits
SOURCE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE


def product(left, right, case):
    """Multiply, and return the product, which is in L1."""
    readers, block, size, payload, grid = case.split(",")
    width, height = (int(part) for part in grid.split("x"))
    corners = ttnn.CoreCoord(0, 0), ttnn.CoreCoord(width - 1, height - 1)
    tiles = ttnn.CoreRangeSet([ttnn.CoreRange(*corners)])
    rows = left.shape[0] // (width * height)
    of_each = rows // 32 * WIDTH
    out = ttnn.allocate_tensor_on_device(
        left.shape, ttnn.bfloat16, ttnn.TILE_LAYOUT, left.device(),
        ttnn.create_sharded_memory_config(
            (rows, 32 * WIDTH), core_grid=tiles, strategy=ttnn.ShardStrategy.HEIGHT,
            orientation=ttnn.ShardOrientation.ROW_MAJOR, use_height_and_width_as_shard_shape=True,
        ),
    )  # fmt: skip
    read, multiply = ttnn.RuntimeArgs(), ttnn.RuntimeArgs()
    for number in range(width * height):
        x, y = number % width, number // width
        addresses = [left.buffer_address(), right.buffer_address()]
        read[x][y] = [*addresses, number * of_each, of_each]
        multiply[x][y] = [of_each]
    accessors = [
        word
        for operand in (left, right)
        for word in ttnn.TensorAccessorArgs(operand).get_compile_time_args()
    ]

    def kernel(source, words, arguments, config):
        return ttnn.KernelDescriptor(
            kernel_source=source, source_type=SOURCE, core_ranges=tiles,
            compile_time_args=words, runtime_args=arguments, config=config,
        )  # fmt: skip

    def buffer(index):
        pages = ttnn.CBFormatDescriptor(
            buffer_index=index, data_format=ttnn.bfloat16, page_size=PAGE
        )
        two = 2 * int(block) * PAGE
        return ttnn.CBDescriptor(total_size=two, core_ranges=tiles, format_descriptors=[pages])

    configs = ttnn.ReaderConfigDescriptor(), ttnn.WriterConfigDescriptor()
    kernels = [
        kernel(READ, [int(block), int(size) or PAGE, operands, PAGE, *accessors], read, config)
        for operands, config in zip(READERS[readers], configs, strict=True)
    ]
    chunk = [min(int(block), IN_DST), int(payload == "math")]
    kernels.append(kernel(MULTIPLY, chunk, multiply, ttnn.ComputeConfigDescriptor()))
    buffers = [buffer(0), buffer(1), ttnn.cb_descriptor_from_sharded_tensor(16, out)]
    program = ttnn.ProgramDescriptor(kernels=kernels, semaphores=[], cbs=buffers)
    return ttnn.generic_op([left, right, out], program)


def main(cases):
    """Multiply in each case; 0 if what was multiplied is right."""
    values = np.random.default_rng(45)
    device = ttnn.open_device(device_id=0)
    wrong = 0
    try:
        for case in cases:
            width, height = (int(part) for part in case.rpartition(",")[2].split("x"))
            rows = ROWS_EACH * width * height if width * height > 1 else ROWS_ALONE
            shape = rows, 32 * WIDTH
            operands = [values.integers(0, 16, shape).astype(np.float32) for _ in range(2)]
            left, right = (tensor(operand, device) for operand in operands)
            for _ in range(LAUNCHES):
                result = product(left, right, case)
            if ",math," in case:
                is_right = bool((array(result) == operands[0] * operands[1]).all())
                wrong += not is_right
                print(f"{case}: {'right' if is_right else 'WRONG'}", flush=True)
    finally:
        ttnn.close_device(device)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
