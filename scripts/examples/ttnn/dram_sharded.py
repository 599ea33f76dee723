# SPDX-License-Identifier: Apache-2.0
"""A matmul with weights that are sharded in DRAM, as decoders of language models do it.

scripts/ttnn --tiles 8x8 -- scripts/examples/ttnn/dram_sharded.py

Each bank of DRAM has some columns of the weights, and the tile next to its port reads them. So the
grid has to have these tiles: 7x4 at least.
"""

import sys

import numpy as np
import ttnn
from operations import is_right, tensor

ROWS, INNER, COLUMNS = 32, 256, 512
TILE = 32
READERS = 4  # tiles that hold the input, and the result


def in_width(columns, rows, width, memory):
    """Shards of so many rows and columns, in the first `columns` tiles of L1 or banks of DRAM."""
    row = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(columns - 1, 0))
    shard = ttnn.ShardSpec(ttnn.CoreRangeSet([row]), (rows, width), ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.WIDTH_SHARDED, memory, shard)


def main():
    """Print whether the weights come back and the product is NumPy's; 0 if so."""
    device = ttnn.open_device(device_id=0)
    draw = np.random.default_rng(1)
    a = draw.integers(-4, 4, (ROWS, INNER)).astype(np.float32)
    b = draw.integers(-4, 4, (INNER, COLUMNS)).astype(np.float32)
    wrong = 0
    try:
        banks = device.dram_grid_size().x
        in_dram = in_width(banks, INNER, COLUMNS // banks, ttnn.BufferType.DRAM)
        in_l1 = in_width(READERS, ROWS, INNER // READERS, ttnn.BufferType.L1)
        weights = ttnn.to_memory_config(tensor(b, device), in_dram)
        product = ttnn.matmul(
            ttnn.to_memory_config(tensor(a, device), in_l1),
            weights,
            program_config=ttnn.MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig(
                in0_block_w=INNER // TILE // READERS,
                per_core_M=ROWS // TILE,
                per_core_N=COLUMNS // TILE // READERS,
                fused_activation=None,
            ),
            memory_config=ttnn.MemoryConfig(
                ttnn.TensorMemoryLayout.WIDTH_SHARDED, ttnn.BufferType.L1
            ),
            dtype=ttnn.bfloat16,
        )
        for name, got, wanted in (("weights", weights, b), ("matmul", product, a @ b)):
            wrong += not is_right(name, got, wanted)
    finally:
        ttnn.close_device(device)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
