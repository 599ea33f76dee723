# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's pre-built firmware, unpacked from the wheel ttnn 0.81.1 for one test run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tensix_gdb.core.program.elf import read_elf
from tests.core.isa.wheel import wheel

FOLDER = "ttnn/tt_metal/pre-compiled/"
CORES = ("brisc", "ncrisc", "trisc0", "trisc1", "trisc2")
KNOWN = "10503743232459396191"


@cache
def names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The builds for Blackhole, which have a `drisc`, and the others, which are for Wormhole."""
    files = [name[len(FOLDER) :].split("/") for name in wheel().namelist() if FOLDER in name]
    builds = {parts[0] for parts in files if len(parts) > 2}
    blackhole = {parts[0] for parts in files if parts[1:2] == ["drisc"]}
    return tuple(sorted(blackhole)), tuple(sorted(builds - blackhole))


def unpack(build: str, folder: Path) -> Path:
    """The five ELF files of a build, each in a folder of its name."""
    for core in CORES:
        out = folder / build / core / f"{core}.elf"
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_bytes(wheel().read(f"{FOLDER}{build}/{core}/{core}.elf"))
    return folder / build


def different(builds: Sequence[str], folder: Path) -> list[str]:
    """Those builds that load something else: of some, only what no hart sees differs."""
    loads = {}
    for build in builds:
        images = [read_elf(unpack(build, folder) / core / f"{core}.elf") for core in CORES]
        code = tuple((one.addr, one.data) for image in images for one in image.segments)
        loads.setdefault((*code, *(image.entry for image in images)), build)
    return list(loads.values())
