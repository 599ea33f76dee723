# SPDX-License-Identifier: Apache-2.0
"""Breakpoints that GDB keeps pending, in a made-up GDB: what comes with a kernel, and what goes."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.gdbstub.inside.made_up_gdb import Breakpoint, Error, inside

PLACE, ADDR = "add.cpp:kernel_main", 0xB000


class Tile:
    """Answers of a tile: the places that harts come to, if a program that is loaded has them."""

    def __init__(self) -> None:
        self.loaded: list[str] = []

    def ask(self, question: str) -> str:
        assert question == f"places {PLACE}"
        if not self.loaded:
            raise Error("no program that is loaded has it")
        return "\n".join(self.loaded)


@pytest.fixture
def made() -> Iterator[tuple[Any, Tile, list[str]]]:
    """The pending breakpoints, the tile, and what GDB prints."""

    def execute(command: str) -> str:
        if command.startswith("info symbol"):
            return "kernel_main() in section .text" if command.endswith("4096") else "_start + 8 in"
        return f"1  breakpoint  keep y  <PENDING>  {PLACE} if i == 2\n"

    with inside("kernel_lines", execute) as module:
        tile, said = Tile(), list[str]()
        module.ask = tile.ask
        module.gdb.write = said.append
        module.gdb.breakpoints = lambda: [each for each in Breakpoint.all if each.location]
        module.gdb.selected_inferior = lambda: SimpleNamespace(num=1)
        yield module.Pending(), tile, said


def shown() -> list[tuple[str, bool]]:
    return [(each.location, each.enabled) for each in Breakpoint.all if each.location]


def test_a_kernel_that_comes_later_adds_its_places(made: tuple[Any, Tile, list[str]]) -> None:
    pending, tile, said = made
    first = Breakpoint(PLACE)
    pending.created(first)
    assert shown() == [(PLACE, True)]
    first.enabled = False
    pending.modified(first)
    tile.loaded += [f"T0 {ADDR} 0", "T1 4096 0"]  # GDB itself finds the one of T1
    for _ in range(2):
        pending.loaded(None)
    assert shown() == [(PLACE, False), (f"*{ADDR:#x}", False)]
    assert said == [f"{PLACE} is inlined: T0 comes there, at breakpoint 2.\n"]
    first.enabled = True
    pending.modified(first)
    assert shown() == [(PLACE, True), (f"*{ADDR:#x}", True)]
    assert Breakpoint.all[1].wanted == "i == 2"  # type: ignore[attr-defined]


@pytest.mark.parametrize("temporary", [False, True])
def test_they_go_together_but_not_while_gdb_looks_at_them(
    made: tuple[Any, Tile, list[str]], temporary: bool
) -> None:
    """A temporary one goes when it was hit; of others, when the one that GDB shows is deleted."""
    pending, tile, _ = made
    tile.loaded += [f"T0 {ADDR} 0", f"T1 {ADDR + 64} 0"]
    pending.created(Breakpoint(PLACE, temporary))
    gone = Breakpoint.all[1 if temporary else 0]
    gone.location = ""
    pending.deleted(gone)
    left = [each for each in Breakpoint.all if each.location]
    assert len(left) == 2
    assert left[-1].wanted == "0"  # type: ignore[attr-defined]
    pending.before_prompt()
    assert shown() == []


@pytest.mark.parametrize("place", ["kernel_main", "add.cpp:70", "add.cpp:kernel_main if", "*0x10"])
def test_what_is_no_function_of_a_file_is_gdbs(
    made: tuple[Any, Tile, list[str]], place: str
) -> None:
    pending, tile, _ = made
    tile.loaded += [f"T0 {ADDR} 0"]
    pending.created(Breakpoint(place))
    assert len(shown()) == 1
