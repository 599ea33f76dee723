# SPDX-License-Identifier: Apache-2.0
"""A sequence in a few lines: its operands, an operation a line, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.gdbstub.fuzz.cut import Cut
from tensix_gdb.gdbstub.fuzz.draw import Definition
from tensix_gdb.gdbstub.fuzz.trial import End, Trial

SIGNS = {"Elwadd": "+", "Elwsub": "-", "Elwmul": "*", "Matmul": "@", "MatmulNoMop": "@"}


def lines_of(name: str, whole: Trial, cut: Cut) -> list[str]:
    """Return the lines about a sequence that fails: cut down, of how many, and why."""
    before, now = (len(one.definition["operations"]) for one in (whole, cut.least))
    runs = f"{cut.tried} run{'s' if cut.tried > 1 else ''}"
    words = f", cut down to {now} of {before} operations in {runs}" if cut.tried else ""
    words += "" if cut.complete else f" and {cut.seconds:.0f} s, which is all that it was given"
    return [f"{name}: {cut.least.end.value}{words}", *(f"    {line}" for line in said(cut.least))]


def said(trial: Trial) -> Iterator[str]:
    """Yield the lines of a sequence, and of what is wrong."""
    definition = trial.definition
    made = {pack["output"] for stage in definition["operations"] for pack in stage["pack"]}
    operands = {one["name"]: one for one in definition["operands"]}
    inputs = [one for one in definition["operands"] if one["name"] not in made]
    if definition.get("dest_acc"):
        yield "Dst has 32 bits"
    if inputs:
        yield "; ".join(f"{one['name']}: {_shape(one)}" for one in inputs)
    for stage in definition["operations"]:
        yield _stage(stage, operands)
    yield from _wrong(trial, operands)


def _stage(stage: Definition, operands: dict[str, Definition]) -> str:
    text = " ".join(_node(node) for node in stage["math"])
    (pack,) = stage["pack"]
    output = operands[pack["output"]]
    words = [pack["packer"]] if pack["packer"] != "Packer" else []
    words += [pack["pack_relu"]] if "pack_relu" in pack else []
    words += [stage["dest_sync"]] if "dest_sync" in stage else []
    words += [f"{_blocks(pack, output)}"] if _blocks(pack, output) else []
    said = f" ({', '.join(words)})" if words else ""
    return f"{pack['output']}: {_shape(output)} = {text}{said}"


def _node(node: Definition) -> str:
    operation = node["operation"]
    if node["type"] == "UnarySfpu":
        return f"then {operation}"
    if "in1" in node and operation in SIGNS:
        text = f"{node['in0']} {SIGNS[operation]} {node['in1']}"
    else:
        text = f"{operation} of {node['in0']}"
    words = [operation] if operation == "MatmulNoMop" else []
    words += [
        str(node[name]) for name in ("reduce_dim", "reduce_pool", "math_fidelity") if name in node
    ]
    words += [f"broadcast {node['broadcast_type']}"] if "broadcast_type" in node else []
    words += [
        name
        for name in ("transpose_faces", "transpose_within_face", "unpack_to_dest")
        if node.get(name)
    ]
    return text + (f" [{', '.join(words)}]" if words else "")


def _shape(operand: Definition) -> str:
    rows, columns = operand["dims"]
    tile = operand.get("tile_dims")
    said = f"{operand['format']} {rows}x{columns}"
    said += f" in tiles of {tile[0]}x{tile[1]}" if tile else ""
    data = operand.get("stimuli")
    return said if data is None or isinstance(data, list) else f"{said} of {data}"


def _blocks(pack: Definition, output: Definition) -> str:
    rows, columns = output["dims"]
    high, wide = pack["block_size"]
    return "" if (high, wide) == (rows, columns) else f"blocks of {high}x{wide}"


def _wrong(trial: Trial, operands: dict[str, Definition]) -> Iterator[str]:
    if trial.end is not End.WRONG:
        yield trial.why
        return
    for output in trial.outputs:
        if not output["good"] and "first" in output:
            yield f"{_place(output, operands[output['name']])}"


def _place(output: dict[str, Any], operand: Definition) -> str:
    row, column = divmod(output["first"], operand["dims"][1])
    return (
        f"{output['name']}[{row}, {column}] is {output['got']:.6g}, and in the golden "
        f"{output['golden']:.6g}; so {output['far']:,} of {output['data']:,}"
    )
