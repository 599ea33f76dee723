# SPDX-License-Identifier: Apache-2.0
"""The output of commands has the width of the terminal, and 80 characters in a pipe."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.tiles.configuration.text import FORMS
from tensix_gdb.gdbstub.cli.help_text import MOST
from tensix_gdb.gdbstub.cli.main import COMMANDS, main
from tensix_gdb.gdbstub.cli.parser import parser
from tensix_gdb.gdbstub.cli.terminal.fitted import fitted
from tests.gdbstub.cli.terminal import in_terminal
from tests.programs.build import DEMO

RUN = ["run", f"--elf=b={DEMO / 'b.elf'}", "--max-cycles", "3000"]
NEEDED = 60  # characters: names of fields and addresses have more than 40
WIDE = 400
LINES = 50
ERASE = "\x1b[2K"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def in_columns(columns: int, *arguments: object, **environment: str) -> list[str]:
    """The lines of a command in a terminal of this width, below the bar that a slow machine has
    shown and erased."""
    environment = {"COLUMNS": "", **environment}  # whatever the tests run in
    with in_terminal(arguments, size=(LINES, columns), **environment) as terminal:
        terminal.wait_for_end()
        shown = terminal.shown.decode().rpartition(ERASE)[2]
        return COLOURS.sub("", shown).replace("\r\n", "\n").splitlines()


def joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize(
    "arguments",
    [
        RUN,
        [*RUN, "--check", "init"],
        ["explain", "--config", "pack", "bfp8"],
        ["explain", "SFPMAD"],
        ["manual", "SFPMAD"],
    ],
    ids=["run", "checks", "configuration", "explain", "manual"],
)
def test_a_terminal(arguments: list[object]) -> None:
    narrow = in_columns(NEEDED, *arguments)
    assert max(map(len, narrow)) <= NEEDED
    wide = in_columns(WIDE, *arguments)
    assert max(map(len, wide)) > NEEDED
    if arguments[0] == "run" or arguments == ["explain", "SFPMAD"]:
        # `--config` moves the page into brackets, and `manual` shows less of its lines.
        assert joined(narrow) == joined(wide)


def test_columns_counts_before_the_terminal() -> None:
    lines = in_columns(WIDE, *RUN, COLUMNS=str(NEEDED))
    # A command to type again is not broken.
    assert max(len(line) for line in lines if "`tensix-gdb " not in line) <= NEEDED


def test_sentences_are_one_line_in_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs look for them."""
    monkeypatch.setenv("COLUMNS", str(NEEDED))
    assert main(RUN) == 1
    assert max(map(len, capsys.readouterr().out.splitlines())) > NEEDED


@pytest.mark.parametrize("unit", FORMS)
def test_configuration_in_a_pipe(
    unit: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """80 characters, for each format; no word is lost."""
    shown = {}
    for columns in ("", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        lines = []
        for name in ("", "bf16", "int16", "fp8_e4m3", "bfp8"):
            if main(["explain", "--config", unit, *name.split()]) == 0:
                lines += capsys.readouterr().out.splitlines()
        shown[columns] = lines
        assert len(lines) > 100
    assert max(map(len, shown[""])) <= 80
    words = [sorted(re.findall(r"[^\s()]+", "\n".join(lines))) for lines in shown.values()]
    assert [word for word in words[1] if word != "page"] == words[0]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As wide as the terminal, with a few lines of usage, and no name broken."""
    texts = []
    for columns in (72, WIDE):
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit):
            parser().parse_args([*command.split(), "--help"])
        shown = capsys.readouterr().out
        assert max(map(len, shown.splitlines())) <= columns
        usage, _, text = shown.partition("\n\n")
        assert len(usage.splitlines()) <= MOST
        texts.append(text.split())
    assert texts[0] == texts[1]


def test_nothing_typed_is_broken() -> None:
    text = "    type `tensix-gdb run --dir build`, or look at /a/path-that-is-long/to/a-file"
    assert list(fitted(text, 30)) == [
        "    type",
        "        `tensix-gdb run --dir build`,",
        "        or look at",
        "        /a/path-that-is-long/to/a-file",
    ]
    assert list(fitted("short\n\nlines", 30)) == ["short", "", "lines"]
