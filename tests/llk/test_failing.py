# SPDX-License-Identifier: Apache-2.0
"""Failing tests of LLK: a few of their runs are kept, and the command is named that says why."""

from __future__ import annotations

import io
import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tensix_gdb.gdbstub.cli.kept import FOLDER
from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.llk import failing
from tensix_gdb.gdbstub.llk.failing import keep_failed, why_of
from tensix_gdb.gdbstub.llk.inside import tensix_gdb_llk_wanted as inside
from tensix_gdb.gdbstub.llk.running import Outcome
from tensix_gdb.gdbstub.llk.shown import LAST, show_outcomes


def failed(test: str, kept: Path, reason: str = "", **more: Any) -> Outcome:
    """An outcome of which the second run is kept."""
    (kept / "run-2.core").write_bytes(b"a core")
    (kept / "run-2.json").write_text(json.dumps({"addr": 0}), "ascii")
    return Outcome(test, "failed", reason, 1.0, numbers=[1, 2], **more)


def test_the_command_that_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "runs"))
    np.save(tmp_path / "wanted.npy", np.zeros((2, 16)))
    wanted = {"addr": 0x21000, "format": "Float32,rows", "path": str(tmp_path / "wanted.npy")}
    one = failed("a", tmp_path, wanted=wanted)
    late = failed("b", tmp_path, "E   Timeout reached: waited 5 seconds for Math")
    passed = Outcome("c", "passed", "", 1.0, numbers=[1])
    kept = keep_failed([passed, one, late], tmp_path)
    line, late_line = (why_of(core) for _, core in kept)
    options = parse(shlex.split(line)[1:]).options
    assert Path(options.kept).read_bytes() == b"a core"
    assert options.expect[0].startswith("0x21000=")
    assert options.expect[0].endswith(".npy:Float32,rows")
    kept = json.loads(Path(options.kept).with_suffix(".json").read_text("ascii"))
    assert kept["expected"] == list(options.expect)
    assert "--expect" not in late_line
    late_kept = Path(parse(shlex.split(late_line)[1:]).options.kept)
    assert json.loads(late_kept.with_suffix(".json").read_text("ascii"))["ended"] is False


def test_what_is_said_of_them() -> None:
    """The command of each, and once how the last one is opened."""
    out = io.StringIO()
    one, other = (Outcome(name, "failed", "E   wrong", 1.0) for name in "ab")
    commands = {"a": "tensix-gdb diagnose --kept x"}
    show_outcomes(Console(file=out, width=99), [one, other], commands, every=False)
    assert "    why: `tensix-gdb diagnose --kept x`\n" in out.getvalue()
    assert out.getvalue().count(LAST) == 1
    out.truncate(0)
    show_outcomes(Console(file=out, width=99), [other], {}, every=False)
    assert LAST not in out.getvalue()


def test_only_a_few_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "runs"))
    monkeypatch.setattr(failing, "MOST_RUNS", 2)
    assert len(list(keep_failed([failed(name, tmp_path) for name in "abcd"], tmp_path))) == 4
    assert len(list((tmp_path / "runs" / "llk").glob("*.core"))) == 2
    monkeypatch.setenv(FOLDER, "")
    assert list(keep_failed([failed("e", tmp_path)], tmp_path)) == []


@dataclass(frozen=True)
class Format:
    """The attributes of a format that are looked at."""

    name: str
    size: int


class Tensor(np.ndarray):
    """The two methods of torch that are used."""

    def detach(self) -> Tensor:
        return self

    def double(self) -> Tensor:
        return self


class OfBF16:
    """A tensor of a type that NumPy does not have."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def detach(self) -> OfBF16:
        return self

    def double(self) -> Any:
        return self.values

    def __array__(self, *given: Any, **named: Any) -> Any:
        raise TypeError("Got unsupported ScalarType BFloat16")


def noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: Any, faces: int = 4
) -> dict[str, Any]:
    """The array that is kept of a comparison of 1024 zeros, of which one is wrong."""
    monkeypatch.setattr(inside, "KEEP", str(tmp_path))
    monkeypatch.setattr(inside, "wanted", {})
    format = Format("Float16_b", 2)
    config = SimpleNamespace(
        stimuli_res_format=format,
        num_faces=faces,
        face_r_dim=16,
        tile_count_res=1,
        buf_res_addr=0x30000,
        _operand_tile_stride_bytes=lambda operand, format: 2048,
    )
    utils = SimpleNamespace(tolerances={format: SimpleNamespace(rtol=0.05, atol=0.05)})
    result = np.zeros(1024)
    result[256], result[0] = 3, 0.01  # the first of the second face; near enough
    golden = np.zeros(1024)
    inside.note_wanted(utils, config, values(result), golden.view(Tensor), result.view(Tensor))
    return dict(inside.wanted)


def test_the_array_that_a_test_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a matrix of faces; what is near enough is as it was."""
    found = noted(tmp_path, monkeypatch, list)
    assert (found["addr"], found["format"]) == (0x30000, "Float16_b")
    array = np.load(found["path"])
    assert array.shape == (32, 32)
    assert array[0, 16] == 0
    assert array[0, 0] == 0.01
    assert noted(tmp_path, monkeypatch, list, faces=2)["format"] == "Float16_b,rows"
    assert noted(tmp_path, monkeypatch, OfBF16)["format"] == "Float16_b"


def test_a_result_in_another_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not known where its datums were."""
    assert noted(tmp_path, monkeypatch, lambda result: result[::-1].tolist()) == {}
