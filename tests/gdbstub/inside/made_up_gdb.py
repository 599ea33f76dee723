# SPDX-License-Identifier: Apache-2.0
"""A made-up `gdb` module for gdbstub/inside, attached to a tile: recorded GDBs act through it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile


class _Defined:
    """gdb.Command and gdb.Function: their constructors register names."""

    def __init__(self, *_: object) -> None:
        pass


class Breakpoint:
    """gdb.Breakpoint: GDB numbers them, and keeps one pending of which it finds no place."""

    all: ClassVar[list[Breakpoint]] = []

    def __init__(self, location: str, temporary: bool = False) -> None:
        self.location, self.temporary = location, temporary
        self.pending, self.enabled = not location.startswith("*"), True
        self.condition: str | None = None
        self.all.append(self)
        self.number = len(self.all)

    def delete(self) -> None:
        """Forget it; its number is not given again."""
        self.all[self.number - 1].location = ""


class Error(Exception):
    """gdb.error and gdb.GdbError."""


@contextmanager
def inside(name: str, execute: Callable[[str], str] | None = None) -> Iterator[Any]:
    """Import gdbstub.inside.NAME in such a GDB; `execute` gives the output of commands."""
    client = Client(new_tile())
    send = SimpleNamespace(send_packet=lambda packet: wire.binary(client.ask(packet)))
    Breakpoint.all.clear()
    made = ModuleType("gdb")
    made.__dict__.update(
        dict.fromkeys(("COMMAND_DATA", "COMMAND_STATUS"), 0),
        **dict.fromkeys(("COMPLETE_FILENAME", "COMPLETE_EXPRESSION", "COMPLETE_LOCATION"), 0),
        Command=_Defined,
        Function=_Defined,
        Breakpoint=Breakpoint,
        NewObjFileEvent=object,
        error=Error,
        GdbError=Error,
        selected_inferior=lambda: SimpleNamespace(connection=send),
        execute=lambda command, to_string: execute(command) if execute is not None else "",
    )
    whole = f"tensix_gdb.gdbstub.inside.{name}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "gdb", made)
        for module in _loaded():
            patch.delitem(sys.modules, module)
        yield importlib.import_module(whole)
        for module in _loaded():
            del sys.modules[module]


def _loaded() -> list[str]:
    """The modules that have a `gdb`: GDB imports them without the package's name."""
    places = ("tensix_gdb.gdbstub.inside.", "gdbstub.inside.")
    return [name for name in sys.modules if name.startswith(places)]
