# SPDX-License-Identifier: Apache-2.0
"""TAB behind `tensix`, as GDBs were recorded to ask for it (tests/gdb/tabs.py)."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile

FILES = sorted((Path(__file__).resolve().parent / "tabs").glob("*.json"))
INSIDE = ("gdbstub.inside.asking", "gdbstub.inside.commands")


class _Command:
    """gdb.Command, which is told of its name."""

    def __init__(self, *_: object) -> None:
        pass


class _Error(Exception):
    """gdb.error, and what it is said with."""


@pytest.fixture
def tensix(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The command, in a GDB that is attached to a tile."""
    client = Client(new_tile())
    send = SimpleNamespace(send_packet=lambda packet: wire.binary(client.ask(packet)))
    made = ModuleType("gdb")
    made.__dict__.update(
        Command=_Command,
        Function=_Command,
        COMMAND_DATA=0,
        COMPLETE_FILENAME=0,
        error=_Error,
        GdbError=_Error,
        selected_inferior=lambda: SimpleNamespace(connection=send),
    )
    monkeypatch.setitem(sys.modules, "gdb", made)
    for name in INSIDE:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module(INSIDE[-1]).Tensix()
    for name in INSIDE:
        sys.modules.pop(name, None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_line_is_completed(path: Path, tensix: Any) -> None:
    for tab in json.loads(path.read_text("ascii")):
        (before, first), (text, word) = tab["asked"]
        assert (before, first) == (text, None), "what GDB asks first, only for where a word begins"
        assert tensix.complete(before, None) == [], "an exception here is shown at each TAB"
        found = tensix.complete(text, word)
        same = takewhile(lambda letters: len(set(letters)) == 1, zip(*found, strict=False))
        common = "".join(letters[0] for letters in same)
        assert tab["line"] + common[len(word) :] + " " * (len(found) == 1) == tab["shown"]


def test_two_generations_are_recorded() -> None:
    assert [path.stem for path in FILES] == ["gdb13", "gdb17"]
