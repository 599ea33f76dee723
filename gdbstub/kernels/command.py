# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb build` and `tensix-gdb new`."""

from __future__ import annotations

import shlex
from pathlib import Path

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.kernels.building import Builder, left_over
from tensix_gdb.gdbstub.kernels.compilers import find_compiler, want_sfpi
from tensix_gdb.gdbstub.kernels.llk import Llk, find_llk
from tensix_gdb.gdbstub.kernels.options import BuildOptions, NewOptions
from tensix_gdb.gdbstub.kernels.project import KERNELS, chip, typed_to_run, write_project
from tensix_gdb.gdbstub.kernels.sfpi.find import find_sfpi
from tensix_gdb.gdbstub.kernels.sfpi.install import what_is_downloaded
from tensix_gdb.gdbstub.kernels.sources import by_hart, uses_llk, uses_sfpi
from tensix_gdb.gdbstub.usage import UsageError

DONE = 0


def build(options: BuildOptions) -> int:
    """Build the ELF files of a kernel, and say what to type next."""
    sources = by_hart(options)
    arch = Arch[(options.arch or "blackhole").upper()]
    compiler = find_compiler(options.sfpi, arch)
    llk: Llk | None = None
    if uses_sfpi(sources):
        want_sfpi(compiler)
    if options.llk is not None or options.get_llk or uses_llk(sources):
        want_sfpi(compiler)
        llk = find_llk(options.llk, may_download=options.get_llk)
    out = Path(options.output)
    built = Builder(compiler, llk, _for_compiler(options)).build(sources, out)
    for hart, path in built.items():
        print(f"{path}: {hart}, from {', '.join(map(str, sources[hart]))}")
    chip = "" if arch is Arch.BLACKHOLE else f" for {arch.title}"
    print(f"Compiled{chip} with {compiler.name}{f' and the LLK in {llk.root}' if llk else ''}.")
    for path in left_over(out, built):
        print(f"{path} is from before, and --dir loads it too: remove it if it is not meant.")
    folder = shlex.quote(str(out))
    there = "" if arch is Arch.BLACKHOLE else f" --arch {options.arch}"
    loads = f"{there} --dir {folder}"
    print(f"Next: `tensix-gdb gdb{loads}`, or `tensix-gdb run{loads}`.")
    return DONE


def _for_compiler(options: BuildOptions) -> list[str]:
    """Return the options of the user for the compiler."""
    given = [f"-D{one}" for one in options.define] + [f"-I{one}" for one in options.include]
    given += [] if options.optimize is None else [f"-O{options.optimize}"]
    try:
        return [*given, *shlex.split(options.cflags)]
    except ValueError as problem:
        raise UsageError(f"--cflags {options.cflags}: {str(problem).lower()}") from None


def new(options: NewOptions) -> int:
    """Write a project, and say what to type next."""
    folder = Path(options.name)
    kernel = "add.cpp" if options.llk else "add.c"
    arch = Arch[(options.arch or "blackhole").upper()]
    names = dict.fromkeys(
        path.relative_to(folder).parts[0] for path in write_project(folder, kernel, arch)
    )
    print(f"{folder}: {', '.join(names)}")
    inside = shlex.quote(str(folder))
    if options.llk and find_sfpi() is None:
        print(f"First: `tensix-gdb sfpi --install`, which downloads {what_is_downloaded()}.")
    print(f"Next: `cd {inside} && tensix-gdb build {' '.join((*chip(arch), *KERNELS[kernel]))}`.")
    print(f"Then: `{typed_to_run(arch)}`.")
    return DONE
