# SPDX-License-Identifier: Apache-2.0
"""Compile the project's C programs for a hart of the tile, with Debian's bare-metal compiler.

The same sources give the same bytes on every machine with the same compiler: no path of the
checkout gets into the file. `gdbstub/demo/programs` has the start-up code, the linker script and
the demo, whose ELFs are committed; everything else is built when a test wants it.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, LOCAL_BASE
from tensix_gdb.core.arch.chips import BLACKHOLE, LOCAL_BYTES
from tensix_gdb.gdbstub.kernels.places import PLACES as PLACES
from tensix_gdb.gdbstub.kernels.places import SHARED_START, symbols
from tests.programs.once import once

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "gdbstub" / "demo" / "programs"
RING = ROOT / "scripts" / "examples" / "ring"
PROGRAMS = Path(__file__).resolve().parent
GCC = "riscv64-unknown-elf-gcc"
# What the committed ELFs were built with (`gcc -dumpfullversion`; Debian 12's).
COMPILER = "12.2.0"

ARCH = "rv32im_zicsr_zba_zbb"
# What other emulators have too.
PLAIN_ARCH = "rv32im_zicsr"
FLOAT_ARCH = "rv32imf_zicsr"
FLAGS = (
    *("-mabi=ilp32", "-std=gnu17", "-ffreestanding", "-nostdlib", "-static", "-g", "-fno-common"),
    *("-Wall", "-Wextra", "-Werror", "-fno-tree-loop-distribute-patterns"),
    *("-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments"),
)


DEMO_PROGRAMS = {"B": "b", "T0": "t0", "T1": "t1", "NC": "nc"}


class BuildError(RuntimeError):
    """The compiler refused; the message is what it said."""


def compiler_version() -> str | None:
    """The version of the RISC-V compiler, or None where there is none."""
    try:
        done = subprocess.run([GCC, "-dumpfullversion"], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout.strip()


def build(
    source: Path,
    hart: str,
    out: Path,
    *,
    optimize: str = "-Og",
    defines: tuple[str, ...] = (),
    shared_start: int = SHARED_START,
    arch: str = ARCH,
    chip: int = BLACKHOLE,
) -> Path:
    """Compile one C file for a hart into the ELF file `out`; on Wormhole local RAM is smaller."""
    values = {**symbols(hart), "__shared_start": shared_start}
    if chip != BLACKHOLE:
        end = LOCAL_BYTES[HARTS * chip + HART_NAMES.index(hart)]
        values["__stack_top"] = LOCAL_BASE + end
    # The name of a source file in the debug information is as given here; its folder is ".".
    start = "crt0.S" if source.parent == DEMO else str(DEMO / "crt0.S")
    folders = (source.parent, DEMO)
    command = [
        *(GCC, f"-march={arch}", *FLAGS, optimize, f"-I{DEMO}"),
        *(f"-ffile-prefix-map={folder}=." for folder in folders),
        *(f"-Wa,--debug-prefix-map={folder}=." for folder in folders),
        *(f"-D{define}" for define in defines),
        *(f"-Wl,--defsym={name}={value:#x}" for name, value in values.items()),
        *("-T", str(DEMO / "tile.ld"), start, source.name, "-o", str(out)),
    ]
    _run(command, source, out)
    return out


def build_linux(
    source: Path,
    out: Path,
    *,
    optimize: str,
    arch: str = PLAIN_ARCH,
    defines: tuple[str, ...] = (),
) -> Path:
    """Compile a program that brings its own _start for Linux, as qemu-riscv32 runs it."""
    command = [
        *(GCC, f"-march={arch}", *FLAGS, optimize, f"-I{DEMO}", "-DLINUX"),
        *(f"-D{define}" for define in defines),
        *(source.name, "-o", str(out)),
    ]
    _run(command, source, out)
    return out


def build_kernel(
    source: Path, hart: int, out: Path, *, model: str = "medany", options: tuple[str, ...] = ()
) -> Path:
    """Compile a kernel for the firmware to launch: one function, position independent, or in the
    code model medlow with the list of its relocations."""
    moving = ("-Wl,--emit-relocs",) if model == "medlow" else ("-fno-jump-tables",)
    command = [
        *(GCC, f"-march={ARCH}", *FLAGS, "-O1", f"-DHART={hart}"),
        *(f"-mcmodel={model}", "-msmall-data-limit=0", "-mno-relax", *moving, *options),
        *("-Wl,--no-relax", "-Wl,-Ttext=0", "-Wl,-e,kernel_main"),
        *(f"-ffile-prefix-map={source.parent}=.", source.name, "-o", str(out)),
    ]
    _run(command, source, out)
    return out


def _run(command: list[str], source: Path, out: Path) -> None:
    def make() -> None:
        done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True)
        if done.returncode != 0:
            raise BuildError(f"{source}:\n{done.stderr}")

    once(command, {source.parent, DEMO}, out, make)


def build_demo(folder: Path) -> dict[str, Path]:
    """Build the demo's ELFs into a folder; the files by hart."""
    return {
        hart: build(DEMO / f"{name}.c", hart, folder / f"{name}.elf")
        for hart, name in DEMO_PROGRAMS.items()
    }


def build_ring(folder: Path) -> dict[str, Path]:
    """Build the ELFs of the example with a mistake into a folder; the files by hart."""
    return {
        hart: build(RING / f"{hart.lower()}.c", hart, folder / f"{hart.lower()}.elf")
        for hart in ("B", "T0")
    }


def main() -> int:
    """Build the demo's and the example's ELFs where they are committed."""
    version = compiler_version()
    if version is None:
        print(f"{GCC} is missing: run 'apt-get install gcc-riscv64-unknown-elf' as root.")
        return 1
    if version != COMPILER:
        print(f"The compiler is {version}, not {COMPILER}: change COMPILER in {__file__} with it.")
        return 1
    for path in (*build_demo(DEMO).values(), *build_ring(RING).values()):
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
