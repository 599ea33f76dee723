# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb picture` and `run --picture`: the same picture of a run, a core file, a recording and
a server; and what is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.gdb.harness import serve
from tests.gdbstub.pages.picture.conftest import Recorded

SUFFIX_NAMES = ".svg, .png, .json"
MISSING = "No such file or directory"


def drawn(path: Path) -> dict[str, Any]:
    """The JSON, without why the tile has stopped: that depends on who looks."""
    picture: dict[str, Any] = json.loads(path.read_text("utf-8"))
    assert picture.pop("ending")
    return picture


def test_run_core_recording_and_server(recorded: Recorded, tmp_path: Path) -> None:
    core, of_run = tmp_path / "a.core", tmp_path / "run.json"
    words = ["run", *recorded.programs, "--max-cycles", "300", "--core", str(core)]
    assert main([*words, "--picture", str(of_run)]) == 1
    of_core, of_recording = tmp_path / "core.json", tmp_path / "recording.json"
    assert main(["picture", str(core), "-o", str(of_core)]) == 0
    words = ["picture", str(recorded.path), "--at", "300", "-o", str(of_recording)]
    assert main(words) == 0
    assert drawn(of_run) == drawn(of_core) == drawn(of_recording)
    assert drawn(of_run)["cycle"] == 300
    of_server = tmp_path / "server.json"
    with serve({}, "--core", str(core)) as server:
        assert main(["picture", "--port", str(server.port), "-o", str(of_server)]) == 0
    assert drawn(of_server) == drawn(of_core)


def test_forms(recorded: Recorded, tmp_path: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert main(["picture", str(recorded.path), "-o", str(svg), "--theme", "dark"]) == 0
    assert svg.read_text("utf-8").startswith("<svg ")
    assert main(["picture", str(recorded.path), "-o", str(png)]) == 0
    assert png.read_bytes().startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize("form", ["svg", "png", "json"])
def test_standard_output(
    form: str, recorded: Recorded, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The same bytes as in a file, and nothing else."""
    path = tmp_path / f"a.{form}"
    assert main(["picture", str(recorded.path), "-o", str(path)]) == 0
    capfdbinary.readouterr()
    assert main(["picture", str(recorded.path), f"--{form}"]) == 0
    assert capfdbinary.readouterr().out == path.read_bytes()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("a.rec", "-o", "a.gif"), f"-o a.gif: let the name end in {SUFFIX_NAMES}"),
        (("-o", "a.svg"), "name a core file or a recording, or --port of a running server"),
        (("a.rec", "--port", "1", "-o", "a.svg"), "a file or a server (--port, --host), not both"),
        (
            ("missing.core", "-o", "a.svg"),
            "missing.core: cannot be read: " + MISSING,
        ),
        (("a.txt", "-o", "a.svg"), "a.txt: not a core file: it is no ELF file of 32 bits"),
        (
            ("a.txt", "--at", "3", "-o", "a.svg"),
            "--at CYCLE is about a recording: name one of `run --record-to FILE`",
        ),
        (("a.rec", "--at", "9999", "-o", "a.svg"), "--at 9999: the recording has cycles 0 to END"),
        (("a.rec", "-o", "no/a.svg"), "-o no/a.svg: " + MISSING),
    ],
    ids=("suffix", "nothing", "both", "missing", "text", "at", "beyond", "folder"),
)
def test_refusals(
    recorded: Recorded,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("no core file")
    (tmp_path / "a.rec").write_bytes(recorded.path.read_bytes())
    assert main(["picture", *words]) == 2
    wanted = sentence.replace("END", str(recorded.history.end.cycle))
    assert capsys.readouterr().err == f"tensix-gdb: {wanted}\n"
    assert not (tmp_path / "a.svg").exists()


def test_without_the_package_for_png(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert main(["run", *recorded.programs, "--picture", "a.png"]) == 2
    said = capsys.readouterr().err
    assert said == (
        "tensix-gdb: --picture a.png: PNG needs a package that is not installed; type "
        "`pip install 'tensix-gdb[picture]'`, or write .svg\n"
    )
