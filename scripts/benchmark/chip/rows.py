# SPDX-License-Identifier: Apache-2.0
"""The rows of `scripts/bench ttnn`, run by a Python that has ttnn: a line of JSON for each.

    python rows.py TIMES NAME...

A line says that a row begins, the next one how long its runs took: seconds of the processor in this
process and in those that it has started, and seconds by the clock. So the row in which a simulator
ends the process is known. Each result is compared with torch's.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

import torch
import ttnn

SIDES = {"64": 64, "256": 256, "512": 512, "1024": 1024}
NEAR = 0.99  # correlation with torch's result, of which each datum has another rounding


def correlated(result, wanted):
    """True if both say the same, up to rounding."""
    both = torch.stack((result.float().flatten(), wanted.float().flatten()))
    return bool(torch.isfinite(both).all()) and float(torch.corrcoef(both)[0, 1]) > NEAR


OPERATIONS = {
    "add": (lambda x: ttnn.add(x, x), lambda x: x + x),
    "exp": (ttnn.exp, torch.exp),
    "gelu": (ttnn.gelu, torch.nn.functional.gelu),
    "clone": (ttnn.clone, lambda x: x),
    "matmul": (lambda x: ttnn.matmul(x, x), lambda x: x @ x),
    "softmax": (
        lambda x: ttnn.softmax(x, dim=-1),
        lambda x: torch.softmax(x.float(), dim=-1),
    ),
    "layer_norm": (
        ttnn.layer_norm,
        lambda x: torch.nn.functional.layer_norm(x.float(), x.shape[-1:]),
    ),
    "sdpa": (
        lambda x: ttnn.transformer.scaled_dot_product_attention(x, x, x, is_causal=False),
        lambda x: torch.nn.functional.scaled_dot_product_attention(*[x.float()] * 3),
    ),
}


class Processor:
    """Seconds of the processor: of this process, and of the simulator if it has one of its own."""

    def __init__(self):
        self.others = []

    def look_for_others(self):
        """Those that this one has started, and that are there now."""
        own, found = str(os.getpid()), []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if parent == own:
                found.append(folder)
        self.others = found

    def seconds(self):
        """Of the host, and of the others."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        others = 0
        for folder in self.others:
            for thread in (folder / "task").glob("*/schedstat"):
                others += int(thread.read_text().split()[0])
        return used.ru_utime + used.ru_stime, others / 1e9


def say(**values):
    """Write a line that is read even if the next call ends the process."""
    print(json.dumps(values), flush=True)


def timed(processor, run):
    """Run it; the line's values, and what it returned."""
    host, server = processor.seconds()
    start = time.monotonic()
    result = run()
    end = time.monotonic()
    if not processor.others:
        processor.look_for_others()
    host_after, server_after = processor.seconds()
    return {
        "host": host_after - host,
        "server": server_after - server,
        "from": start,
        "to": end,
    }, result


def main(times, names):
    """Open a device, and run each row so many times."""
    processor = Processor()
    say(begins="open_device")
    opened, device = timed(processor, lambda: ttnn.open_device(device_id=0))
    say(row="open_device", runs=[opened], right=True)
    for name in names:
        operation, _, side = name.partition(" ")
        here, there = OPERATIONS[operation]
        torch.manual_seed(SIDES[side])
        shape = (SIDES[side], SIDES[side])
        x = torch.randn(*((1, 1) if operation == "sdpa" else ()), *shape, dtype=torch.bfloat16)
        given = ttnn.from_torch(x, layout=ttnn.TILE_LAYOUT, device=device)
        say(begins=name)
        runs, result = [], None
        for _ in range(times + 1):  # kernels are compiled in the first one
            run, result = timed(processor, lambda h=here, g=given: ttnn.to_torch(h(g)))
            runs.append(run)
        say(row=name, runs=runs[1:], right=correlated(result, there(x)))
    say(begins="close_device")
    ttnn.close_device(device)
    say(row="close_device", runs=[], right=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
