# SPDX-License-Identifier: Apache-2.0
"""An all_gather of 32x64 from two chips: whether it is right, and where its first datum is.

tensix-gdb ttnn --chips 2 --tiles 2x2 -- scripts/examples/ttnn/gathered.py
"""

import sys

import torch
import ttnn


def main():
    torch.manual_seed(1)
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    values = torch.rand(1, 2, 32, 64).bfloat16()
    mapper = ttnn.ShardTensorToMesh(mesh, dim=1)
    given = ttnn.from_torch(values, layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=mapper)
    result = ttnn.all_gather(given, 3, cluster_axis=1, topology=ttnn.Topology.Linear)
    wanted = torch.cat([values[:, 0:1], values[:, 1:2]], 3)
    parts = ttnn.get_device_tensors(result)
    found = [ttnn.to_torch(one) for one in parts]
    right = all(torch.equal(one, wanted) for one in found)
    print(f"all_gather: {'right' if right else 'WRONG'}")
    first = float(found[1].flatten()[0])
    print(f"chip 1 has {first:g} first, of chip 0, in DRAM 0 {parts[1].buffer_address():#x}:2")
    ttnn.close_mesh_device(mesh)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
