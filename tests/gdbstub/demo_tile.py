# SPDX-License-Identifier: Apache-2.0
"""A tile with the programs of the demo, which lie in /demo as far as clients see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.machines import machine_on
from tests.programs.build import DEMO, DEMO_PROGRAMS

FOLDER = Path("/demo")
STEPS = 100_000  # cycles after which a transcript of it continues


def new_demo_tile(
    engine: str = "reference", *, record: bool = False, processes: bool = False
) -> SharedTile:
    """A tile that runs only when it is told to."""
    machine = machine_on(engine)
    for hart, name in DEMO_PROGRAMS.items():
        image = read_elf(str(DEMO / f"{name}.elf"))
        image = replace(image, path=FOLDER / f"{name}.elf")
        machine.load(HART_NAMES.index(hart), image)
    target = tensix_target(machine, record=record, processes=processes)
    return SharedTile(target, run_at_once=False)


def elsewhere(payload: bytes) -> bytes:
    """Return what a client sent, with its programs in the folder of this tile."""
    for here, there in ((str(DEMO), str(FOLDER)), (_hex(str(DEMO)), _hex(str(FOLDER)))):
        payload = payload.replace(here.encode("ascii"), there.encode("ascii"))
    return payload


def _hex(text: str) -> str:
    return text.encode("ascii").hex()
