# SPDX-License-Identifier: Apache-2.0
"""Cutting down: a sequence that fails, made smaller for as long as it fails in the same way.

Each round tries a kind of what is one step smaller, and takes the smallest that fails. It ends when
nothing smaller does, so of what is left each part is needed. Several are cut down together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from copy import deepcopy

from tensix_gdb.gdbstub.fuzz.draw import DATA, TILE, Definition
from tensix_gdb.gdbstub.fuzz.trial import Trial

# Options of nodes, with what they are without being said.
NODE_OPTIONS = ("transpose_faces", "transpose_within_face", "broadcast_type", "unpack_to_dest")
PLAIN = {"math_fidelity": "LoFi", "packer": "Packer"}
MOST_TRIED = 100
FLOAT16_B, FLOAT16 = "Float16_b", "Float16"

Run = Callable[[dict[str, Definition]], dict[str, Trial]]


def cut_down(trials: Mapping[str, Trial], run: Run) -> dict[str, tuple[Trial, int]]:
    """Return for each sequence the smallest that was found to fail in the same way, and how many
    were tried. What is tried of all sequences in a round is one run of the suite, which takes
    longer to begin than a kernel to run."""
    cuts = {name: _cut(trial) for name, trial in trials.items()}
    ends: dict[str, tuple[Trial, int]] = {}
    answers: dict[str, list[Trial] | None] = dict.fromkeys(cuts)
    while len(ends) < len(cuts):
        asked: dict[str, list[Definition]] = {}
        for name, answer in answers.items():
            try:
                asked[name] = cuts[name].send(answer)
            except StopIteration as end:
                ends[name] = end.value
        named = {f"{name}-{at}": one for name in asked for at, one in enumerate(asked[name])}
        found = run(named) if named else {}
        answers = {
            name: [found[f"{name}-{at}"] for at in range(len(asked[name]))] for name in asked
        }
    return ends


def _cut(trial: Trial) -> Generator[list[Definition], list[Trial] | None, tuple[Trial, int]]:
    """Yield what is to be tried, and take how each of it ended; return the smallest."""
    tried = 0
    seen = {_key(trial.definition)}
    steps = list(STEPS)
    while steps and tried < MOST_TRIED:
        new = {_key(each): each for each in map(_without_unused, steps[0](trial.definition))}
        new = {key: each for key, each in new.items() if key not in seen}
        seen |= set(new)
        tried += len(new)
        found = (yield list(new.values())) if new else None
        failing = [one for one in found or () if one.end is trial.end]
        if failing:
            trial = min(failing, key=lambda one: size(one.definition))
            steps = list(STEPS)
        else:
            del steps[0]
    return trial, tried


def size(definition: Definition) -> tuple[int, int, int]:
    """Return what is compared: nodes, data, and how much is said."""
    nodes = sum(len(stage["math"]) for stage in definition["operations"])
    data = sum(one["dims"][0] * one["dims"][1] for one in definition["operands"])
    return nodes, data, len(_key(definition))


def _fewer_operations(definition: Definition) -> Iterator[Definition]:
    """Without one operation, or without all but one: its output is filled by the host instead."""
    stages = definition["operations"]
    if len(stages) < 2:
        return
    for index in range(len(stages)):
        yield _copy(definition, operations=[stages[index]])
        yield _copy(definition, operations=stages[:index] + stages[index + 1 :])


def _fewer_nodes(definition: Definition) -> Iterator[Definition]:
    for index, stage in enumerate(definition["operations"]):
        for node in range(1, len(stage["math"])):
            new = _copy(definition)
            del new["operations"][index]["math"][node]
            yield new


def _one_tile(definition: Definition) -> Iterator[Definition]:
    """One tile of each operand, and one at a time in Dst."""
    new = _copy(definition)
    for one in new["operands"]:
        one["dims"] = list(one.get("tile_dims", (TILE, TILE)))
    block = list(new["operands"][0]["dims"])
    for stage in new["operations"]:
        for node in (*stage["math"], *stage["pack"]):
            node["block_size"] = block
    yield new
    if any("tile_dims" in one for one in definition["operands"]):
        new = deepcopy(new)
        for one in new["operands"]:
            one["dims"] = [TILE, TILE]
            one.pop("tile_dims", None)
        for stage in new["operations"]:
            for node in (*stage["math"], *stage["pack"]):
                node["block_size"] = [TILE, TILE]
                if "iterations" in node:
                    node["iterations"] = 32
        yield new


def _plain_options(definition: Definition) -> Iterator[Definition]:
    if "dest_acc" in definition:
        new = _copy(definition)
        del new["dest_acc"]
        yield new
    for index, stage in enumerate(definition["operations"]):
        if "dest_sync" in stage:
            new = _copy(definition)
            del new["operations"][index]["dest_sync"]
            yield new
        for part in ("math", "pack"):
            for place, node in enumerate(stage[part]):
                for name in (*NODE_OPTIONS, "pack_relu"):
                    if name in node:
                        new = _copy(definition)
                        del new["operations"][index][part][place][name]
                        yield new
                for name, plain in PLAIN.items():
                    if node.get(name, plain) != plain:
                        new = _copy(definition)
                        new["operations"][index][part][place][name] = plain
                        yield new


def _one_format(definition: Definition) -> Iterator[Definition]:
    """All operands in the usual format, or one of them in that of its kind of exponent."""
    new = _copy(definition)
    for one in new["operands"]:
        one["format"] = FLOAT16_B
    yield new
    for index, operand in enumerate(definition["operands"]):
        if operand["format"] not in (FLOAT16_B, FLOAT16):
            new = _copy(definition)
            new["operands"][index]["format"] = FLOAT16_B
            yield new


def _without_unused(definition: Definition) -> Definition:
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


def _copy(definition: Definition, **changed: object) -> Definition:
    return deepcopy({**definition, **changed})


def _key(definition: Definition) -> str:
    return json.dumps(definition, sort_keys=True)


# What makes most smaller comes first: what is left after it is tried the rest of the time.
STEPS = (_fewer_operations, _fewer_nodes, _one_tile, _one_format, _plain_options)
