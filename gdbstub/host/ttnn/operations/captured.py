# SPDX-License-Identifier: Apache-2.0
"""The operations of a device that a script of ttnn launches: names, operands, programs.

They are of ttnn's own graph (`ttnn.graph`, 0.81.1), which has for each program that is launched
the number that its launch messages carry (`runtime_id`), and around it the operation with its
attributes and tensors.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.host.ttnn.operations.wanted import VARIABLE

_SHAPE = re.compile(r"Shape\(\[([\d, ]*)\]\)")
_IN_MEMORY = re.compile(r"memory_layout=TensorMemoryLayout::(\w+),buffer_type=BufferType::(\w+)")
_FIDELITY = re.compile(r"math_fidelity=(\w+)")


@contextlib.contextmanager
def capturing() -> Iterator[None]:
    """Capture meanwhile, and write what was launched; what fails has launched something, too."""
    import ttnn

    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    try:
        yield
    finally:
        graph = None
        # A device begins one of its own meanwhile, which has no graph.
        while graph is None and ttnn.graph.is_graph_capture_active():
            graph = ttnn.graph.end_graph_capture()
        text = "".join(json.dumps(one) + "\n" for one in operations_of(graph or []))
        Path(os.environ[VARIABLE]).write_text(text, encoding="utf-8")


def operations_of(graph: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield each launch of a program, in their order."""
    open_ones: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    by_number = {node["counter"]: node for node in graph}
    for node in graph:
        kind = node["node_type"]
        if kind == "function_start":
            open_ones.append((node, []))
        elif kind == "program_execution" and open_ones:
            open_ones[-1][1].append(node)
        elif kind == "function_end" and open_ones:
            start, launches = open_ones.pop()
            results = [by_number[n] for n in node["connections"] if n in by_number]
            for launch in launches:
                yield _operation(start, launch, by_number, results, [one for one, _ in open_ones])


def _operation(
    start: dict[str, Any],
    launch: dict[str, Any],
    by_number: dict[int, dict[str, Any]],
    results: list[dict[str, Any]],
    around: list[dict[str, Any]],
) -> dict[str, Any]:
    attributes = " ".join(map(str, start["arguments"][:1]))
    fidelity = _FIDELITY.search(attributes)
    of = start["params"]
    names = [one["params"]["name"] for one in around]
    return {
        "program": int(launch["params"]["runtime_id"]),
        "device": int(launch["params"]["physical_device_id"]),
        "call": int(launch["params"]["global_call_count"]),
        "name": of["name"],
        "called": names[0] if names else of["name"],
        "hit": bool(of.get("program_cache_hit")),
        "factory": of.get("program_factory_type", ""),
        "attributes": attributes,
        "fidelity": fidelity[1] if fidelity else "",
        "inputs": [_tensor(by_number[number]) for number in start["input_tensors"]],
        "outputs": [_tensor(node) for node in results if node["node_type"] == "tensor"],
    }


def _tensor(node: dict[str, Any]) -> dict[str, Any]:
    of = node["params"]
    shape, memory = _SHAPE.search(of["shape"]), _IN_MEMORY.search(of.get("memory_config", ""))
    return {
        "shape": [int(n) for n in shape[1].split(",") if n.strip()] if shape else [],
        "dtype": of["dtype"].rpartition("::")[2],
        "layout": of["layout"].rpartition("::")[2],
        "memory": f"{memory[2]}_{memory[1]}" if memory else "",
    }
