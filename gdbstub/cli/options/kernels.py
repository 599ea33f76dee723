# SPDX-License-Identifier: Apache-2.0
"""The arguments of the commands about kernels of one's own: build, new."""

from __future__ import annotations

from typing import Any

from tensix_gdb.gdbstub.cli.options.instructions import TENSIX
from tensix_gdb.gdbstub.usage import HARTS


def add(commands: Any) -> None:
    """Add the two commands to the subparsers of the command line."""
    build = commands.add_parser(
        "build",
        help="compile a kernel for the harts",
        description="Compile C or C++ sources, with LLK or without, into ELF files with debug "
        "information: one file that is compiled for T0, T1 and T2 with LLK_TRISC_UNPACK, "
        "LLK_TRISC_MATH or LLK_TRISC_PACK defined, or files with names that say the hart (unpack, "
        "math, pack, t0, t1, t2, b, nc), or files that --t0 and the others name. A program begins "
        "at main(), or with LLK at run_kernel(). Takes Tenstorrent's compiler (SFPI) if it is "
        "installed, else Debian's.",
    )
    build.intermixed = True
    build.add_argument("sources", nargs="*", metavar="FILE", help="a source file")
    build.add_argument(
        "-o", "--output", metavar="DIR", default="build", help="where to (default: build)"
    )
    build.add_argument("--arch", choices=TENSIX, help="the chip to build for (default: blackhole)")
    for hart in HARTS:
        build.add_argument(
            f"--{hart}",
            action="append",
            metavar="FILE",
            help=f"a source of {hart.upper()}; may be repeated",
        )
    build.add_argument(
        "--llk",
        metavar="DIR",
        help="where LLK's headers are: a checkout of tt-metal or tt-llk, or a wheel of ttnn "
        "(default: TT_METAL_HOME, an installed ttnn, or the wheel that --get-llk has got)",
    )
    build.add_argument(
        "--get-llk",
        action="store_true",
        help="if LLK's headers are not here, download the wheel ttnn with pip (100 MB, once)",
    )
    build.add_argument(
        "--sfpi",
        metavar="DIR",
        help="where Tenstorrent's compiler is (default: SFPI in the environment, the PATH, "
        "/opt/tenstorrent/sfpi, an installed ttnn)",
    )
    build.add_argument(
        "-D", dest="define", action="append", default=[], metavar="NAME[=VALUE]", help="as of gcc"
    )
    build.add_argument(
        "-I", dest="include", action="append", default=[], metavar="DIR", help="as of gcc"
    )
    build.add_argument(
        "-O",
        dest="optimize",
        metavar="LEVEL",
        help="as of gcc (default: g, or 1 with LLK; the tests of LLK have 3, and GDB finds fewer "
        "lines then)",
    )
    build.add_argument(
        "--cflags",
        default="",
        metavar="OPTIONS",
        help="more options for the compiler, as in --cflags='-Werror -save-temps'",
    )

    new = commands.add_parser(
        "new",
        help="write a small project with a kernel to begin with",
        description="Write a folder with a kernel that adds tiles, two input tiles, a test, "
        "launch files for VS Code and a devcontainer. Existing files are not touched.",
    )
    new.add_argument("name", metavar="NAME", help="the folder to make")
    new.add_argument("--arch", choices=TENSIX, help="the chip to write it for (default: blackhole)")
    new.add_argument("--llk", action="store_true", help="a kernel in C++ with LLK, instead of C")
