# SPDX-License-Identifier: Apache-2.0
"""Find a compiler for the harts: Tenstorrent's (SFPI) if it is installed, else Debian's."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cached_property
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.kernels.places import FOLDER
from tensix_gdb.gdbstub.kernels.sfpi.find import BIN, COMMANDS, find_sfpi
from tensix_gdb.gdbstub.kernels.sfpi.install import what_is_downloaded
from tensix_gdb.gdbstub.kernels.sfpi.version import version_of
from tensix_gdb.gdbstub.kernels.stdcxx import PICOLIBC, headers_of_host, write_configuration
from tensix_gdb.gdbstub.kernels.user_cache import cache, made_at_once, said_if_unwritable
from tensix_gdb.gdbstub.usage import UsageError

DEBIAN = "riscv64-unknown-elf-"
WHRAW = FOLDER / "start" / "whraw.h"
MARCH = {
    Arch.BLACKHOLE: ("-march=rv32im_zicsr_zba_zbb", "-mabi=ilp32"),
    Arch.WORMHOLE: ("-march=rv32im", "-mabi=ilp32"),
}
MCPU = {Arch.BLACKHOLE: "tt-bh", Arch.WORMHOLE: "tt-wh"}
# Where SFPI has the C++ library, and its folder for each chip.
CXX_LIBRARY = Path("compiler/riscv-tt-elf/include/c++")
MULTILIBS = {Arch.BLACKHOLE: "bh-ilp32", Arch.WORMHOLE: "wh-ilp32"}
# The nearest for which Debian's compiler and picolibc have libraries.
MULTILIB, MULTILIB_MARCH = "rv32im/ilp32", ("-march=rv32im", "-mabi=ilp32")
# What LLK's own tests are compiled with; an older SFPI does not know all of it.
SFPI_CXX = ("-ftt-nttp", "-ftt-constinit", "-ftt-consteval", "-ftt-no-dyninit")
SFPI_TENSIX = ("-mno-tt-fix-whbhebreak",)


@dataclass(frozen=True)
class Compiler:
    """A compiler by the beginning of its commands' names; SFPI also by its folder. `arch` is the
    chip that it compiles for."""

    prefix: str
    sfpi: Path | None = None
    arch: Arch = Arch.BLACKHOLE

    @property
    def name(self) -> str:
        """The compiler as a person knows it."""
        if self.sfpi is not None and (version := version_of(self.sfpi)) is not None:
            return f"SFPI {version}"
        said = subprocess.run(
            [f"{self.prefix}gcc", "-dumpfullversion"], capture_output=True, text=True, check=False
        )
        return f"{Path(self.prefix).name}gcc {said.stdout.strip()}".strip()

    def assembler(self, *, tensix: bool) -> list[str]:
        """Return the command for assembly and for linking, of a T core if `tensix`."""
        return [f"{self.prefix}gcc", *self._machine(tensix=tensix)]

    def c(self, *, tensix: bool) -> list[str]:
        """Return the command for C, of a T core if `tensix`."""
        libc = PICOLIBC / "include"
        library = ["-isystem", str(libc)] if self.sfpi is None and libc.exists() else []
        return [
            *(f"{self.prefix}gcc", *self._machine(tensix=tensix), "-std=gnu17", "-ffreestanding"),
            *("-fno-tree-loop-distribute-patterns", *library, *self._guard()),
        ]

    def cxx(self, *, tensix: bool) -> list[str]:
        """Return the command for C++, of a T core if `tensix`. UsageError if a part is missing."""
        command = [f"{self.prefix}g++", *self._machine(tensix=tensix)]
        command += ["-fno-exceptions", "-fno-rtti", "-fno-use-cxa-atexit", "-ffast-math"]
        command += ["-fno-finite-math-only", "-fsigned-zeros", "-fno-associative-math"]
        if self.sfpi is not None:
            known = [one for one in (*SFPI_CXX, *SFPI_TENSIX) if self._knows(one)]
            command += ["-std=c++17", *known, "-isystem", str(self.sfpi / "include")]
            folder = self.common_configuration()
            return command if folder is None else [*command, "-isystem", str(folder)]
        # GCC 12's C++17 refuses what Tenstorrent's allows.
        command += ["-std=gnu++20", "-fno-threadsafe-statics", "-nostdinc++"]
        for folder in self._cxx_headers:
            command += ["-isystem", str(folder)]
        return [*command, *self._guard()]

    def libraries(self) -> list[str]:
        """Return the libraries that programs are linked with. Those of picolibc make semihosting
        calls for `printf` and files."""
        if self.sfpi is not None:
            return ["-lc", "-lgcc"]
        folder = PICOLIBC / "lib" / MULTILIB
        if not folder.exists():
            return [self._libgcc]
        together = ("-Wl,--start-group", "-lc", "-lsemihost", "-Wl,--end-group")
        return [f"-L{folder}", *together, self._libgcc]

    def _machine(self, *, tensix: bool) -> tuple[str, ...]:
        if self.sfpi is None:
            return MARCH[self.arch]
        return (f"-mcpu={MCPU[self.arch]}{'-tensix' if tensix else ''}",)

    def _guard(self) -> tuple[str, ...]:
        """Return the options for SFPI's own fix on Wormhole: a load after each store of a byte or
        halfword."""
        if self.sfpi is not None or self.arch is Arch.BLACKHOLE:
            return ()
        return ("-include", str(WHRAW))

    def common_configuration(self) -> Path | None:
        """Return the folder of the C++ library's configuration of all chips, where an SFPI has none
        for this one, as that of a wheel for Blackhole has none for Wormhole."""
        assert self.sfpi is not None
        own = f"{MULTILIBS[self.arch]}/bits/c++config.h"
        for folder in (self.sfpi / CXX_LIBRARY).glob("*/riscv-tt-elf"):
            if not (folder / own).is_file():
                return folder
        return None

    @cached_property
    def _libgcc(self) -> str:
        """libgcc for these harts: floating point, division of 64 bits. Debian's compiler has none
        for MARCH; by -lgcc it would take the one of RV64, which cannot be linked."""
        asked = [f"{self.prefix}gcc", *MULTILIB_MARCH, "-print-libgcc-file-name"]
        said = subprocess.run(asked, capture_output=True, text=True, check=False)
        return said.stdout.strip() or "-lgcc"

    def _knows(self, option: str) -> bool:
        asked = [f"{self.prefix}g++", option, "-E", "-x", "c++", os.devnull, "-o", os.devnull]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0

    @cached_property
    def _cxx_headers(self) -> tuple[Path, ...]:
        headers, config = headers_of_host(f"{self.prefix}g++")
        made_of = f"{config}{config.stat().st_mtime_ns}{Path(__file__).stat().st_mtime_ns}"
        name = f"stdcxx-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}"
        folder = cache() / "headers" / name
        with said_if_unwritable(), made_at_once(folder) as new:
            if new:
                write_configuration(config, new)
        return (folder, headers, PICOLIBC / "include")


def want_sfpi(compiler: Compiler) -> None:
    """Refuse a compiler that is not Tenstorrent's, by a UsageError: LLK's headers include those of
    its value types (`sfpi.h`) and of its built-in functions."""
    if compiler.sfpi is None:
        raise UsageError(
            "a kernel with LLK or sfpi.h needs Tenstorrent's compiler; Debian's GCC compiles C, "
            f"and C++ without these: `tensix-gdb sfpi --install` downloads {what_is_downloaded()}"
        )


def find_compiler(sfpi: str | None = None, arch: Arch = Arch.BLACKHOLE) -> Compiler:
    """Find the compiler for a chip: SFPI (sfpi/find.py has the places), else Debian's. UsageError
    if there is none."""
    found = find_sfpi(sfpi)
    if found is not None:
        return Compiler(str(found.folder / BIN / COMMANDS), found.folder, arch)
    if shutil.which(f"{DEBIAN}gcc"):
        return Compiler(DEBIAN, arch=arch)
    raise UsageError(
        "no compiler for the harts: on Debian, `apt-get install gcc-riscv64-unknown-elf`; or "
        "Tenstorrent's SFPI, which `tensix-gdb sfpi --install` downloads and --sfpi DIR names"
    )
