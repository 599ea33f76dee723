# SPDX-License-Identifier: Apache-2.0
"""core/memory/README.md names litmus tests that exist; the manual shows what they print."""

from __future__ import annotations

import re
import shlex

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.manual import text_of
from tests.ordering.litmus_files import TESTS
from tests.programs.build import ROOT


def test_every_test_that_is_named_exists() -> None:
    names = {test.name for test in TESTS.values()}
    text = (ROOT / "core" / "memory" / "README.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|") and "shown by" not in line]
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row.rsplit("|", 2)[-2])]
    named += [name.replace("\n", " ") for name in re.findall(r"[(]`([^`]+)`", text)]
    assert len(named) > 25
    assert [name for name in named if re.sub(r"\s+", " ", name) not in names] == []


def test_the_manual_shows_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """A wait that suffices on one chip (manual, wormhole)."""
    text = text_of("wormhole")
    (block,) = re.findall(r"```\n\$ tensix-gdb (litmus .*)\n((?:.*\n)*?)```", text)
    assert main(shlex.split(block[0])) == 0
    assert capsys.readouterr().out.strip() == block[1].strip()
