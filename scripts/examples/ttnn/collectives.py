# SPDX-License-Identifier: Apache-2.0
"""A mesh of chips: `add` on each, and collectives over the cables between them, against torch.

tensix-gdb ttnn --chips 2 --tiles 14x10 -- scripts/examples/ttnn/collectives.py
tensix-gdb ttnn --chips 4 --tiles 14x10 -- scripts/examples/ttnn/collectives.py 2x2 FABRIC_2D

The mesh is 1x2 and the fabric FABRIC_1D if no others are named; in a mesh of rows and columns each
collective runs along both. With `open N` the mesh is opened and closed N times, without a fabric,
and adds on all chips.
"""

import sys
from time import perf_counter

import torch
import ttnn

ROWS, COLUMNS = 64, 256  # of what a chip has
NEAR = 0.02  # of sums of two numbers in BF16


class Mesh:
    """A mesh of `rows` times `columns` chips, which `device` is."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.device = ttnn.open_mesh_device(ttnn.MeshShape(rows, columns))

    def put(self, values, dim):
        """Give each chip its part of a tensor, row by row."""
        mapper = ttnn.ShardTensorToMesh(self.device, dim=dim)
        return ttnn.from_torch(
            values, layout=ttnn.TILE_LAYOUT, device=self.device, mesh_mapper=mapper
        )

    def axes(self):
        """Return the axes on which there is more than one chip."""
        return [axis for axis, size in enumerate((self.rows, self.columns)) if size > 1]

    def line(self, axis, chip):
        """Return the chips of the line along an axis in which a chip is, and its place there."""
        row, column = divmod(chip, self.columns)
        if axis:
            return [row * self.columns + each for each in range(self.columns)], column
        return [each * self.columns + column for each in range(self.rows)], row


def parts(result):
    """Return what each chip has."""
    return [ttnn.to_torch(one) for one in ttnn.get_device_tensors(result)]


def add(mesh):
    """True if all chips add right."""
    count = mesh.rows * mesh.columns
    a, b = (torch.rand(1, count, ROWS, COLUMNS).bfloat16() for _ in range(2))
    found = parts(ttnn.add(mesh.put(a, 1), mesh.put(b, 1)))
    total = a.float() + b.float()
    return all(near(one, total[:, i : i + 1]) for i, one in enumerate(found))


def collectives(mesh):
    """Yield the name of each and whether it is right on all chips."""
    count = mesh.rows * mesh.columns
    values = torch.rand(1, count, ROWS, COLUMNS).bfloat16()
    for axis in mesh.axes():
        along = {"cluster_axis": axis, "topology": ttnn.Topology.Linear}
        lines = [mesh.line(axis, chip) for chip in range(count)]
        name = f" along axis {axis}" if len(mesh.axes()) > 1 else ""
        gathered = [torch.cat([values[:, i : i + 1] for i in line], 3) for line, _ in lines]
        found = parts(ttnn.all_gather(mesh.put(values, 1), 3, **along))
        yield f"all_gather{name}", all(map(torch.equal, found, gathered))
        sums = [values[:, line].float().sum(1, keepdim=True) for line, _ in lines]
        parts_of_sums = [
            total.chunk(len(line), 3)[place]
            for total, (line, place) in zip(sums, lines, strict=True)
        ]
        found = parts(ttnn.reduce_scatter(mesh.put(values, 1), 3, **along))
        yield f"reduce_scatter{name}", all(map(near, found, parts_of_sums))
        found = parts(ttnn.all_reduce(mesh.put(values, 1), **along))
        yield f"all_reduce{name}", all(map(near, found, sums))
        there = [ttnn.MeshCoordinate(0, 0), ttnn.MeshCoordinate(*((0, 1) if axis else (1, 0)))]
        found = parts(
            ttnn.point_to_point(mesh.put(values, 1), *there, topology=ttnn.Topology.Linear)
        )
        to = 1 if axis else mesh.columns
        yield f"point_to_point{name}", torch.equal(found[to], values[:, :1])


def near(found, expected):
    """True if sums are as near as BF16 has them, of more numbers less near."""
    return torch.allclose(found.float(), expected, atol=NEAR * max(1, float(expected.max()) / 2))


def main(words):
    torch.manual_seed(1)
    shape = [1, 2]
    if words and "x" in words[0]:
        shape = [int(each) for each in words.pop(0).split("x")]
    if words[:1] == ["open"]:
        right = 0
        for _ in range(int(words[1])):
            start = perf_counter()
            mesh = Mesh(*shape)
            right += add(mesh)
            ttnn.close_mesh_device(mesh.device)
            print(f"opened, added and closed in {perf_counter() - start:.1f} s", flush=True)
        print(f"{right} of {words[1]} right")
        return
    fabric = words[0] if words else "FABRIC_1D"
    ttnn.set_fabric_config(getattr(ttnn.FabricConfig, fabric))
    mesh = Mesh(*shape)
    try:
        for name, is_right in collectives(mesh):
            print(f"{name}: {'right' if is_right else 'WRONG'}", flush=True)
    finally:
        ttnn.close_mesh_device(mesh.device)


main(sys.argv[1:])
