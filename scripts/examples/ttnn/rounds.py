# SPDX-License-Identifier: Apache-2.0
"""Operations of ttnn, over and over, until standard input ends: a program to attach to.

scripts/ttnn scripts/examples/ttnn/rounds.py

`scripts/bench attaches` attaches GDB to it, on a machine that has other things to do.
"""

import select
import sys
from itertools import count

import numpy as np
import ttnn
from operations import SHAPE, array, tensor


def main():
    """Add and subtract; 0 if all results are right."""
    device = ttnn.open_device(device_id=0)
    draw = np.random.default_rng(1)
    a, b = (draw.integers(-8, 8, SHAPE).astype(np.float32) for _ in range(2))
    wrong = 0
    try:
        x, y = tensor(a, device), tensor(b, device)
        for done in count(1):
            wrong += not np.array_equal(array(ttnn.add(x, y)), a + b)
            wrong += not np.array_equal(array(ttnn.subtract(x, y)), a - b)
            if done == 1:
                print("goes on", flush=True)
            if select.select([sys.stdin], [], [], 0)[0]:
                print(f"{done} rounds, {wrong} results WRONG" if wrong else f"{done} rounds: right")
                return 1 if wrong else 0
    finally:
        ttnn.close_device(device)


if __name__ == "__main__":
    sys.exit(main())
