# SPDX-License-Identifier: Apache-2.0
"""The outputs of operations.py and more.py as files of float32, for random operands.

scripts/ttnn scripts/examples/ttnn/values.py DIR [NAME ...]
"""

import os
import sys

import numpy as np
import ttnn
from more import more_operations
from operations import SHAPE, array, operations, tensor


def main(folder, names):
    """Write DIR/NAME.bin for each; an operation that fails is a line."""
    os.makedirs(folder, exist_ok=True)
    device = ttnn.open_device(device_id=0)
    draw = np.random.default_rng(2)
    a, b = (draw.normal(size=SHAPE).astype(np.float32) for _ in range(2))
    try:
        known = {**operations(a, b, device), **more_operations(a, b, device, tensor)}
        for name in names or known:
            try:
                result = array(known[name][0]())
            except RuntimeError as problem:
                print(f"{name}: {str(problem).splitlines()[0]}", flush=True)
                continue
            with open(os.path.join(folder, f"{name}.bin"), "wb") as file:
                file.write(result.tobytes())
    finally:
        ttnn.close_device(device)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
