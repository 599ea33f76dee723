# SPDX-License-Identifier: Apache-2.0
"""gdbstub/README.md's sessions with processes, together and one by one, are what GDB shows."""

from __future__ import annotations

import pytest

from scripts.examples.processes import SESSIONS, Session, all_that_is_shown, block, run
from tensix_gdb.core.explain.instruction.block import MANUAL
from tensix_gdb.gdbstub.demo.transcript import gdb_version
from tests.tools import find_tool

pytestmark = pytest.mark.gdb
every_session = pytest.mark.parametrize("session", SESSIONS, ids=lambda one: one.name)


@every_session
def test_the_page_has_this_session(session: Session) -> None:
    """And it shows what it should, with any GDB."""
    find_tool("gdb-multiarch")
    is_of_the_page = gdb_version() in (MANUAL / "session.md").read_text("utf-8")
    shown = all_that_is_shown(session) if is_of_the_page else run(session, "latency")
    for text in session.shows:
        assert text in shown
    if not is_of_the_page:
        pytest.skip("the session was made with another GDB")
    assert shown == block(session).read(), f"run `{block(session).maker}`"
