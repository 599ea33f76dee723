# SPDX-License-Identifier: Apache-2.0
"""Coverage and profiles of Tenstorrent's firmware booting and of a kernel on three T cores.

`python -m scripts.examples.counted` runs both and puts what it shows between the marks in the
manual; `--keep DIR` leaves all files there. The firmware comes with pip, once, as for the tests.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import tempfile
from pathlib import Path

from scripts.examples.typed import ONE_ORDER, printed_by
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.core.firmware.builds import KNOWN, unpack
from tests.core.tensix.packer.packer import BF16
from tests.programs.build import PROGRAMS, build
from tests.programs.data_path import LEFT, RIGHT, defines, prepare, put

BLOCK = Generated("counted", "python -m scripts.examples.counted", MANUAL / "measuring.md")
HARTS = ("t0", "t1", "t2")
PHASES = 2


def said(*words: str) -> list[str]:
    """The lines of a command."""
    lines = printed_by(*words).splitlines()
    return [line for line in lines if not line.startswith(ONE_ORDER)]


def kernel(folder: Path) -> list[str]:
    """The arguments that run it: three programs, and what a host has put into L1 for them."""
    words = []
    for number, hart in enumerate(HARTS, 1):
        line = defines(number, phases=PHASES)
        elf = build(PROGRAMS / "data_path.c", hart.upper(), folder / f"{hart}.elf", defines=line)
        words += ["--elf", f"{hart}={elf}"]
    pieces: list[tuple[int, bytes]] = []

    def poke(hart: int, addr: int, data: bytes) -> None:
        pieces.append((addr, data))

    prepare(poke, BF16, fp32=False)
    ones = [[1.0] * 32 for _ in range(32)]
    put(poke, LEFT, ones)
    put(poke, RIGHT, ones)
    for addr, data in pieces:
        path = folder / f"{addr:#x}.bin"
        path.write_bytes(data)
        words += ["--bin", f"{addr:#x}={path}"]
    return words


def table(text: str, title: str, rows: int) -> str:
    """A table of a profile, cut after some rows."""
    found = next(part for part in text.split("\n\n") if part.startswith(title))
    lines = found.splitlines()
    more = len(lines) - 2 - rows
    return "\n".join([*lines[: 2 + rows], *(["  ..."] if more > 0 else [])])


def all_that_is_shown(folder: Path) -> str:
    """As Markdown."""
    profile, info = folder / "profile.txt", folder / "boot.info"
    wanted = ["--coverage", str(info), "--profile", str(profile)]
    lines = said("run", "--firmware", str(unpack(KNOWN, folder)), *wanted)
    text = profile.read_text("utf-8")
    parts = ["$ tensix-gdb run --firmware FOLDER --coverage boot.info --profile profile.txt"]
    parts += [re.sub(r"\S*/", "", line) for line in lines[-2:]]
    parts += [f"$ cat profile.txt\n{text.splitlines()[0]}", "", table(text, "Harts", 5), ""]
    parts += [table(text, "B, functions", 4), "", table(text, "B, lines", 4)]
    boot = "\n".join(parts)

    info, profile = folder / "kernel.info", folder / "kernel.txt"
    wanted = ["--tensix-coverage", str(info), "--profile", str(profile)]
    lines = said("run", *kernel(folder), *wanted)
    text = profile.read_text("utf-8")
    parts = ["$ tensix-gdb run --elf t0=t0.elf ... --tensix-coverage kernel.info \\"]
    parts += ["    --profile kernel.txt"]
    parts += [re.sub(r"\S*/", "", line) for line in lines[-2:]]
    parts += [f"$ cat kernel.txt\n{text.splitlines()[0]}", ""]
    for title, rows in (
        ("T0 unpack: ", 2),
        ("T1 math: ", 3),
        ("T2 pack: ", 3),
        ("T1 math, issued", 3),
        ("Units", 4),
    ):
        parts += [table(text, title, rows), ""]
    parts += ["$ tensix-gdb report kernel.txt", *said("report", str(profile))]
    return (
        "Tenstorrent's firmware boots:\n\n"
        f"```\n{boot}\n```\n\n"
        "A kernel multiplies two tiles: T0 unpacks, T1 computes, T2 packs "
        "(`tests/programs/data_path.c`):\n\n"
        "```\n" + "\n".join(parts).rstrip() + "\n```\n"
    )


def main() -> None:
    """Write the manual."""
    options = argparse.ArgumentParser(prog="python -m scripts.examples.counted")
    options.add_argument("--keep", metavar="DIR", help="leave the files here")
    keep = options.parse_args().keep
    with contextlib.ExitStack() as stack:
        folder = Path(keep or stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        BLOCK.write(all_that_is_shown(folder))


if __name__ == "__main__":
    main()
