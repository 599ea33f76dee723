# SPDX-License-Identifier: Apache-2.0
"""Names of what is in L1: circular buffers with their pages, inputs of `--tile`, programs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from scripts.examples.tensix.sessions import SESSIONS
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.pages.picture import plan
from tensix_gdb.gdbstub.pages.picture.names import CHARACTER, names
from tensix_gdb.gdbstub.tensix.glance.memory_map import Region, name_of_buffer
from tensix_gdb.gdbstub.tensix.host.circular_buffers import CircularBuffer
from tensix_gdb.gdbstub.tensix.tiles.inputs import inputs_in

INPUT = 0x50000


def test_buffers_and_inputs_are_first() -> None:
    regions = [
        Region("1", "t0.elf", 0x6000, 0x6400),
        Region("1", "t0.elf", 0x7000, 0x7400),
        Region("s", "stack of T0", 0xFFB00F00, 0xFFB01000),
        Region("i", "left.npy", 0x31000, 0x31800),
        Region("c", "cb 0", 0x40000, 0x41000),
    ]
    found = names(regions)
    assert [one.text for one in found] == ["cb 0 0x40000", "left.npy 0x31000", "t0.elf 0x6000"]
    assert [one.kind for one in found] == ["m-c", "m-i", "m-1"]


def test_they_fit_on_the_plan() -> None:
    regions = [Region("c", f"a buffer {i} with a name", 1024 * i, 1024 * i + 9) for i in range(40)]
    found = names(regions)
    for name in found:
        assert name.x + len(name.text) * CHARACTER <= plan.WIDTH
        assert plan.NAMES_Y <= name.y < plan.LOCAL_Y - 8
    assert found[-1].text == f"and {40 - len(found) + 1} more"


def test_pages_of_a_buffer() -> None:
    buffer = CircularBuffer(0, 0x40000, 8192, 4, 2048, received=7, acknowledged=5, stream=8)
    assert name_of_buffer(buffer) == "cb 0, 2 of 4 pages, read 1, write 3"
    none = CircularBuffer(1, 0, 0, 0, 0, received=0, acknowledged=0, stream=9)
    assert name_of_buffer(none) == "cb 1"


@pytest.mark.long("the others are about names alone")
def test_an_input_is_named_in_a_recording_too(tmp_path: Path) -> None:
    values, recording = tmp_path / "left.npy", str(tmp_path / "run.rec")
    np.save(values, np.ones((32, 32), np.float32))
    elfs = SESSIONS[0].elfs(tmp_path)
    programs = [f"--elf={hart.lower()}={path}" for hart, path in elfs.items()]
    tile = ["--tile", f"{INPUT:#x}={values}:bf16"]
    assert main(["run", *programs, *tile, "--record-to", recording]) == 1
    assert inputs_in(recording) == (("left.npy", INPUT, INPUT + 2048),)
    picture = tmp_path / "end.json"
    assert main(["picture", recording, "-o", str(picture)]) == 0
    found = json.loads(picture.read_text())
    assert {"kind": "i", "name": "left.npy", "start": INPUT, "end": INPUT + 2048} in found[
        "regions"
    ]
    assert found["l1"][INPUT // 1024 : INPUT // 1024 + 3] == "ii."


def test_a_file_without_names(tmp_path: Path) -> None:
    other = tmp_path / "x"
    other.write_bytes(b"no recording")
    assert inputs_in(str(other)) == inputs_in(str(tmp_path / "missing")) == ()
