# SPDX-License-Identifier: Apache-2.0
"""The wrong value of a run that has failed, as its host has found it: kept in the file of the run,
so that a page says which value is wrong, what was expected, and where it is.

    {"lines": ["[45] is 46, and 45 is expected; 1 of 140 values differ", "found by torch.equal at
     model.py:9: ...", "it is in row 0, DRAM 0 0x1020a4:2"], "place": "DRAM 0 0x1020a4:2"}
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.usage import UsageError

MEMBER = "wrong.json"  # of a recording; of what belongs to a core file a key
KEY = "wrong"


@dataclass(frozen=True, slots=True)
class WrongValue:
    """Lines about it, and its place as `monitor origin` takes it; None if that is not known."""

    lines: tuple[str, ...]
    place: str | None


def keep_wrong(found: Path, run: Path) -> None:
    """Put what a program has written (`ttnn/compare/wanted.py`) into the file of its run, if it has
    written something. OSError where that fails."""
    if not found.is_file():
        return
    data = json.loads(found.read_text(encoding="utf-8"))
    if zipfile.is_zipfile(run):
        with zipfile.ZipFile(run, "a") as archive:
            archive.writestr(MEMBER, json.dumps(data))
        return
    other = run.with_suffix(".json")
    known = json.loads(other.read_text(encoding="ascii"))
    other.write_text(json.dumps(known | {KEY: data}), encoding="ascii")


def copy_wrong(run: Path, recording: Path) -> None:
    """Put that of the run of a core file into a recording of it. OSError where that fails."""
    data = json.loads(run.with_suffix(".json").read_text(encoding="ascii"))
    if KEY in data:
        with zipfile.ZipFile(recording, "a") as archive:
            archive.writestr(MEMBER, json.dumps(data[KEY]))


def wrong_in(path: str) -> WrongValue | None:
    """Return that of a recording; None if it has none."""
    try:
        with zipfile.ZipFile(path) as archive:
            data = json.loads(archive.read(MEMBER)) if MEMBER in archive.namelist() else None
        if data is None:
            return None
        lines, place = data["lines"], data["place"]
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
        raise UsageError(f"{path}: a damaged recording: {problem}") from None
    return WrongValue(tuple(map(str, lines)), None if place is None else str(place))
