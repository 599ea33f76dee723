# SPDX-License-Identifier: Apache-2.0
"""A sequence of operations, drawn: a definition of a test of LLK's fuser.

Tests of the fuser (tests/python_tests/fuser in LLK) are sequences of operations in one kernel, each
with an unpacker, a Matrix Unit or Vector Unit operation and a packer, and a golden. Its files say
what is valid: of a Matmul the shapes, which unpacker goes with which operation, how many tiles fit
into Dst. What is drawn here keeps those rules as far as they are known here; what it takes to be
valid is left to the fuser, and a sequence that it refuses is drawn again.
"""

from __future__ import annotations

from dataclasses import field
from random import Random
from typing import Any

from tensix_gdb.core.dataclass import dataclass

Definition = dict[str, Any]

TILE = 32
# Formats by the kind of their exponent: both inputs of an operation have one kind.
KINDS = {"A": ("Float16",), "B": ("Float16_b", "Float32", "Bfp8_b")}
# Rows and columns of a tile that all operations but some take.
TILES = ((32, 32), (32, 32), (32, 32), (16, 32), (8, 32))
FIDELITIES = ("LoFi", "HiFi2", "HiFi3", "HiFi4")
# Functions of the Vector Unit that are defined for all data of -1 to 1 and those made of them.
UNARY = (
    *("Abs", "Celu", "Elu", "Exp", "Fill", "Gelu", "Hardsigmoid", "Neg", "ReluMax", "ReluMin"),
    *("Silu", "Square", "Tanh", "Threshold"),
)
DATA = [-1.0, 1.0]
FACES, FACE = 32, 16  # faces of half of Dst, 16-bit; rows and columns of a face


@dataclass
class Tensor:
    """An operand: rows and columns of datums, its format, and those of a tile."""

    name: str
    rows: int
    columns: int
    format: str
    tile: tuple[int, int]
    data: object = None  # what the fuser calls stimuli

    @property
    def kind(self) -> str:
        """The kind of its exponent, A or B."""
        return "A" if self.format in KINDS["A"] else "B"

    def declared(self) -> Definition:
        """As a file of the fuser has it."""
        said: Definition = {"name": self.name, "dims": [self.rows, self.columns]}
        said["format"] = self.format
        if self.tile != (TILE, TILE):
            said["tile_dims"] = list(self.tile)
        if self.data is not None:
            said["stimuli"] = self.data
        return said


@dataclass
class Drawing:
    """A sequence that is being drawn."""

    random: Random
    dest_acc: bool
    tile: tuple[int, int]
    operands: list[Tensor] = field(default_factory=list)
    stages: list[Definition] = field(default_factory=list)

    def format(self, kind: str) -> str:
        """Draw a format. The suite puts datums with common exponents into whole faces alone."""
        formats = KINDS[kind]
        if self.tile[0] < FACE:
            formats = tuple(one for one in formats if not one.startswith("Bfp"))
        return self.random.choice(formats)

    @property
    def whole(self) -> bool:
        """True if its tiles have four faces."""
        return self.tile == (TILE, TILE)

    def chance(self, share: float) -> bool:
        """True in such a share of all cases."""
        return self.random.random() < share

    def input(self, rows: int, columns: int, kind: str, data: object = None) -> Tensor:
        """Declare an operand that the host fills."""
        name = f"in{sum(one.name.startswith('in') for one in self.operands)}"
        tensor = Tensor(name, rows, columns, self.format(kind), self.tile, data or DATA)
        self.operands.append(tensor)
        return tensor

    def output(self, rows: int, columns: int, kind: str) -> Tensor:
        """Declare the operand that the next stage makes."""
        kinds = "AB" if self.dest_acc or kind == "A" else "B"
        format = self.format(self.random.choice(kinds))
        tensor = Tensor(f"out{len(self.stages)}", rows, columns, format, self.tile)
        self.operands.append(tensor)
        return tensor


def drawn(seed: str, operations: int) -> Definition:
    """Return the definition of a sequence, the same for each seed."""
    random = Random(seed)
    drawing = Drawing(random, random.random() < 0.4, random.choice(TILES))
    height, width = (random.randint(1, 3) for _ in range(2))
    last = drawing.input(drawing.tile[0] * height, drawing.tile[1] * width, random.choice("ABB"))
    for index in range(operations):
        kinds = [_datacopy, _eltwise, _eltwise, _reduce]
        if drawing.whole:
            kinds += [_matmul, _matmul]
        last = random.choice(kinds)(drawing, last, index == operations - 1)
    return {
        **({"dest_acc": True} if drawing.dest_acc else {}),
        "operands": [one.declared() for one in drawing.operands],
        "operations": drawing.stages,
    }


def _datacopy(drawing: Drawing, given: Tensor, last: bool) -> Tensor:
    node: Definition = {"type": "Fpu", "operation": "Datacopy", "unpacker": "UnpackerA"}
    node |= {"in0": given.name}
    if drawing.dest_acc and given.format == "Float32" and drawing.chance(0.5):
        node["unpack_to_dest"] = True
    else:
        _transpose(drawing, node, faces=True)
    return _stage(drawing, node, given, given.rows, given.columns, last)


def _eltwise(drawing: Drawing, given: Tensor, last: bool) -> Tensor:
    operation = drawing.random.choice(("Elwadd", "Elwsub", "Elwmul", "Elwmul"))
    other = _other(drawing, given)
    node: Definition = {"type": "Fpu", "operation": operation, "unpacker": "UnpackerAB"}
    node |= {"in0": given.name, "in1": other.name}
    if operation == "Elwmul":
        node["math_fidelity"] = drawing.random.choice(FIDELITIES)
    if drawing.chance(0.3):
        node["broadcast_type"] = drawing.random.choice(("ROW", "COL", "SCALAR"))
    _transpose(drawing, node, faces=node.get("broadcast_type") != "SCALAR")
    return _stage(drawing, node, given, given.rows, given.columns, last)


def _other(drawing: Drawing, given: Tensor) -> Tensor:
    """A second operand of the same shape: an earlier one, or a new one."""
    earlier = [
        one
        for one in drawing.operands
        if (one.rows, one.columns, one.kind) == (given.rows, given.columns, given.kind)
        and one is not given
        and one.data in (None, DATA)
    ]
    if earlier and drawing.chance(0.4):
        return drawing.random.choice(earlier)
    return drawing.input(given.rows, given.columns, given.kind)


def _reduce(drawing: Drawing, given: Tensor, last: bool) -> Tensor:
    ones = drawing.input(given.rows, given.columns, given.kind, 1.0)
    node: Definition = {"type": "Fpu", "operation": "Reduce", "unpacker": "ReduceUnpacker"}
    node |= {"in0": given.name, "in1": ones.name}
    node["reduce_dim"] = drawing.random.choice(("REDUCE_ROW", "REDUCE_COL", "REDUCE_SCALAR"))
    node["reduce_pool"] = drawing.random.choice(("SUM", "AVG", "MAX"))
    node["math_fidelity"] = drawing.random.choice(FIDELITIES)
    return _stage(drawing, node, given, given.rows, given.columns, last)


def _matmul(drawing: Drawing, given: Tensor, last: bool) -> Tensor:
    columns = TILE * drawing.random.randint(1, 3)
    other = drawing.input(given.columns, columns, given.kind)
    operation = drawing.random.choice(("Matmul", "Matmul", "MatmulNoMop"))
    node: Definition = {"type": "Fpu", "operation": operation, "unpacker": "MatmulUnpacker"}
    node |= {"in0": given.name, "in1": other.name}
    node["math_fidelity"] = drawing.random.choice(FIDELITIES)
    _transpose(drawing, node, faces=False)
    return _stage(drawing, node, given, given.rows, columns, last)


def _transpose(drawing: Drawing, node: Definition, *, faces: bool) -> None:
    if drawing.whole and drawing.chance(0.2):
        node["transpose_within_face"] = True
        if faces and drawing.chance(0.7):
            node["transpose_faces"] = True


def _stage(
    drawing: Drawing, node: Definition, given: Tensor, rows: int, columns: int, last: bool
) -> Tensor:
    """Add a stage: the operation, perhaps one of the Vector Unit, and the packer."""
    made = drawing.output(rows, columns, given.kind)
    full = drawing.chance(0.2)
    block = _block(drawing, rows, columns, full)
    math = [{**node, "block_size": block}]
    if drawing.whole and drawing.chance(0.4):  # of other tiles the golden knows the first face
        unary = {"type": "UnarySfpu", "operation": drawing.random.choice(UNARY)}
        math.append({**unary, "iterations": 32, "block_size": block})
    untilized = last and drawing.whole and not made.format.startswith("Bfp")
    packer = "PackUntilize" if untilized and drawing.chance(0.3) else "Packer"
    pack: Definition = {"output": made.name, "packer": packer, "block_size": block}
    if drawing.chance(0.2):
        pack["pack_relu"] = "ZERO_RELU"
    stage: Definition = {"math": math, "pack": [pack]}
    if full:
        stage["dest_sync"] = "SyncFull"
    drawing.stages.append(stage)
    return made


def _block(drawing: Drawing, rows: int, columns: int, full: bool) -> list[int]:
    """So many datums as are in Dst at once: whole tiles that divide the operand."""
    tile_rows, tile_columns = drawing.tile
    faces = max(1, tile_rows // FACE) * (tile_columns // FACE)
    most = FACES * (2 if full else 1) // (2 if drawing.dest_acc else 1) // faces
    height, width = rows // tile_rows, columns // tile_columns
    fitting = [
        (high, wide)
        for high in range(1, height + 1)
        for wide in range(1, width + 1)
        if height % high == 0 and width % wide == 0 and high * wide <= most
    ]
    high, wide = drawing.random.choice(fitting)
    return [high * tile_rows, wide * tile_columns]
