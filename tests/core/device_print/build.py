# SPDX-License-Identifier: Apache-2.0
"""Kernels that print by tt-metal's own header, which is in the wheel, with Debian's compiler.

The header takes nothing but one edit: GCC 12 wants what is asked at compile time by value.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tensix_gdb.gdbstub.kernels.compilers import DEBIAN, Compiler
from tests.core.isa.wheel import wheel
from tests.programs.build import DEMO, GCC, PLACES

FOLDER = Path(__file__).resolve().parent
TT_METAL = "ttnn/tt_metal/"
HEADERS = re.compile(TT_METAL + r"(hw/inc|hostdevcommon)/.*\.(h|hpp)")
PRINTS = TT_METAL + "hw/inc/api/debug/device_print.h"
INCLUDED = ("hw/inc", "hw/inc/internal/tt-1xx/blackhole", "hostdevcommon/api")
ARCH = ("-march=rv32ima_zicsr_zba_zbb", "-mabi=ilp32")
# core_config.h, TensixProcessorTypes
PROCESSORS = {"B": 0, "NC": 1, "T0": 2, "T1": 3, "T2": 4}
BUFFER, SIZE = 0x30000, 1020
LIBC = "/usr/lib/picolibc/riscv64-unknown-elf/include/stdint.h"
ROUNDS = 200  # prints of whoever is not B: more than fit into the buffer


def compiler(tool: Callable[[str], str]) -> None:
    """Everything that a kernel takes: the test is skipped, or fails in CI, without it."""
    for name in (GCC, "riscv64-unknown-elf-g++", "riscv64-unknown-elf-objcopy", "g++", LIBC):
        tool(name)


@cache
def headers(folder: Path) -> None:
    """The wheel's headers, in the folder."""
    names = [name for name in wheel().namelist() if HEADERS.fullmatch(name)]
    wheel().extractall(folder, names)
    header = folder / PRINTS
    text = header.read_text(encoding="utf-8")
    header.write_text(text.replace("(auto&&... args)", "(auto... args)"), encoding="utf-8")


def build(
    folder: Path, hart: str, out: Path, *, buffer: int = BUFFER, kernel: bool = False
) -> Path:
    """The kernel for a hart; `kernel` for the firmware to launch."""
    headers(folder)
    compiler = Compiler(DEBIAN)
    place = PLACES[hart]
    defines = {
        "PROCESSOR_INDEX": PROCESSORS[hart],
        "LLK_DEVICE_PRINT_BUFFER_BASE": buffer,
        "DEVICE_PRINT_BUFFER_SIZE": SIZE,
        "ROUNDS": ROUNDS,
    }
    plain = ("ENV_LLK_INFRA", "ARCH_BLACKHOLE", "KERNEL_BUILD", "TENSIX_FIRMWARE")
    command = [*compiler.cxx(tensix=False), *ARCH, "-w", "-g", "-O2", "-fdata-sections"]
    command += ["-nostdlib", "-static"]
    command += [f"-D{name}" for name in (*plain, "DEBUG_PRINT_ENABLED")]
    command += [f"-D{name}={value}" for name, value in defines.items()]
    command += [f"-I{folder / TT_METAL / part}" for part in INCLUDED]
    command += [
        "-Wl,--build-id=none",
        "-Wl,--no-warn-rwx-segments",
        "-T",
        str(FOLDER / "prints.ld"),
    ]
    if kernel:
        command += ["-DKERNEL", "-mcmodel=medlow", "-msmall-data-limit=0", "-mno-relax"]
        command += ["-Wl,--emit-relocs", "-Wl,--no-relax", "-T", "kernel.ld"]
    else:
        start = out.with_suffix(".o")
        subprocess.run([GCC, *ARCH, "-c", str(DEMO / "crt0.S"), "-o", str(start)], check=True)
        symbols = {
            "__text_start": place.text,
            "__text_bytes": place.text_bytes,
            "__stack_top": place.stack_top,
            "__shared_start": 0x50000,
        }
        command += [f"-Wl,--defsym={name}={value:#x}" for name, value in symbols.items()]
        command += ["-T", str(DEMO / "tile.ld"), str(start)]
    command += ["kernel.cpp", *compiler.libraries(), "-o", str(out)]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out
