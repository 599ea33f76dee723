# SPDX-License-Identifier: Apache-2.0
"""In which executions a test is: by the options, or by its marker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.testing.cases import Many

MARK = "mark.tile"


def many_seeds(item: pytest.Item) -> Many | None:
    """Return the seeds of a test that is of many, by `--tile-seeds` or by its marker."""
    from tensix_gdb.gdbstub.testing.cases import RANDOM, Many, marked_tests
    from tensix_gdb.gdbstub.usage import UsageError

    count = item.config.getoption("--tile-seeds")
    if "tile" not in getattr(item, "fixturenames", ()) or chosen_executions(item.config):
        return None
    if count:
        return Many.of(RANDOM, list(range(1, count + 1)))
    callspec = getattr(item, "callspec", None)
    if callspec is not None and "tile_schedule" in callspec.params:
        chosen = callspec.params["tile_schedule"]
    else:
        try:
            chosen = marked_tests(MARK, marker_arguments(item))[0]
        except UsageError:
            return None  # the fixture says it
    return chosen if isinstance(chosen, Many) else None


def chosen_executions(config: pytest.Config) -> list[str]:
    """Return the executions that the options choose; none without options."""
    schedules, seeds = config.getoption("--tile-schedule"), config.getoption("--tile-seed")
    if not schedules and not seeds:
        return []
    from tensix_gdb.gdbstub.testing.cases import executions

    return executions("--tile-schedule", schedules, ",".join(seeds) if seeds else None)


def marker_arguments(node: pytest.Item | Any) -> dict[str, Any]:
    """Return the arguments of the marker. UsageError with a sentence for what it does not take."""
    from tensix_gdb.gdbstub.testing.cases import MARKED, check_arguments
    from tensix_gdb.gdbstub.usage import UsageError

    marker = node.get_closest_marker("tile")
    if marker is None:
        return {}
    if marker.args:
        raise UsageError(f"{MARK}: {marker.args[0]!r} has no name: type for example dir='build'")
    check_arguments(MARK, marker.kwargs, MARKED)
    return dict(marker.kwargs)


def execution_name(execution: str) -> str:
    """Return a test's execution in its id; that of many seeds has none."""
    from tensix_gdb.gdbstub.testing.cases import Many

    return execution.name if isinstance(execution, Many) else execution
