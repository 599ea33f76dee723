# SPDX-License-Identifier: Apache-2.0
"""The catalogue of ttnn's operations: why a program ended, and what several runs have kept."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from scripts.examples.ttnn.catalogue import grids
from scripts.examples.ttnn.catalogue.__main__ import Runner, last_words, main
from scripts.examples.ttnn.catalogue.page import brief, reasons
from scripts.examples.ttnn.catalogue.rows import Row, compared

PORT = "tensix-gdb: the 4 tiles are at port 7: gdb-multiarch -ex 'attach 1'\n"


def test_why_a_program_ended() -> None:
    assert last_words(f"{PORT}tensix-gdb: 1-1: T0 stopped\nTraceback\n") == "1-1: T0 stopped"
    assert last_words(f"{PORT}RuntimeError: bad file\n\n") == "RuntimeError: bad file"
    ttsim = "[37] ERROR: UndefinedBehavior: x\n[37] 0.9 seconds (0.0 KHz)\n"
    assert last_words(ttsim) == "[37] ERROR: UndefinedBehavior: x"
    assert last_words(PORT) == "the program ended, or hung"


def test_ttsim_has_its_descriptor_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "libttsim.so").touch()
    with pytest.raises(SystemExit):
        main(["--python", sys.executable, "--ttsim", str(tmp_path / "libttsim.so")])
    assert f"{tmp_path / 'soc_descriptor.yaml'}: there is no such file" in capsys.readouterr().err


def programs(folder: Path, script: str) -> Runner:
    """Return a runner of programs that get the file of lines and names, as `inside.py` does."""
    return Runner([sys.executable, "-c", script, "python", "inside.py"], None, folder)


def test_a_program_that_does_not_begin_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="before its first operation: no device"):
        programs(tmp_path, "import sys; sys.exit('no device')").run(["add", "sub"])
    assert not (tmp_path / "rows").exists()


def test_an_operation_that_ends_its_program_says_why(tmp_path: Path) -> None:
    script = (
        "import json, sys\n"
        "names = sys.argv[-1:] if 'add' not in sys.argv else ['add']\n"
        "out = open(sys.argv[2], 'a')\n"
        "out.write(json.dumps({'begins': names[0]}) + chr(10))\n"
        "if names == ['add']: sys.exit('[1] ERROR: no add')\n"
        "out.write(json.dumps({'name': names[0], 'right': True}) + chr(10))\n"
    )
    rows = programs(tmp_path, script).run(["add", "sub"])
    assert [(row.name, row.verdict, row.stopped) for row in rows] == [
        ("add", "stopped", "[1] ERROR: no add"),
        ("sub", "right", ""),
    ]


def test_why_operations_do_not_run_on_ttsim(tmp_path: Path) -> None:
    others = [Row("a", {}, "[17] ERROR: X: y=1"), Row("b", {}, "[2] ERROR: Z"), Row("c", {}, "")]
    others += [Row("d", {}, "[3] ERROR: Z")]
    equal = {"a": "does not run", "b": "does not run", "c": "equal", "d": "does not run"}
    assert reasons(others, equal) == {"`Z`": ["b", "d"], "`X: y=1`": ["a"]}
    (tmp_path / "a.bin").touch()
    assert compared("a", tmp_path / "ours", tmp_path) == "stopped here"
    assert compared("a", tmp_path, tmp_path / "theirs") == "does not run"


def test_a_fault_is_without_the_way_to_it() -> None:
    text = "T1 at x.h:1 (through f<(A)0> at y.h:2, g<void (&)(int)> at z.h:3): Fault: words."
    assert brief(text) == "T1 at x.h:1: Fault: words."
    assert brief("refused: no. backtrace: --- a") == "refused: no."
    assert brief("T1 (through f") == "T1"


def keep(folder: Path, rows: dict[str, bytes | None]) -> None:
    """Write rows as a run keeps them; None is a program that stopped."""
    folder.mkdir(parents=True)
    text = ""
    for name, output in rows.items():
        if output is not None:
            (folder / f"{name}.bin").write_bytes(output)
        said = {"stopped": "x"} if output is None else {"right": True, "seconds": 1}
        text += json.dumps({"name": name, **said}) + "\n"
    (folder / "rows").write_text(text, "utf-8")


def test_grids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, macros = tmp_path / "kept", tmp_path / "macros"
    keep(kept / "8x8-fast", {"add": b"12", "exp": None})
    keep(kept / "8x8-slow", {"add": b"12", "exp": None})
    keep(kept / "1x1-slow", {"add": b"11", "sub": b"3", "exp": None})
    keep(kept / "ttsim-1x1", {"add": b"11", "sub": b"4", "exp": None})
    keep(macros / "1x1-slow", {"exp": b"5"})
    assert grids.main([str(kept), "--macros", str(macros)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:] == [
        "| 1x1 | slow | 3 | 2 | 0 | 1 | 0 | 2 | 1 of 1 | 1 equal of 2 that it runs |",
        "| 8x8 | slow | 2 | 1 | 0 | 1 | 0 | 0 | 0 of 1 |  |",
        "| 8x8 | fast | 2 | 1 | 0 | 1 | 0 | 0 | 0 of 1 |  |",
        "",
        "8x8, slow: other bytes than on 1x1: `add`.",
        "",
        "8x8, fast: other bytes than on 1x1: `add`.",
        "",
    ]


def test_grids_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        grids.main([str(tmp_path)])
    assert "there are no rows" in capsys.readouterr().err
