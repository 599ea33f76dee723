# SPDX-License-Identifier: Apache-2.0
"""A mesh of two chips: `add` on both, and collectives over the cable between them, against torch.

tensix-gdb ttnn --chips 2 --tiles 14x10 --dispatch slow -- scripts/examples/ttnn/collectives.py

With `open N` it opens and closes the mesh N times, without a fabric, and adds on both chips.
"""

import sys
from time import perf_counter

import torch
import ttnn

SHAPE = (64, 256)
NEAR = 0.02  # of sums in BF16


def put(values, mesh, dim):
    """Give each chip a part of a tensor."""
    mapper = ttnn.ShardTensorToMesh(mesh, dim=dim)
    return ttnn.from_torch(values, layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=mapper)


def parts(result):
    """Return what each chip has."""
    return [ttnn.to_torch(one) for one in ttnn.get_device_tensors(result)]


def opened(work):
    """Open the mesh, do the work, close the mesh; return what the work has returned."""
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    try:
        return work(mesh)
    finally:
        ttnn.close_mesh_device(mesh)


def add(mesh):
    """True if both chips add right."""
    a, b = (torch.rand(1, 2, *SHAPE).bfloat16() for _ in range(2))
    found = parts(ttnn.add(put(a, mesh, 1), put(b, mesh, 1)))
    total = a.float() + b.float()
    return all(near(one, total[:, i : i + 1]) for i, one in enumerate(found))


def collectives(mesh):
    """Yield the name of each and whether it is right on both chips."""
    line = {"topology": ttnn.Topology.Linear}
    whole = torch.rand(1, 1, *SHAPE).bfloat16()
    found = parts(ttnn.all_gather(put(whole, mesh, 3), 3, **line))
    yield "all_gather", all(torch.equal(one, whole) for one in found)
    two = torch.rand(1, 2, *SHAPE).bfloat16()
    total = two.float().sum(1, keepdim=True)
    halves = total.chunk(2, 3)
    found = parts(ttnn.reduce_scatter(put(two, mesh, 1), 3, **line))
    yield "reduce_scatter", all(map(near, found, halves))
    found = parts(ttnn.all_reduce(put(two, mesh, 1), **line))
    yield "all_reduce", all(near(one, total) for one in found)
    there = [ttnn.MeshCoordinate(0, column) for column in (0, 1)]
    found = parts(ttnn.point_to_point(put(two, mesh, 1), *there, **line))
    yield "point_to_point", torch.equal(found[1], two[:, :1])


def near(found, expected):
    """True if sums of two numbers of BF16 are as near as that has them."""
    return torch.allclose(found.float(), expected, atol=NEAR)


def main(words):
    torch.manual_seed(1)
    if words[:1] == ["open"]:
        right = 0
        for _ in range(int(words[1])):
            start = perf_counter()
            right += opened(add)
            print(f"opened, added and closed in {perf_counter() - start:.1f} s", flush=True)
        print(f"{right} of {words[1]} right")
        return
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)

    def all_of_them(mesh):
        for name, is_right in collectives(mesh):
            print(f"{name}: {'right' if is_right else 'WRONG'}", flush=True)

    opened(all_of_them)


main(sys.argv[1:])
