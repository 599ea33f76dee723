# SPDX-License-Identifier: Apache-2.0
"""A test that waits for the compiler looks like one that hangs: pytest's terminal says why."""

from __future__ import annotations

from functools import partial

import pytest


def tell_who_waits(config: pytest.Config) -> None:
    """Let the engine's sentences go to pytest's terminal, though output is captured. A worker of
    xdist has none."""
    if config.pluginmanager.get_plugin("terminalreporter") is not None:
        from tensix_gdb.core.engine import waiting

        before, waiting.listener = waiting.listener, partial(_write, config)
        config.add_cleanup(partial(setattr, waiting, "listener", before))


def _write(config: pytest.Config, text: str) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    capture = config.pluginmanager.get_plugin("capturemanager")
    if reporter is None or capture is None:
        return
    with capture.global_and_fixture_disabled():
        reporter.write(f"\ntensix-gdb: {text}\n")  # a line of its own, also after a test's dot
