# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb ttnn --compare`, without ttnn and torch: what stands in for them is in the test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.ttnn.compare.place import (
    InPage,
    Layout,
    in_dram,
    in_l1,
    in_page,
    page_bytes,
    tile_of,
)
from tensix_gdb.gdbstub.host.ttnn.compare.told import (
    Compared,
    Difference,
    about,
    ending,
    is_wrong,
    maker,
    shown,
)
from tensix_gdb.gdbstub.host.ttnn.compare.wanted import (
    TOLERANCE,
    VARIABLE,
    Comparison,
    compared,
    parse_tolerance,
)
from tensix_gdb.gdbstub.usage import UsageError
from tests.patience import HANG

TILES = Layout((2, 64, 96), "BFLOAT16", (32, 32))
TREE = """\
DRAM 3 0x1020a4:2: 0x40c2
  written by a request of NoC 1 that 2-3 B has made at 0x0000a3dc, kernel_main at writer.cpp:60 (through async_write<> at noc.h:461, noc_async_write_impl<> at dataflow_api_raw.h:169), in cycle 217033
  2-3 L1 0x1c4a4:2: 0x40c2
    written by PACR of 2-3 T2 pack, 0x0000b464, kernel_main at sfpu.cpp:50, in cycle 216795
      chosen by adc T2 PAC Y0 = 0x0: SETADCXY of 2-3 T2 pack, kernel_main at sfpu.cpp:33, in cycle 2
    2-3 dst 1.2: 0x4281 (6.0625 as bf16)
      written by SFPSTORE of 2-3 T1 math, 0x0000af98, kernel_main at sfpu.cpp:44, in cycle 216610
      2-3 lreg 0.2: 0x40c20000 (6.0625 as fp32)
        written by SFPMAD of 2-3 T1 math, 0x0000af90, kernel_main at sfpu.cpp:44 (through silu_tile<(Mode)0, 8> at silu.h:9, calculate_silu<false, 8> at ckernel_sfpu_silu.h:20, operator* at sfpi_classes.h:12, run at ckernel_template.h:351), replayed at 0x0000b034, in cycles 216600 to 216601
""".splitlines()  # noqa: E501


def one(number: int, error: float | None, why: str = "") -> Compared:
    found = None if error is None else Difference(error, 7, 64, (0, 33, 34), 1.5, 2.25)
    return Compared(number, f"ttnn.op{number}", f"model.py:{number}: x = op(x)", found, why)


@pytest.mark.parametrize(
    ("index", "page", "offset"),
    [
        ((0, 0, 0), 0, 0),
        ((0, 0, 16), 0, 512),  # the second face
        ((0, 16, 0), 0, 1024),
        ((0, 33, 34), 4, 36),  # row 1, column 2 of a tile of the second row of tiles
        ((1, 0, 0), 6, 0),
        ((1, 63, 95), 11, 2046),
    ],
)
def test_where_a_datum_of_tiles_is(index: tuple[int, ...], page: int, offset: int) -> None:
    assert in_page(TILES, index) == InPage(page, offset, 2)


def test_every_datum_of_a_tile_has_a_place_of_its_own() -> None:
    layout = Layout((32, 32), "FLOAT32", (32, 32))
    places = {in_page(layout, (y, x)) for y in range(32) for x in range(32)}
    assert places == {InPage(0, at, 4) for at in range(0, page_bytes(layout), 4)}


def test_rows_and_block_floats() -> None:
    rows = Layout((3, 10), "UINT32", None)
    assert in_page(rows, (2, 7)) == InPage(2, 28, 4)
    assert tile_of(rows, (2, 7)) == "row 2"
    assert in_dram(rows, InPage(9, 28, 4), 0x1000, 8) == "DRAM 1 0x105c:4", "pages of 64 bytes"
    blocks = Layout((32, 32), "BFLOAT8_B", (32, 32))
    assert page_bytes(blocks) == 1088
    assert in_page(blocks, (0, 17)) == InPage(0, 64 + 257, 1)
    assert page_bytes(Layout((32, 32), "BFLOAT4_B", (32, 32))) == 576
    assert in_page(Layout((32, 32), "FP8_E4M3", (32, 32)), (0, 0)) is None


def test_pages_are_dealt_out_to_banks() -> None:
    datum = in_page(TILES, (1, 63, 95))
    assert datum is not None
    assert in_dram(TILES, datum, 0x101880, 8) == f"DRAM 3 {0x101880 + 2048 + 2046:#x}:2"
    assert tile_of(TILES, (1, 63, 95)) == "tile 11"


def test_pages_in_l1_are_those_that_ttnn_lists() -> None:
    @dataclass
    class Page:
        page_index: int
        page_address: int
        core_x: int
        core_y: int

    pages = [Page(0, 0x1000, 0, 0), Page(4, 0x2000, 2, 1)]
    name = "{}-{}".format
    assert in_l1(pages, InPage(4, 36, 2), name) == "2-1 0x2024:2"
    assert in_l1(pages, InPage(5, 36, 2), name) is None


def test_the_instruction_that_computes_is_named() -> None:
    assert maker(TREE) == (
        "SFPMAD of 2-3 T1 math, 0x0000af90, kernel_main at sfpu.cpp:44 "
        "(in calculate_silu<> at ckernel_sfpu_silu.h:20), replayed at 0x0000b034"
    )
    assert maker(TREE[:7]) is None, "all of it moves"
    lines = shown(TREE)
    assert len(lines) == len(TREE) - 1, "settings are left out"
    assert "(in noc_async_write_impl<> at dataflow_api_raw.h:169), in cycle 217033" in lines[1]


def test_what_leaves_the_tolerance() -> None:
    assert not is_wrong(None, 0.05)
    assert not is_wrong(one(1, 0.05).difference, 0.05)
    assert is_wrong(one(1, 0.051).difference, 0.05)
    assert is_wrong(one(1, float("nan")).difference, 0.05)
    first, second, third = about(one(3, 0.25), 0.05, "tile 4", "DRAM 3 0x10:2")
    assert first.endswith("number 3, ttnn.op3, at model.py:3: x = op(x)")
    assert second == "  off by 0.25 of the largest value, 0.05 allowed; 7 of 64 values leave it"
    assert third == ("  the worst, [0, 33, 34] in tile 4, DRAM 3 0x10:2: 1.5, torch has 2.25")


def test_the_end_of_a_program_that_is_right() -> None:
    every = [one(1, 0.001), one(2, 0.03), one(3, None, "because"), one(4, None, "because")]
    assert list(ending(every, 0.05)) == [
        "2 operations are as torch has them, within 0.05 of the largest value; the largest error "
        "is 0.03, of ttnn.op2 at model.py:2: x = op(x)",
        "not compared, because: ttnn.op3, ttnn.op4",
    ]
    assert list(ending([], 0.05)) == ["no operation was compared with torch"]


@pytest.mark.parametrize("text", ["model.py", "0", "1", "-1", "nan"])
def test_a_tolerance_that_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="which part of the largest value"):
        parse_tolerance(text)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--compare-log", "FILE"), "--compare-log is for what --compare finds"),
        (("--compare", "--gdb"), "leave out --gdb"),
    ],
)
def test_options_that_do_not_go_together(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ttnn", *words, "--", "model.py"]) == 2
    assert said in capsys.readouterr().err


# Stands in for ttnn: one operation without a golden function, one to the host.
TTNN = """
import contextlib, sys, types

class Tensor:
    shape = padded_shape = (32, 32)

class CONFIG:
    enable_fast_runtime_mode = True

before, after = [], []

@contextlib.contextmanager
def register_pre_operation_hook(hook):
    before.append(hook)
    yield

@contextlib.contextmanager
def register_post_operation_hook(hook):
    after.append(hook)
    yield

class Operation:
    golden_function = None
    def __init__(self, name):
        self.python_fully_qualified_name = name

    def __call__(self, *args):
        assert not CONFIG.enable_fast_runtime_mode
        for hook in before:
            hook(self, args, {})
        for hook in after:
            hook(self, args, {}, args[0])
        return args[0]

generic_op = Operation("ttnn.generic_op")
to_torch = Operation("ttnn.to_torch")
"""
SCRIPT = """
import sys, ttnn
x = ttnn.generic_op(ttnn.Tensor())
ttnn.to_torch(x)
print(sys.argv[1:], __name__, len(sys.path[0]) > 0)
"""


def run(folder: Path, *words: str, torch: bool = True) -> subprocess.CompletedProcess[str]:
    (folder / "ttnn").mkdir()
    (folder / "ttnn" / "__init__.py").write_text(TTNN, "ascii")
    if torch:
        (folder / "torch.py").touch()
    (folder / "script.py").write_text(SCRIPT, "ascii")
    settings = Comparison(TOLERANCE, "127.0.0.1", 1, False, True, False, str(folder / "log"))
    variables = {**os.environ, "PYTHONPATH": str(folder), VARIABLE: settings.text()}
    return subprocess.run(
        compared([sys.executable, *words]),
        env=variables, cwd=folder, capture_output=True, text=True, timeout=HANG, check=False,
    )  # fmt: skip


def test_a_script_runs_as_python_runs_it(tmp_path: Path) -> None:
    done = run(tmp_path, "script.py", "a", "b")
    assert (done.returncode, done.stdout) == (0, "['a', 'b'] __main__ True\n"), done.stderr
    assert done.stderr.splitlines() == [
        "tensix-gdb: no operation was compared with torch",
        "tensix-gdb: not compared, for which ttnn registers no golden function: ttnn.generic_op",
    ]
    (line,) = (tmp_path / "log").read_text().splitlines()
    entry = json.loads(line)
    assert (entry["name"], entry["error"]) == ("ttnn.generic_op", None)
    assert entry["line"] == "script.py:3: x = ttnn.generic_op(ttnn.Tensor())"


def test_a_python_without_torch(tmp_path: Path) -> None:
    done = run(tmp_path, "-m", "script", torch=False)
    assert done.returncode == 2
    assert "--compare needs torch beside ttnn" in done.stderr
    assert done.stderr.count("\n") == 1
