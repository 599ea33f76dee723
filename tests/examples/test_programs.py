# SPDX-License-Identifier: Apache-2.0
"""One command builds the programs of the manual's sessions, and says what starts each."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.examples.tensix.programs import ALL, build_all
from tensix_gdb.core.explain.instruction.block import MANUAL
from tensix_gdb.gdbstub.cli.main import main
from tests.tools import find_tool

COMMAND = "python -m scripts.examples.tensix.programs DIR"
CHAPTERS = ("coprocessor", "threads", "lanes", "time-travel", "io")


def test_every_program_is_built_and_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    commands = list(build_all(tmp_path))
    assert len(commands) == len(ALL) + 1
    for command in commands:
        words = command.split()
        folder = Path(words[words.index("--dir") + 1])
        assert list(folder.glob("*.c")), "the sources are there too"
        options = [word for word in words[2:] if word != "--record"]
        main(["run", *options, "--max-cycles", "100000"])
        out, err = capsys.readouterr()
        assert err == ""
        assert "cycle" in out


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_chapter_says_how(chapter: str) -> None:
    assert COMMAND in (MANUAL / f"{chapter}.md").read_text("utf-8")
