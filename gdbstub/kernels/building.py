# SPDX-License-Identifier: Apache-2.0
"""Compile the sources of each hart, and link them for its place in the tile.

Harts are compiled at the same time, as many as there are processors; what the compiler says of them
is printed in their order, up to the first that cannot be compiled. A program of which nothing has
changed is not compiled again (kept_programs.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import field
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.firmware.folder import NAMES
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.kernels.compilers import Compiler
from tensix_gdb.gdbstub.kernels.kept_programs import KeptProgram, Step
from tensix_gdb.gdbstub.kernels.llk import Llk
from tensix_gdb.gdbstub.kernels.places import FOLDER, PROGRAMS, symbols
from tensix_gdb.gdbstub.kernels.sources import CXX, MACROS, T_CORES, has_run_kernel
from tensix_gdb.gdbstub.usage import HARTS, UsageError

LLK_START = FOLDER / "start" / "llk_start.cpp"
START = "crt0.S"
ALWAYS = ("-g", "-fno-common", "-Wall", "-Wextra")
# LLK's macros want constants that only an optimizer finds. Its tests and tt-metal have -O3, with
# which GDB finds no breakpoint location for many lines.
OPTIMIZE, OPTIMIZE_LLK = "-Og", "-O1"
LLK_DEFINES = (*("-DTENSIX_FIRMWARE", "-DENV_LLK_INFRA", "-DKERNEL_BUILD", "-DENABLE_LLK_ASSERT"),)
# For headers that are for both chips: ours, and LLK's.
ARCH_DEFINES = {Arch.BLACKHOLE: (), Arch.WORMHOLE: ("-DTENSIX_WORMHOLE",)}
PUSH_WINDOW = 0xFFE40000  # LLK's __instrn_buffer
HOST_CALL = "undefined reference to `_"  # _write, _sbrk and others, which C libraries want
NO_HOST_CALLS = (
    ": the C library of SFPI makes no calls of the host, as `printf` does; that of Debian does, "
    "with --sfpi none"
)


@dataclass(frozen=True)
class Builder:
    """The builder of programs: the compiler, LLK if they use it, the user's options."""

    compiler: Compiler
    llk: Llk | None = None
    options: Sequence[str] = field(default=())

    def build(self, sources: Mapping[str, Sequence[Path]], out: Path) -> dict[str, Path]:
        """Build every hart's ELF into the folder `out`: all, or none. UsageError if a source
        cannot be compiled, after the compiler has said why."""
        try:
            out.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".build-", dir=out) as scratch:
                made = self._programs(sources, Path(scratch))
                return {hart: path.rename(out / path.name) for hart, path in made.items()}
        except OSError as problem:
            raise UsageError(f"-o {out}: cannot be written: {problem.strerror}") from None

    def _programs(self, sources: Mapping[str, Sequence[Path]], scratch: Path) -> dict[str, Path]:
        said: dict[str, list[str]] = {hart: [] for hart in sources}
        pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)))
        try:
            programs = {
                hart: pool.submit(self._program, hart, sources[hart], scratch, said[hart].append)
                for hart in sources
            }
            made = {}
            for hart, program in programs.items():
                wait([program])
                sys.stderr.write("".join(said[hart]))
                made[hart] = program.result()
            return made
        finally:
            pool.shutdown(cancel_futures=True)

    def _program(
        self, hart: str, sources: Sequence[Path], scratch: Path, say: Callable[[str], None]
    ) -> Path:
        here = Path.cwd()
        own = [LLK_START] if self._starts_llk(hart, sources) else []
        # There, so that GDB finds it: its debug information has its name alone.
        steps = [Step([*self._gcc(hart), "-g", "-c", START], PROGRAMS)]
        for source in (*sources, *own):
            steps.append(Step([*self._compile(hart, source), "-c", str(source)], here))
        steps.append(Step([*self._link(hart), *self._libraries()], here))
        elf = scratch / f"{hart.lower()}.elf"
        place = KeptProgram(steps)
        if (kept := place.find()) is not None:
            say(kept.said)
            with open(elf, "wb", opener=_for_a_program) as file:
                file.write(kept.elf)
            return elf
        said: list[str] = []

        def hear(text: str) -> None:
            say(text)
            said.append(text)

        objects, rules = [], []
        for number, step in enumerate(steps[:-1]):
            made = scratch / f"{hart}-{number}.o"
            objects.append(made)
            rules.append(made.with_suffix(".d"))
            to = ["-MD", "-MF", str(rules[-1].resolve()), "-o", str(made.resolve())]
            if not _run([*step.command, *to], hear, step.folder):
                if not number:
                    compiler = f"{self.compiler.prefix}gcc"
                    raise UsageError(f"{compiler} cannot assemble the start-up code")
                raise UsageError(f"{step.command[-1]} cannot be compiled for {hart}{self._hint()}")
        linked = [*self._link(hart), *map(str, objects), *self._libraries(), "-o", str(elf)]
        if not _run(linked, hear):
            calls = self.compiler.sfpi is not None and HOST_CALL in "".join(said)
            why = NO_HOST_CALLS if calls else ""
            raise UsageError(f"the program of {hart} cannot be linked{why}")
        place.keep(elf, "".join(said), rules)
        return elf

    def _gcc(self, hart: str) -> list[str]:
        return self.compiler.assembler(tensix=hart in T_CORES)

    def _hint(self) -> str:
        """Say what may help a kernel with LLK."""
        if self.llk is None:
            return ""
        optimized = any(one.startswith("-O") for one in self.options)
        return "" if optimized else "; what LLK wants as a constant may need -O3"

    def _libraries(self) -> list[str]:
        return self.compiler.libraries()

    def _starts_llk(self, hart: str, sources: Sequence[Path]) -> bool:
        return self.llk is not None and hart in T_CORES and has_run_kernel(sources)

    def _compile(self, hart: str, source: Path) -> list[str]:
        tensix, arch = hart in T_CORES, self.compiler.arch
        make = self.compiler.cxx if source.suffix in CXX else self.compiler.c
        command = [*make(tensix=tensix), *ALWAYS]
        command += [OPTIMIZE if self.llk is None else OPTIMIZE_LLK]
        if tensix:
            command += [f"-D{MACROS[hart]}", f"-DCOMPILE_FOR_TRISC={T_CORES.index(hart)}"]
        if self.llk is None:
            # Not with LLK: tt-metal has headers of these names.
            command += [f"-I{FOLDER / 'c'}", f"-I{PROGRAMS}"]
        else:
            command += [*LLK_DEFINES, f"-DARCH_{arch.name}", *self.llk.include_options(arch)]
        command += ARCH_DEFINES[arch]
        return [*command, *self.options]

    def _link(self, hart: str) -> list[str]:
        values = {**symbols(hart, self.compiler.arch), "__instrn_buffer": PUSH_WINDOW}
        return [
            *(*self._gcc(hart), "-nostdlib", "-static", "-T", str(PROGRAMS / "tile.ld")),
            *("-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments"),
            *(f"-Wl,--defsym={name}={value:#x}" for name, value in values.items()),
        ]


def _run(command: Sequence[str], say: Callable[[str], None], folder: Path | None = None) -> bool:
    """Run a compiler, and say what it says, in colour for a terminal; True if it succeeded."""
    if shutil.which(command[0]) is None:
        raise UsageError(
            f"{command[0]} is missing: on Debian, `apt-get install gcc-riscv64-unknown-elf`"
        )
    coloured = ["-fdiagnostics-color=always"] if _has_colours() else []
    try:
        done = subprocess.run(
            [*command, *coloured],
            check=False,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as problem:
        raise UsageError(f"{command[0]} cannot be started: {problem.strerror}") from None
    say(done.stdout)
    return done.returncode == 0


def _for_a_program(path: str, flags: int) -> int:
    """Open a file that may be executed, as a linker makes it."""
    return os.open(path, flags, 0o777)


def _has_colours() -> bool:
    """True if GCC would colour what it writes to standard error, and no user says NO_COLOR."""
    has = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return has and not os.environ.get("NO_COLOR")


def left_over(out: Path, built: Mapping[str, Path]) -> list[Path]:
    """Return the ELF files in a folder that `--dir` would load besides those that were built."""
    others = [name for number, hart in enumerate(HARTS) if hart.upper() not in built
              for name in NAMES[number]]  # fmt: skip
    twice = [name for hart, path in built.items() for name in NAMES[HARTS.index(hart.lower())]
             if name != path.stem]  # fmt: skip
    return [path for name in (*others, *twice) if (path := out / f"{name}.elf").is_file()]
