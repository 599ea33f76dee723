# SPDX-License-Identifier: Apache-2.0
"""What a command line can get wrong, and the harts by the names that are typed."""

from __future__ import annotations

from collections.abc import Sequence

HARTS = ("b", "t0", "t1", "t2", "nc")


class UsageError(Exception):
    """The command cannot be carried out; the message is one sentence."""


def check_once(programs: Sequence[tuple[int, str]]) -> None:
    """UsageError when two files are meant for one hart."""
    seen: dict[int, str] = {}
    for hart, path in programs:
        if hart in seen:
            raise UsageError(f"two files for {HARTS[hart]}: {seen[hart]} and {path}; choose one")
        seen[hart] = path
