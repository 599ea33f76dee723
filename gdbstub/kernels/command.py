# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb build` and `tensix-gdb new`."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.kernels.building import Builder, left_over
from tensix_gdb.gdbstub.kernels.compilers import find_compiler
from tensix_gdb.gdbstub.kernels.llk import Llk, find_llk
from tensix_gdb.gdbstub.kernels.project import KERNELS, chip, typed_to_run, write_project
from tensix_gdb.gdbstub.kernels.sources import by_hart, uses_llk
from tensix_gdb.gdbstub.usage import UsageError

DONE = 0


def build(arguments: argparse.Namespace) -> int:
    """Build the ELF files of a kernel, and say what to type next."""
    sources = by_hart(arguments)
    arch = Arch[(arguments.arch or "blackhole").upper()]
    compiler = find_compiler(arguments.sfpi, arch)
    llk: Llk | None = None
    if arguments.llk is not None or arguments.get_llk or uses_llk(sources):
        llk = find_llk(arguments.llk, may_download=arguments.get_llk)
    out = Path(arguments.output)
    built = Builder(compiler, llk, _options(arguments)).build(sources, out)
    for hart, path in built.items():
        print(f"{path}: {hart}, from {', '.join(map(str, sources[hart]))}")
    chip = "" if arch is Arch.BLACKHOLE else f" for {arch.title}"
    print(f"Compiled{chip} with {compiler.name}{f' and the LLK in {llk.root}' if llk else ''}.")
    for path in left_over(out, built):
        print(f"{path} is from before, and --dir loads it too: remove it if it is not meant.")
    folder = shlex.quote(str(out))
    there = "" if arch is Arch.BLACKHOLE else f" --arch {arguments.arch}"
    options = f"{there} --dir {folder}"
    print(f"Next: `tensix-gdb gdb{options}`, or `tensix-gdb run{options}`.")
    return DONE


def _options(arguments: argparse.Namespace) -> list[str]:
    """The options of the user for the compiler."""
    options = [f"-D{one}" for one in arguments.define] + [f"-I{one}" for one in arguments.include]
    options += [] if arguments.optimize is None else [f"-O{arguments.optimize}"]
    try:
        return [*options, *shlex.split(arguments.cflags)]
    except ValueError as problem:
        raise UsageError(f"--cflags {arguments.cflags}: {str(problem).lower()}") from None


def new(arguments: argparse.Namespace) -> int:
    """Write a project, and say what to type next."""
    folder = Path(arguments.name)
    kernel = "add.cpp" if arguments.llk else "add.c"
    arch = Arch[(arguments.arch or "blackhole").upper()]
    names = dict.fromkeys(
        path.relative_to(folder).parts[0] for path in write_project(folder, kernel, arch)
    )
    print(f"{folder}: {', '.join(names)}")
    inside = shlex.quote(str(folder))
    print(f"Next: `cd {inside} && tensix-gdb build {' '.join((*chip(arch), *KERNELS[kernel]))}`.")
    print(f"Then: `{typed_to_run(arch)}`.")
    return DONE
