# SPDX-License-Identifier: Apache-2.0
"""Reductions of a sequence of operations: its parts that can be made simpler.

A reduction names a part of a sequence, so that any of them can be made together.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy

from tensix_gdb.gdbstub.fuzz.draw import DATA, KINDS, TILE, Definition
from tensix_gdb.gdbstub.fuzz.trial import Trial

FLOAT16_B = "Float16_b"
# Options of nodes, with what they are without being said.
OPTIONS = (
    *("transpose_faces", "transpose_within_face", "broadcast_type", "unpack_to_dest"),
    "pack_relu",
)
PLAIN = {"math_fidelity": "LoFi", "packer": "Packer"}

# A kind, and where: an operand's name, or a stage, a part of it and a node of that.
Reduction = tuple[str, str | int, str, int, str]


def reductions_of(definition: Definition) -> Iterator[Reduction]:
    """Yield all that can be made simpler. Formats and the use of Dst, on which most depends, are
    next to each other: what is halved is better without both."""
    stages = definition["operations"]
    for at, stage in enumerate(stages):
        for node in range(1, len(stage["math"])):
            yield ("node", at, "math", node, "")
    yield ("one tile", "", "", 0, "")
    if any("tile_dims" in one for one in definition["operands"]):
        yield ("whole tile", "", "", 0, "")
    for at, stage in enumerate(stages):
        for part in ("math", "pack"):
            for place, node in enumerate(stage[part]):
                for name in OPTIONS:
                    if name in node:
                        yield ("option", at, part, place, name)
                for name, plain in PLAIN.items():
                    if node.get(name, plain) != plain:
                        yield ("option", at, part, place, name)
    if "dest_acc" in definition:
        yield ("dest_acc", "", "", 0, "")
    for at, stage in enumerate(stages):
        if "dest_sync" in stage:
            yield ("dest_sync", at, "", 0, "")
    formats = {one["name"]: one["format"] for one in definition["operands"]}
    for name, format in formats.items():
        if format in KINDS["B"] and format != FLOAT16_B:
            yield ("format", name, "", 0, "")
    if any(format in KINDS["A"] for format in formats.values()):
        yield ("exponents", "", "", 0, "")


def reduced(definition: Definition, reductions: Collection[Reduction]) -> Definition:
    """Return a sequence with these reductions made. Nodes are taken out last: others are named by
    their places."""
    new = deepcopy(definition)
    for one in sorted(reductions, key=lambda one: (one[0] == "node", -one[3], str(one))):
        _make(new, one)
    return without_unused(new)


def _make(new: Definition, reduction: Reduction) -> None:
    kind, where, part, place, name = reduction
    operands = {one["name"]: one for one in new["operands"]}
    stages = new["operations"]
    if kind == "node":
        del stages[where]["math"][place]
    elif kind in ("one tile", "whole tile"):
        _shrink(new, whole=kind == "whole tile")
    elif kind == "dest_acc":
        del new["dest_acc"]
    elif kind == "dest_sync":
        del stages[where]["dest_sync"]
    elif kind == "option":
        node = stages[where][part][place]
        node.pop(name)
        if name in PLAIN:
            node[name] = PLAIN[name]
    elif kind == "format":
        operands[str(where)]["format"] = FLOAT16_B
    else:
        for one in operands.values():
            if one["format"] in KINDS["A"]:
                one["format"] = FLOAT16_B


def _shrink(new: Definition, *, whole: bool) -> None:
    """Leave one tile of each operand, one at a time in Dst; or as many tiles, of 32x32."""
    nodes = [node for stage in new["operations"] for node in (*stage["math"], *stage["pack"])]
    if not whole:
        for one in new["operands"]:
            one["dims"] = list(one.get("tile_dims", (TILE, TILE)))
        for node in nodes:
            node["block_size"] = list(new["operands"][0]["dims"])
        return
    rows, columns = next(one["tile_dims"] for one in new["operands"] if "tile_dims" in one)
    for dims in (*(one["dims"] for one in new["operands"]), *_blocks(nodes)):
        dims[:] = [dims[0] // rows * TILE, dims[1] // columns * TILE]
    for one in new["operands"]:
        one.pop("tile_dims", None)
    for node in nodes:
        if "iterations" in node:
            node["iterations"] = TILE


def _blocks(nodes: list[Definition]) -> Iterator[list[int]]:
    """Yield the sizes of blocks, each list once: nodes of a stage may share one."""
    seen = set()
    for node in nodes:
        node["block_size"] = list(node["block_size"])
        if id(node["block_size"]) not in seen:
            seen.add(id(node["block_size"]))
            yield node["block_size"]


def with_operations(definition: Definition, kept: Sequence[int]) -> Definition:
    """Return a sequence with these operations alone: what others have made is filled by the host
    instead."""
    stages = [definition["operations"][at] for at in kept]
    return without_unused(deepcopy({**definition, "operations": stages}))


def count_of(definition: Definition) -> int:
    """Count the operations."""
    return len(definition["operations"])


def first_wrong(trial: Trial) -> int | None:
    """Return the place of the first operation with a wrong output; None if no output was seen."""
    wrong = {one["name"] for one in trial.outputs if not one["good"]}
    stages = trial.definition["operations"]
    return next(
        (
            at
            for at, stage in enumerate(stages)
            if any(pack["output"] in wrong for pack in stage["pack"])
        ),
        None,
    )


def without_unused(definition: Definition) -> Definition:
    """Leave out operands that nothing names; what nothing makes any more is filled by the host."""
    made, read = set(), set()
    for stage in definition["operations"]:
        made |= {pack["output"] for pack in stage["pack"]}
        read |= {node[name] for node in stage["math"] for name in ("in0", "in1") if name in node}
    kept = [one for one in definition["operands"] if one["name"] in made | read]
    for one in kept:
        if one["name"] not in made:
            one.setdefault("stimuli", DATA)
    return {**definition, "operands": kept}


def key_of(definition: Definition) -> str:
    """Return a text that two sequences have in common only if they are the same."""
    return json.dumps(definition, sort_keys=True)
