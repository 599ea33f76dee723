# SPDX-License-Identifier: Apache-2.0
"""The demo shows what it should, and notices when it does not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from tensix_gdb.gdbstub.demo import session, transcript
from tensix_gdb.gdbstub.demo.steps import CHAPTERS, Chapter, show
from tests.patience import HANG

pytestmark = pytest.mark.gdb
SECONDS = HANG


@pytest.fixture(scope="module")
def printed(tool: Callable[[str], str]) -> str:
    """All that the demo prints."""
    tool("gdb-multiarch")
    done = subprocess.run(
        [sys.executable, "-m", "tensix_gdb.gdbstub", "demo"],
        cwd=session.FOLDER.parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_demo_shows_what_it_should(printed: str) -> None:
    assert "!!!" not in printed
    for number, chapter in enumerate(CHAPTERS, 1):
        assert f"{number}. {chapter.title} ---" in printed


def test_the_readme_has_this_session(printed: str) -> None:
    """To the letter, where the GDB is the same; another one has the same commands to answer."""
    shown, kept = transcript.session(printed), transcript.BLOCK.read()
    if transcript.gdb_version() not in kept:
        shown, kept = commands(shown), commands(kept)
    assert shown == kept, "run `python -m tensix_gdb.gdbstub.demo.transcript`"


def commands(text: str) -> str:
    """Return what is typed in a session."""
    return "".join(row + "\n" for row in text.splitlines() if row.startswith("(gdb) "))


def test_a_stale_session_is_noticed(printed: str) -> None:
    shown = transcript.session(printed)
    stale = shown.replace("New value = 267", "New value = 268")
    assert stale != shown


def test_a_step_that_does_not_show_what_it_should_is_noticed(
    tool: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    tool("gdb-multiarch")
    chapter = Chapter("Wrong", "Not so.", (show("print 1 + 1", "= 2"), show("print 6 * 7", "= 43")))
    monkeypatch.setattr(session, "CHAPTERS", (chapter,))
    assert session.main() == 1
    out, err = capfd.readouterr()
    assert "!!! this should have shown = 43" in out
    assert "this should have shown = 2" not in out
    assert "1 of the steps did not show what they had to" in err
