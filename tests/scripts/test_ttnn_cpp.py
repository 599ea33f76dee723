# SPDX-License-Identifier: Apache-2.0
"""tt-metal's examples in C++: which files are examples, and how one has ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.examples.ttnn.cpp import EXAMPLES, last_line, main, run, sources

FATAL = """2026-12-01 00:06:47.546 | critical | Always | TT_FATAL: x
terminate called after throwing an instance of 'std::runtime_error'
  what():  TT_FATAL @ /project/x.cpp:1: ok
info:
No core coordinate found at location: (3, 0, TENSIX, LOGICAL)
backtrace:
 --- ./main(+0xab)
Aborted
"""


def test_the_last_line() -> None:
    port = "tensix-gdb: the 64 tiles are at port 7: gdb-multiarch\n"
    assert last_line(f"{port}[PASS] all\n=====\n\n{port}", 0) == "[PASS] all"
    assert last_line(port, 0) == "says nothing"
    where = "No core coordinate found at location: (3, 0, TENSIX, LOGICAL)"
    assert last_line(FATAL, 134) == where
    assert last_line("Test Passed\nwhat(): no\nAborted\n", 134) == "what(): no"
    assert last_line("tensix-gdb: 1-1: B at 0\n", 3) == "tensix-gdb: 1-1: B at 0"


def test_examples_are_in_folders_of_their_names(tmp_path: Path) -> None:
    folders = ("loopback/loopback", "loopback/kernels/kernels", "tests/a/a", "matmul/mm/mm")
    for name in (*folders, "NoC_tile_transfer/noc_tile_transfer", "mm/other"):
        path = tmp_path / EXAMPLES / f"{name}.cpp"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    names = ["noc_tile_transfer", "loopback", "mm"]
    assert [path.stem for path in sources(tmp_path, [])] == names
    assert [path.stem for path in sources(tmp_path, ["mm"])] == ["mm"]


def test_a_folder_without_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--python", "python3"])
    assert "there are no such examples" in capsys.readouterr().err


def test_a_python_that_is_none_is_in_the_row(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    status, said = run(program, tmp_path, ["--python", str(tmp_path / "none")])
    assert status == 2
    assert "none" in said
