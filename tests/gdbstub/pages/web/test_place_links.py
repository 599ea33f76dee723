# SPDX-License-Identifier: Apache-2.0
"""The files of places in texts: two programs have a source of one name."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from scripts.examples.tensix.sessions import FOLDER, SESSIONS
from tensix_gdb.core.arch.blackhole import T1, T2
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.pages.web.place_links import PlaceLinks
from tensix_gdb.gdbstub.pages.web.sources import Sources
from tests.programs.build import build


def test_a_name_is_the_file_of_that_program(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        for name in ("hang.c", "tensix.h"):
            shutil.copy(FOLDER / name, folder)
    elfs = [
        build(folder / "hang.c", hart, folder / "k.elf", defines=SESSIONS[0].harts[hart])
        for folder, hart in zip(folders, ("T1", "T2"), strict=True)
    ]
    with contextlib.closing(Machine(engine="reference")) as machine:
        for hart, elf in zip((T1, T2), elfs, strict=True):
            machine.load(hart, read_elf(elf))
        links = PlaceLinks(Sources(machine))
        one, two = (str(folder / "hang.c") for folder in folders)
        assert links.of("T1: runs at hang.c:11\n    pushed at hang.c:12") == [one, one]
        assert links.of("T2 pack: held\n    by T1 at hang.c:12, pushed by T2 at hang.c:26") == [
            one,
            two,
        ]
        assert links.of("at hang.c:12", T2) == [two]
        assert links.of("at tensix.h:35") == [""]  # in both
        assert links.of("no.c:1, T1 at 0x0000a05c, 12:30") == [""]
