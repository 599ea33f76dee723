# SPDX-License-Identifier: Apache-2.0
"""Sessions with state do no harm: a few of `python -m
tests.gdbstub.protocol.server.fuzz_history`."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints
from tests.gdbstub.protocol.server.fuzz_history import session


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seed", range(1, 7))
def test_sessions_with_state(seed: int) -> None:
    session(seed)


def test_a_defect_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> bool:
        raise KeyError("would_stop")

    monkeypatch.setattr(HartBreakpoints, "would_stop", broken)
    monkeypatch.setattr(HartBreakpoints, "run_attached", broken)
    with pytest.raises(AssertionError, match="KeyError"):
        any(map(session, range(1, 7)))
