# SPDX-License-Identifier: Apache-2.0
"""The recorded sessions, typed into the GDB of this machine: it prints what it has to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.gdb.openings import GDB
from tests.gdb.sessions import SESSIONS, Session, complaints, hold, missing

pytestmark = pytest.mark.gdb


@pytest.mark.parametrize("session", SESSIONS, ids=lambda one: one.name)
def test_session(session: Session, tool: Callable[[str], str]) -> None:
    held = hold(session, tool(GDB))
    assert missing(session, held.said) == [], held.said
    assert complaints(held.said) == [], held.said
