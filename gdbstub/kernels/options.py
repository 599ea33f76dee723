# SPDX-License-Identifier: Apache-2.0
"""The options of the commands about kernels of one's own: build, new."""

from __future__ import annotations

from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option


def _sources(hart: str) -> Any:
    return option(
        f"--{hart}",
        action="append",
        metavar="FILE",
        help=f"a source of {hart.upper()}; may be repeated",
    )


@dataclass(frozen=True)
class BuildOptions:
    """Compile C or C++ sources, with LLK or without, into ELF files with debug information: one
    file that is compiled for T0, T1 and T2 with LLK_TRISC_UNPACK, LLK_TRISC_MATH or LLK_TRISC_PACK
    defined, or files with names that say the hart (unpack, math, pack, t0, t1, t2, b, nc), or files
    that --t0 and the others name. A program begins at main(), or with LLK at run_kernel(). Takes
    Tenstorrent's compiler (SFPI) if it is installed, else Debian's."""

    sources: tuple[str, ...] = option(nargs="*", metavar="FILE", help="a source file")
    output: str = option(
        *("-o", "--output"), metavar="DIR", default="build", help="where to (default: build)"
    )
    arch: str | None = tile.arch("the chip to build for (default: blackhole)")
    b: tuple[str, ...] = _sources("b")
    t0: tuple[str, ...] = _sources("t0")
    t1: tuple[str, ...] = _sources("t1")
    t2: tuple[str, ...] = _sources("t2")
    nc: tuple[str, ...] = _sources("nc")
    llk: str | None = option(
        "--llk",
        metavar="DIR",
        help="where LLK's headers are: a checkout of tt-metal or tt-llk, or a wheel of ttnn "
        "(default: TT_METAL_HOME, an installed ttnn, or the wheel that --get-llk has got)",
    )
    get_llk: bool = option(
        "--get-llk",
        action="store_true",
        help="if LLK's headers are not here, download the wheel ttnn with pip (100 MB, once)",
    )
    sfpi: str | None = option(
        "--sfpi",
        metavar="DIR",
        help="where Tenstorrent's compiler is (default: SFPI in the environment, the PATH, "
        "/opt/tenstorrent/sfpi, an installed ttnn, what `tensix-gdb sfpi --install` has got); "
        "none: Debian's",
    )
    define: tuple[str, ...] = option(
        "-D", action="append", metavar="NAME[=VALUE]", help="as of gcc"
    )
    include: tuple[str, ...] = option("-I", action="append", metavar="DIR", help="as of gcc")
    optimize: str | None = option(
        "-O",
        metavar="LEVEL",
        help="as of gcc (default: g, or 1 with LLK; the tests of LLK have 3, and GDB finds fewer "
        "lines then)",
    )
    cflags: str = option(
        "--cflags",
        default="",
        metavar="OPTIONS",
        help="more options for the compiler, as in --cflags='-Werror -save-temps'",
    )

    def of_harts(self) -> dict[str, tuple[str, ...]]:
        """Return the files that are named for each hart."""
        return {"B": self.b, "T0": self.t0, "T1": self.t1, "T2": self.t2, "NC": self.nc}


@dataclass(frozen=True)
class NewOptions:
    """Write a folder with a kernel that adds tiles, two input tiles, a test, launch files for VS
    Code and a devcontainer. Existing files are not touched."""

    name: str = option(metavar="NAME", help="the folder to make")
    arch: str | None = tile.arch("the chip to write it for (default: blackhole)")
    llk: bool = option("--llk", action="store_true", help="a kernel in C++ with LLK, instead of C")
