# SPDX-License-Identifier: Apache-2.0
"""The instruction that has written something, in words: `SFPSTORE of T1 math, ... at add.c:86`."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.core.assembly.rv32 import show
from tensix_gdb.core.explain.made import configured_lines
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.instrumented.scopes import CABLE, DEBUG, HART, NOC, SFPLOADMACRO, Scope
from tensix_gdb.core.origin.moves import ETHERNET
from tensix_gdb.core.origin.replayed import made_at
from tensix_gdb.core.origin.words import shortened
from tensix_gdb.core.tensix.table import find


class Writers:
    """Says it for the tiles of an answer."""

    def __init__(self, machines: Sequence[Machine], names: Sequence[str]) -> None:
        self._machines, self._names = machines, names

    def text(self, scope: Scope, tile: int, *, short: bool = False) -> str:
        """Return an instruction of a tile, and its place; `short`: without its address and the
        calls on the way."""
        tile = tile if scope.tile is None else scope.tile
        machine = self._machines[tile]
        # With several tiles each core has the name of its tile before its own.
        named = f"{self._names[tile]} " if self._names[tile] else ""
        where = machine.places.at(scope.hart, scope.pc) if scope.hart >= 0 and scope.pc else ""
        made = made_at(machine, scope) if where and scope.word else None
        if short:
            where = shortened(where if made is None else made.line)
        if scope.kind == HART:
            hart = named + HART_NAMES[scope.hart]
            return f"{_instruction(machine, scope)} of {hart}, {where}".rstrip(", ")
        if scope.kind == NOC:
            hart = named + HART_NAMES[scope.hart]
            return f"a request of {scope.unit} that {hart} has made at {where}"
        if scope.kind == CABLE:
            return self._over_cable(scope, named, where)
        if scope.kind == DEBUG:
            return f"the debug interface of {named}{HART_NAMES[scope.hart]}"
        if where and scope.word and not short:
            if made is not None:
                where = f"{made.line}, {made.how} {where}".rstrip()
            elif scope.unit == SFPLOADMACRO:
                lines = configured_lines(machine.places, scope.hart, scope.made)
                where += f", scheduled by SFPLOADMACRO{lines and f'; {lines}'}"
        row = find(scope.word, machine.arch) if scope.word else None
        name = row.mnemonic if row is not None else scope.unit or "an instruction"
        owner = f" of {named}{THREAD_NAMES[scope.thread]}" if scope.thread is not None else ""
        if not where:
            return f"{name}{owner}, it is not known from which line"
        pusher = ""
        if scope.thread is not None and scope.hart != scope.thread + 1:
            pusher = f", pushed by {HART_NAMES[scope.hart]}"
        return f"{name}{owner}{pusher}, {where}"

    @staticmethod
    def _over_cable(scope: Scope, named: str, where: str) -> str:
        if scope.unit == ETHERNET:
            return f"an access of {named}{HART_NAMES[scope.hart]} to {scope.unit}, {where}"
        by = "the host has sent" if scope.hart < 0 else f"{HART_NAMES[scope.hart]} has sent"
        return f"a packet of {named}{scope.unit} that {by}" + (f" at {where}" if where else "")


def _instruction(machine: Machine, scope: Scope) -> str:
    try:
        word = int.from_bytes(machine.peek(scope.hart, scope.pc, 4), "little")
        return show(word, scope.pc).split()[0]
    except (ValueError, LookupError, IndexError):
        return "an instruction"
