# SPDX-License-Identifier: Apache-2.0
"""The ELF files of a folder by hart, by the names that Tenstorrent's tools give them.

The firmware and tt-metal's kernels have brisc, ncrisc, trisc0, trisc1 and trisc2, each in a folder
of its own name; the LLK tests have unpack, math and pack beside a brisc. The names of the harts, as
they are typed here, will do too.
"""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, NC, T0, T1, T2, B
from tensix_gdb.core.program.elf import LoadError

NAMES: dict[int, tuple[str, ...]] = {
    B: ("brisc", "b"),
    T0: ("trisc0", "unpack", "t0"),
    T1: ("trisc1", "math", "t1"),
    T2: ("trisc2", "pack", "t2"),
    NC: ("ncrisc", "nc"),
}


def programs_in(folder: str | Path) -> dict[int, Path]:
    """Return the ELF files of a folder, by hart; LoadError when there is none, or two for one
    hart."""
    folder = Path(folder)
    try:
        if not folder.is_dir():
            there = "not a directory" if folder.exists() else "there is no such directory"
            raise LoadError(f"{folder}: {there}")
        candidates = {hart: _candidates(folder, hart) for hart in range(HARTS)}
    except OSError as error:
        raise LoadError(f"{folder}: cannot be read: {error.strerror}") from None
    for hart, paths in candidates.items():
        if len(paths) > 1:
            names = " and ".join(path.name for path in paths)
            raise LoadError(f"{folder}: {names} are both for {HART_NAMES[hart]}; remove one")
    programs = {hart: paths[0] for hart, paths in candidates.items() if paths}
    if not programs:
        names = ", ".join(f"{name}.elf" for group in NAMES.values() for name in group)
        raise LoadError(
            f"{folder}: holds none of {names}, nor a folder with one; "
            "--elf HART=FILE takes any name"
        )
    return programs


def _candidates(folder: Path, hart: int) -> list[Path]:
    places = (
        place
        for name in NAMES[hart]
        for place in (folder / f"{name}.elf", folder / name / f"{name}.elf")
    )
    return [place for place in places if place.is_file()]
