# SPDX-License-Identifier: Apache-2.0
"""gdbstub/README.md's sessions with processes, together and one by one, are what GDB shows."""

from __future__ import annotations

import pytest

from scripts.examples.processes import SESSIONS, Session, all_that_is_shown, block, run
from tensix_gdb.gdbstub.demo.transcript import gdb_version
from tests.programs.build import ROOT
from tests.tools import find_tool

pytestmark = pytest.mark.gdb
every_session = pytest.mark.parametrize("session", SESSIONS, ids=lambda one: one.name)


@every_session
def test_it_shows_what_it_should(session: Session) -> None:
    find_tool("gdb-multiarch")
    shown = run(session, "latency")
    for text in session.shows:
        assert text in shown


@every_session
def test_the_page_has_this_session(session: Session) -> None:
    find_tool("gdb-multiarch")
    if gdb_version() not in (ROOT / "README.md").read_text("utf-8"):
        pytest.skip("the session was made with another GDB")
    assert all_that_is_shown(session) == block(session).read(), f"run `{block(session).maker}`"
