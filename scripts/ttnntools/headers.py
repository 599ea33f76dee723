# SPDX-License-Identifier: Apache-2.0
"""The headers of tt-metal's host side, for a host in C++: `python -m scripts.ttnntools.headers`.

They are in the wheel that SFPI is taken from. Kept in the user's cache, and not in this repository.
What these headers include and no wheel has is in tests/ttnn/host/headers, in the smallest form that
a host needs. Prints the options of g++.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path, PurePosixPath

from scripts.ttnntools.prepare import prepare
from tensix_gdb.gdbstub.host.ttnn.environment import cache_folder, find_ttnn
from tensix_gdb.gdbstub.kernels import wheels
from tensix_gdb.gdbstub.kernels.sfpi.archive import unpack
from tensix_gdb.gdbstub.kernels.sfpi.install import read_library
from tensix_gdb.gdbstub.kernels.sfpi.pinned import PINNED
from tensix_gdb.gdbstub.kernels.user_cache import made_at_once
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.usage import UsageError

OURS = Path(__file__).resolve().parents[2] / "tests" / "ttnn" / "host" / "headers"
API = PurePosixPath("tt_metal/api")
COMMON = Path("tt_metal/hostdevcommon/api")  # in the wheel of ttnn
LIBRARIES = ("tt_metal", "tt-umd", "tt_stl")


def options(python: str) -> list[str]:
    """Make the options of g++ for a host of the ttnn of `python`."""
    ttnn = find_ttnn(python).folder
    libraries = ttnn / "build" / "lib"
    return [
        "-std=c++20",
        *(f"-I{folder}" for folder in (OURS, headers(), ttnn / COMMON)),
        f"-L{libraries}",
        f"-Wl,-rpath,{libraries},--allow-shlib-undefined",
        "-Wl,--no-as-needed",
        *(f"-l{name}" for name in LIBRARIES),
    ]


def headers() -> Path:
    """Return the folder of the headers, which is made if it is not there."""
    folder = cache_folder() / f"headers-{PINNED.sha256[:16]}"
    with made_at_once(folder) as new:
        if new is not None:
            with tempfile.TemporaryDirectory() as scratch:
                wheel = wheels.download(
                    PINNED.requirement, PINNED.file, PINNED.platform, Path(scratch)
                )
                unpack(read_library(PINNED, wheel), new, API)
    return folder


if __name__ == "__main__":
    try:
        print(shlex.join(options(str(prepare()))))
    except (CannotPrepare, UsageError) as problem:
        sys.exit(f"headers: {problem}")
