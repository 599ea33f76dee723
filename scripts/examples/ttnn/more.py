# SPDX-License-Identifier: Apache-2.0
"""More operations of ttnn than those of operations.py, compared with NumPy.

scripts/ttnn [--tiles 2x2 --] scripts/examples/ttnn/operations.py all

Each of them has kernels of its own, which take the compiler some ten seconds.
"""

import numpy as np
import ttnn


def more_operations(a, b, device, tensor):
    """Each operation: what ttnn gives, and what NumPy gives. `tensor` puts an array onto the
    device, as tiles of BF16 in DRAM."""
    x, y = tensor(a, device), tensor(b, device)
    row = tensor(b[:1], device)
    in_rows = ttnn.Tensor(a, ttnn.bfloat16, device, ttnn.ROW_MAJOR_LAYOUT)
    chosen = np.arange(32, dtype=np.uint32)[None] * 7 % len(a)
    indices = ttnn.Tensor(chosen, ttnn.uint32, device, ttnn.ROW_MAJOR_LAYOUT)
    half = len(a) // 2
    return {
        "add_bcast": (lambda: ttnn.add(x, row), lambda: a + b[:1]),
        "add_scalar": (lambda: ttnn.add(x, 3.0), lambda: a + 3),
        "linear": (lambda: ttnn.linear(x, y, bias=row), lambda: a @ b + b[:1]),
        "untilize": (lambda: ttnn.untilize(x), lambda: a),
        "permute": (
            lambda: ttnn.permute(ttnn.reshape(x, (2, half, len(a))), (1, 0, 2)),
            lambda: a.reshape(2, half, len(a)).transpose(1, 0, 2),
        ),
        "concat": (lambda: ttnn.concat([x, y], 1), lambda: np.concatenate([a, b], 1)),
        "slice": (lambda: ttnn.slice(x, [half, 0], [len(a), half]), lambda: a[half:, :half]),
        "pad": (
            lambda: ttnn.pad(x, [(0, half), (0, half)], 1.0),
            lambda: np.pad(a, ((0, half), (0, half)), constant_values=1),
        ),
        "reshape": (
            lambda: ttnn.reshape(x, (half, 2 * len(a))),
            lambda: a.reshape(half, 2 * len(a)),
        ),
        "embedding": (lambda: ttnn.embedding(indices, in_rows), lambda: a[chosen]),
        "to_memory_config": (
            lambda: ttnn.to_memory_config(x, ttnn.L1_MEMORY_CONFIG),
            lambda: a,
        ),
        "typecast": (lambda: ttnn.typecast(x, ttnn.float32), lambda: a),
        "exp": (lambda: ttnn.exp(x), lambda: np.exp(a)),
    }
