# SPDX-License-Identifier: Apache-2.0
"""Run one model in ttnn's Python, compare it with torch, and write a line of JSON.

tensix-gdb ttnn --python PYTHON -- scripts/examples/ttnn/models/inside.py NAME [FILE]

The numbers are random, of one seed, and the model of torch has those that the device gets: weights
and inputs in BF16. It computes in FP32.
"""

import importlib
import json
import pathlib
import sys
import time

import torch
import ttnn

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from timed import processes

SEED = 1
L1_SMALL = 32768  # what convolutions want of L1 for themselves


def spent():
    """Return the seconds of processor of this process and the simulator."""
    (_, own), others = processes()
    return own + sum(seconds for _, seconds in others)


def main(name, path=None):
    """Run it."""
    torch.manual_seed(SEED)
    module = importlib.import_module(name)
    model, operands = module.reference()
    if isinstance(model, torch.nn.Module):
        model.eval()
        for each in model.parameters():
            each.data = each.data.to(torch.bfloat16).float()
    operands = tuple(
        each.to(torch.bfloat16).float() if each.is_floating_point() else each for each in operands
    )
    with torch.no_grad():
        wanted = model(*operands)
    device = ttnn.open_device(device_id=0, l1_small_size=L1_SMALL)
    began, before = time.perf_counter(), spent()
    with torch.no_grad():
        got = module.run(model, operands, device)
    seconds, processor = time.perf_counter() - began, spent() - before
    (host, _), others = processes()
    ttnn.close_device(device)
    got, wanted = got.double().flatten(), wanted.double().flatten()
    said = {
        "values": len(wanted),
        "error": float((got - wanted).abs().max() / wanted.abs().max()),
        "correlation": float(torch.corrcoef(torch.stack([got, wanted]))[0, 1]),
        "seconds": seconds,
        "processor": processor,
        "host": host,
        "simulator": max((megabytes for megabytes, _ in others), default=0),
    }
    print(f"{name}: {said}")
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(said, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
