# SPDX-License-Identifier: Apache-2.0
"""scripts/bench mesh: what its rows say, and the table beside a simulator that dies."""

from __future__ import annotations

import json
from pathlib import Path

from scripts.benchmark.chip.mesh import BLOCKS, DESCRIPTOR, MESHES, beside_descriptor, read, table
from scripts.benchmark.chip.run import KEYS


def row(name: str, *runs: tuple[float, float, float, float], right: bool = True) -> str:
    told = [dict(zip(KEYS, run, strict=True)) for run in runs]
    return json.dumps({"row": name, "runs": told, "right": right})


OURS = "\n".join(
    [
        "the library prints something",
        '{"begins": "open_mesh_device"}',
        row("open_mesh_device", (1.0, 9.0, 0.0, 10.0)),
        row("add 64", (0.02, 0.06, 3.0, 3.1), (0.01, 0.05, 3.1, 3.2)),
        row("add 256", (0.1, 0.2, 4.0, 5.0), right=False),
        '{"host": 512.4, "server": 700.0}',
    ]
)
DIES = "\n".join(
    [row("open_mesh_device", (4.0, 0.0, 0.0, 4.0)), '{"begins": "add 64"}', "ERROR: no such thing"]
)


def test_the_table() -> None:
    here, there = read(OURS, ""), read(DIES, "")
    assert (here.host, here.server, there.host) == (512.4, 700.0, 0)
    assert there.rows["add 64"].why == "ERROR: no such thing"
    text = table({"latency": here, "ttsim": there}, 2)
    assert "14x10 tiles a chip" in text
    assert text.splitlines()[-6:] == [
        "| mesh of 1x2 | latency | ttsim |",
        "|---|--:|--:|",
        "| open_mesh_device | 1.000 + 9.000 s | 4.000 s |",
        "| add 64 | 0.010 + 0.050 s | dies |",
        "| add 256 | wrong | dies |",
        "| memory | 512 + 700 MiB |  |",
    ]


def test_a_library_has_the_description_of_its_chips_beside_it(tmp_path: Path) -> None:
    (tmp_path / DESCRIPTOR).parent.mkdir(parents=True)
    (tmp_path / DESCRIPTOR).write_text("grid")
    (tmp_path / "libttsim.so").write_bytes(b"code")
    library = beside_descriptor(tmp_path / "libttsim.so", tmp_path / "other", tmp_path)
    assert library.read_bytes() == b"code"
    assert (library.parent / "soc_descriptor.yaml").read_text() == "grid"


def test_the_manual_has_a_table_for_each_mesh() -> None:
    for chips, block in BLOCKS.items():
        rows, columns = MESHES[chips]
        assert f"| mesh of {rows}x{columns} | latency | ttsim |" in block.read()
