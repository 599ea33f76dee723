# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb ttnn --operations`, without ttnn: its graph and the lines of runs are in the test."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.ttnn.operations.captured import operations_of
from tensix_gdb.gdbstub.host.ttnn.operations.launches import launches_of
from tensix_gdb.gdbstub.host.ttnn.operations.table import write_table
from tensix_gdb.gdbstub.host.ttnn.operations.wanted import captured

MEMORY = "MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM)"
FIDELITY = "MatmulParams(ComputeKernelConfig(math_fidelity=HiFi2,math_approx_mode=0))"


def tensor(counter: int, shape: str) -> dict[str, Any]:
    of = {"dtype": "DataType::BFLOAT16", "layout": "Layout::TILE", "memory_config": MEMORY}
    return {"counter": counter, "node_type": "tensor", "params": {**of, "shape": shape}}


def node(counter: int, kind: str, name: str = "", **more: Any) -> dict[str, Any]:
    params = {"name": name} if name else {}
    made = {"counter": counter, "node_type": kind, "params": params, "arguments": []}
    return {**made, "connections": [], "input_tensors": [], **more}


def launched(counter: int, program: int) -> dict[str, Any]:
    numbers = {"runtime_id": program, "physical_device_id": 0, "global_call_count": 1024 * program}
    return node(counter, "program_execution", params=numbers)


# What ttnn 0.81.1 has of a matmul of 64x48 by 48x64, called by a composite function.
GRAPH = [
    node(0, "capture_start"),
    node(1, "function_start", "ttnn.linear"),
    tensor(2, "Shape([64, 48])"),
    tensor(3, "Shape([48, 64])"),
    node(
        *(4, "function_start", "MatmulDeviceOperation"),
        arguments=[FIDELITY, "{...}"],
        input_tensors=[2, 3],
    ),
    node(5, "function_start", "tt::tt_metal::create_device_tensor"),
    node(6, "function_end", "tt::tt_metal::create_device_tensor"),
    launched(7, 1),
    node(8, "function_end", "MatmulDeviceOperation", connections=[9]),
    tensor(9, "Shape([64, 64])"),
    node(10, "function_end", "ttnn.linear", connections=[]),
    node(11, "capture_end"),
]


def line(tile: str, program: int, go: int, **more: Any) -> dict[str, Any]:
    busy = {"Matrix Unit": 300, "NoC 0 in": 100}
    harts = {"B": [go + 50, go + 900], "T1": [go + 20, go + 800]}
    made = {"tile": tile, "kernels": ["bmm"], "program": program, "go": go, "harts": harts}
    return {**made, "busy": busy, "dram": {"3": 4710}, **more}


LINES = [
    {"tile": "1-2", "cycles": 4000},  # the firmware starts: no launch
    line("1-2", 1, 5000),
    line("2-2", 1, 5010, busy={"Matrix Unit": 500, "packer": 70}),
    line("1-2", 0, 5020, harts={"B": [5030, -1]}),  # a dispatcher, which does not end
]
TEXT = "".join(json.dumps(one) + "\n" for one in LINES) + '{"cut off'


def made(folder: Path, operations: list[dict[str, Any]]) -> list[dict[str, str]]:
    path = folder / "operations.csv"
    count = write_table(path, operations, TEXT, 4, Arch.BLACKHOLE)
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == count
    return rows


def test_the_graph_says_what_was_launched_and_by_which_call() -> None:
    (one,) = operations_of(GRAPH)
    assert (one["name"], one["called"], one["program"]) == (
        *("MatmulDeviceOperation", "ttnn.linear", 1),
    )
    assert one["fidelity"] == "HiFi2"
    assert [t["shape"] for t in one["inputs"]] == [[64, 48], [48, 64]]
    assert [t["shape"] for t in one["outputs"]] == [[64, 64]]
    assert one["outputs"][0]["memory"] == "DRAM_INTERLEAVED"


def test_a_launch_is_over_all_its_tiles() -> None:
    one, dispatcher = launches_of(TEXT)
    assert one.is_over
    assert not dispatcher.is_over
    assert one.cycles() == 5910 - 5020  # from the first kernel of all to the last
    assert one.cycles("T1") == 5810 - 5020
    assert one.cycles("NC") is None
    assert one.of_tiles() == [880, 880]
    # The busiest tile's units; the bytes of all for a channel, of 47.1 in a cycle.
    assert one.roofline() == {
        **{"Matrix Unit": 500, "DRAM channel 3": 200, "NoC 0 in": 100, "packer": 70}
    }


def test_the_table_has_the_columns_of_the_profiler(tmp_path: Path) -> None:
    (row,) = made(tmp_path, list(operations_of(GRAPH)))
    assert row["OP CODE"] == "MatmulDeviceOperation"
    assert row["CALLED AS"] == "ttnn.linear"
    assert row["DEVICE KERNEL DURATION [ns]"] == str(round(890 / 1.35))
    assert row["DEVICE NCRISC KERNEL DURATION [ns]"] == ""
    assert (row["CORE COUNT"], row["AVAILABLE WORKER CORE COUNT"]) == ("2", "4")
    assert row["INPUT_0_X_PAD[LOGICAL]"] == "64[48]"
    assert row["INPUT_0_W_PAD[LOGICAL]"] == "1[1]"
    assert row["OUTPUT_0_MEMORY"] == "DEV_0_DRAM_INTERLEAVED"
    assert row["DRAM BW UTIL (%)"] == str(round(100 * 200 / 890))
    assert "," not in row["ATTRIBUTES"]


def test_a_program_without_a_graph_is_named_by_its_kernels(tmp_path: Path) -> None:
    (row,) = made(tmp_path, [])
    assert row["OP CODE"] == "bmm"


def test_report_has_the_roofline_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path, list(operations_of(GRAPH)))
    assert main(["report", str(tmp_path / "operations.csv")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1 ttnn.linear (MatmulDeviceOperation): 0.66 us, 890 cycles on 2 tiles, 100 %" in said
    assert "Roofline: Matrix Unit 500 (56 %), DRAM channel 3 200 (22 %), NoC 0 in 100" in said


def test_tt_perf_report_reads_it(tmp_path: Path) -> None:
    """The tool itself, from the package registry."""
    pytest.importorskip("tt_perf_report")
    made(tmp_path, list(operations_of(GRAPH)))
    command = [sys.executable, "-m", "tt_perf_report.perf_report", "--no-color"]
    path = tmp_path / "operations.csv"
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=True)
    assert "MatmulDeviceOperation 64 x 64 x 64" in done.stdout
    assert "HiFi2 BF16 x BF16 => BF16" in done.stdout
    assert "1 device ops" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--operations", "/nowhere/o.csv"], "there is no such directory"),
        (["--operations", "o.csv", "--compare"], "leave one out"),
        (["--kernel-times"], "--runs FILE"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_run(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ttnn", *words, "--python", sys.executable, "--", "nothing.py"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [["ttnn", "--operations", "ops.csv"], ["simulator", "folder"]])
def test_wormhole_is_refused(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its NC begins kernels by a reset, which no jump of firmware shows."""
    words = [str(tmp_path / word) if word in ("ops.csv", "folder") else word for word in words]
    times = ["--runs", str(tmp_path / "runs"), "--kernel-times"] * (words[0] == "simulator")
    script = ["program.py"] * (words[0] == "ttnn")
    assert main([*words, *times, "--arch", "wormhole", *script]) == 2
    assert "on Wormhole NC runs its kernels in a RAM of its own" in capsys.readouterr().err


def test_a_python_without_torch_is_told_so(tmp_path: Path) -> None:
    """ttnn imports it when its operations are captured."""
    command = captured([sys.executable, "-c", "print(1)"])
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tensix-gdb: --operations needs torch beside ttnn: ")
    assert done.stderr.count("\n") == 1
