# SPDX-License-Identifier: Apache-2.0
"""A row of the catalogue of ttnn's operations, as runs keep it; whether two outputs are equal."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERDICTS = ("right", "wrong", "stopped", "refused")


@dataclass(frozen=True)
class Row:
    """An operation, what its program wrote of it, and what stopped the program."""

    name: str
    said: dict[str, Any]
    stopped: str = ""

    @property
    def verdict(self) -> str:
        """`right`, `wrong`, `stopped`, or `refused`: by ttnn's host side, before it ran."""
        if self.stopped:
            return "stopped"
        if self.said["right"]:
            return "right"
        return "refused" if "at" in self.said else "wrong"

    def line(self) -> str:
        """Return the row as a line of JSON, as programs write it."""
        return json.dumps({"name": self.name, "stopped": self.stopped, **self.said}) + "\n"


def read(path: Path) -> list[Row]:
    """Return the rows of a file that a run has kept."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    entries = [json.loads(line) for line in lines]
    return [
        Row(entry.pop("name"), entry, entry.pop("stopped", ""))
        for entry in entries
        if "name" in entry
    ]


def compared(name: str, ours: Path, theirs: Path) -> str:
    """Return whether two outputs are the same bytes."""
    a, b = (folder / f"{name}.bin" for folder in (ours, theirs))
    if not b.exists():
        return "does not run"
    if not a.exists():
        return "stopped here"
    return "equal" if a.read_bytes() == b.read_bytes() else "differs"
