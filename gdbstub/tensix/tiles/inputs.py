# SPDX-License-Identifier: Apache-2.0
"""The names of the arrays that `--tile` has put into L1, for maps of memory.

They are known of the tile that they were loaded into, and of a recording of it: its file has them.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from tensix_gdb.core.machine import Machine

INDEX = "inputs.json"


class Input(NamedTuple):
    """An array in L1; `end` is the first address after it."""

    name: str
    start: int
    end: int


_KNOWN: WeakKeyDictionary[Machine, tuple[Input, ...]] = WeakKeyDictionary()


def name_inputs(machine: Machine, inputs: Sequence[Input]) -> None:
    """Note what a tile has."""
    _KNOWN[machine] = tuple(inputs)


def inputs_of(machine: Machine) -> tuple[Input, ...]:
    """Return what a tile has."""
    return _KNOWN.get(machine, ())


def keep_inputs(machine: Machine, recording: str) -> None:
    """Add them to a recording. OSError where that fails; what is no file has no more to add to."""
    found = inputs_of(machine)
    if found and Path(recording).is_file():
        with zipfile.ZipFile(recording, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(INDEX, json.dumps(found))


def inputs_in(recording: str) -> tuple[Input, ...]:
    """Return what a recording has; names are no reason to refuse it."""
    with (
        suppress(OSError, ValueError, TypeError, KeyError, zipfile.BadZipFile),
        zipfile.ZipFile(recording) as archive,
    ):
        if INDEX in archive.namelist():
            rows = json.loads(archive.read(INDEX))
            return tuple(Input(str(name), int(start), int(end)) for name, start, end in rows)
    return ()
