# SPDX-License-Identifier: Apache-2.0
"""Run operations of the catalogue in ttnn's Python, and write a line of JSON for each.

tensix-gdb ttnn --python PYTHON -- scripts/examples/ttnn/catalogue/inside.py LINES FOLDER NAME ...

LINES gets `{"begins": name}` before an operation and its result after it, so that the one at which
a program ends is known; `seconds` are of processor, of this process and the simulator, for a call
whose kernels are compiled, with its result read. FOLDER gets NAME.bin, the result as float32.
`inside.py names` prints the names of the table.
"""

import json
import os
import pathlib
import sys
import time
import traceback

import torch
import ttnn
from table import Operation, Rows, operations

SEED = 1
CALLS = 3  # that are timed
L1_SMALL = 16384  # what pools and convolutions want of L1 for themselves


def called(operation, position):
    """Return the operation's name in the table; a second call of one has a number."""
    return operation.name if position == 0 else f"{operation.name}-{position + 1}"


def table():
    """Return the operations by their name in the table."""
    seen, found = {}, {}
    for operation in operations():
        position = seen.get(operation.name, 0)
        seen[operation.name] = position + 1
        found[called(operation, position)] = operation
    return found


def _random(rows):
    if rows.dtype in ("int32", "uint32"):
        return torch.randint(int(rows.low), int(rows.high) + 1, rows.shape, dtype=torch.int32)
    if rows.dtype == "whole":
        return torch.randint(int(rows.low), int(rows.high), rows.shape).to(torch.bfloat16)
    values = torch.rand(rows.shape) * (rows.high - rows.low) + rows.low
    return values.to(torch.bfloat16)


def _both(value, device):
    """Return an operand for torch and for ttnn."""
    if isinstance(value, Rows):
        made = _random(value)
        dtype = getattr(ttnn, "bfloat16" if value.dtype == "whole" else value.dtype)
        layout = getattr(ttnn, value.layout)
        return made, ttnn.from_torch(made, dtype=dtype, layout=layout, device=device)
    if isinstance(value, list) and value and isinstance(value[0], Rows):
        return tuple(map(list, zip(*(_both(each, device) for each in value), strict=True)))
    if value == "device":
        return device, device
    if isinstance(value, str) and hasattr(ttnn, value):
        return getattr(ttnn, value), getattr(ttnn, value)
    return value, value


def _flat(result):
    """Return the tensors of a result as one row of float32."""
    if isinstance(result, ttnn.Tensor):
        result = ttnn.to_torch(result)
    if isinstance(result, torch.Tensor):
        return result.detach().to(torch.float32).flatten()
    parts = [_flat(each) for each in result if each is not None]
    return torch.cat(parts)


def _likeness(got, wanted):
    """Return the correlation, and the largest error as a part of the largest number."""
    kept = torch.isfinite(wanted)
    if not torch.equal(torch.isfinite(got), kept):
        return 0.0, float("inf")
    got, wanted = got[kept].double(), wanted[kept].double()
    error = float((got - wanted).abs().max() / max(float(wanted.abs().max()), 1e-9))
    if len(wanted) < 2 or float(got.std()) == 0 or float(wanted.std()) == 0:
        return float(error < 0.02), error
    return float(torch.corrcoef(torch.stack([got, wanted]))[0, 1]), error


def _operands(operation, device):
    """Return the operands of a call, each for torch and for ttnn: the same in every call."""
    torch.manual_seed(SEED)
    pairs = [_both(value, device) for value in operation.operands]
    return pairs, {name: _both(value, device) for name, value in operation.named.items()}


def _call(function, pairs, named):
    """Return what the device makes of them, read back."""
    return _flat(
        function(*(value for _, value in pairs), **{n: value for n, (_, value) in named.items()})
    )


class Meter:
    """The processor clocks of this process and of those that the driver has started."""

    def __init__(self):
        parents = {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                # After the name: state, parent, …
                words = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()
                parents[int(folder.name)] = int(words[1])
            except OSError:
                continue
        processes = {os.getpid()}
        while more := {pid for pid, parent in parents.items() if parent in processes} - processes:
            processes |= more
        # As clock_getcpuclockid makes them, in nanoseconds (the C library's, which Python has not).
        self.clocks = [~pid << 3 | 2 for pid in processes]

    def seconds(self):
        """Return their sum."""
        return sum(map(time.clock_gettime, self.clocks))

    def of_call(self, function, operation, device):
        """Return the seconds of a call: the least of a few."""
        spent = []
        for _ in range(CALLS):
            pairs, named = _operands(operation, device)
            before = self.seconds()
            _call(function, pairs, named)
            spent.append(self.seconds() - before)
        return min(spent)


def run(operation: Operation, device, golden, path, meter):
    """Run one, and return what there is to say of it."""
    pairs, named = _operands(operation, device)
    function = ttnn
    for part in operation.name.split("."):
        function = getattr(function, part)
    # A golden function may write its operand, as operations in place do.
    of_torch = [each.clone() if isinstance(each, torch.Tensor) else each for each, _ in pairs]
    if operation.name.endswith("_bw"):
        for each in of_torch:
            if isinstance(each, torch.Tensor):
                each.requires_grad_()
    wanted = golden(*of_torch, **{name: value for name, (value, _) in named.items()})
    got = _call(function, pairs, named)
    path.write_bytes(got.numpy().tobytes())
    said = {"seconds": round(meter.of_call(function, operation, device), 6)}
    if operation.correlation == 0:
        return {**said, "right": True, "correlation": None}
    wanted = _flat(wanted)
    if got.shape != wanted.shape:
        return {**said, "right": False, "why": f"{len(got)} numbers, torch has {len(wanted)}"}
    correlation, error = _likeness(got, wanted)
    right = correlation >= operation.correlation
    return {**said, "right": right, "correlation": round(correlation, 5), "error": round(error, 5)}


def main(lines, folder, names):
    """Run the operations of these names, or all."""
    golden = {
        each.python_fully_qualified_name.removeprefix("ttnn."): each.golden_function
        for each in ttnn.query_registered_operations()
    }
    known = table()
    folder = pathlib.Path(folder)
    device = ttnn.open_device(device_id=0, l1_small_size=L1_SMALL)
    meter = Meter()
    with open(lines, "a", buffering=1) as out:
        for name in names or known:
            out.write(json.dumps({"begins": name}) + "\n")
            function = known[name].golden or golden[known[name].name]
            try:
                said = run(known[name], device, function, folder / f"{name}.bin", meter)
            except Exception as problem:  # a row of the table for each
                last = traceback.extract_tb(problem.__traceback__)[-1]
                text = " ".join(str(problem).split())[:300]
                said = {"right": False, "why": f"{type(problem).__name__}: {text}",
                        "at": f"{pathlib.Path(last.filename).name}:{last.lineno}"}  # fmt: skip
            out.write(json.dumps({"name": name, **said}) + "\n")
    ttnn.close_device(device)


if __name__ == "__main__":
    if sys.argv[1:] == ["names"]:
        print(*table())
        sys.exit()
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
