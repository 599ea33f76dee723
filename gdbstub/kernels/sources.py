# SPDX-License-Identifier: Apache-2.0
"""The source files by hart, and what a kernel with LLK is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.firmware.folder import NAMES
from tensix_gdb.gdbstub.kernels.options import BuildOptions
from tensix_gdb.gdbstub.usage import UsageError

C, CXX = (".c",), (".cpp", ".cc", ".cxx")
T_CORES = ("T0", "T1", "T2")
MACROS = {"T0": "LLK_TRISC_UNPACK", "T1": "LLK_TRISC_MATH", "T2": "LLK_TRISC_PACK"}
SFPI_HEADER = re.compile(r'^\s*#\s*include\s*["<]sfpi(_lib)?\.h', re.MULTILINE)
LLK_HEADER = re.compile(r'^\s*#\s*include\s*["<](llk_|ckernel)', re.MULTILINE)
RUN_KERNEL = re.compile(r"\brun_kernel\s*\(")
# Sources that other programs compile, with files that those write.
ELSEWHERE = {
    re.compile(
        r"\bRUNTIME_PARAMETERS\b"
    ): "is a kernel of LLK's own tests, and their runner writes "
    "its parameters: `tensix-gdb llk` builds and runs it",
    re.compile(r'#\s*include\s*["<](api/)?(compute_kernel_api|compute/|dataflow_api)'): "includes "
    "tt-metal's kernel API, which tt-metal compiles: take its ELF files, and start them with "
    "--firmware and --launch",
}


def by_hart(options: BuildOptions) -> dict[str, list[Path]]:
    """Find the source files of each hart. UsageError for a file that says no hart, or is none."""
    files = {hart: list(map(Path, names)) for hart, names in options.of_harts().items() if names}
    named = [Path(name) for name in options.sources]
    for path in (*named, *(path for group in files.values() for path in group)):
        check(path)
    for path in named:
        for hart in _harts_of(path):
            files.setdefault(hart, []).append(path)
    if not files:
        raise UsageError(
            "no sources: name one file for the three T cores, as in `tensix-gdb build add.cpp`, "
            "or a file for each, as in --t0 unpack.c --t1 math.c --t2 pack.c; `tensix-gdb new` "
            "writes one to begin with"
        )
    return {hart: files[hart] for hart in HART_NAMES if hart in files}


def check(path: Path) -> None:
    """UsageError if the file cannot be compiled here."""
    if path.suffix not in (*C, *CXX):
        raise UsageError(f"{path}: is no C or C++ source; their names end in {_endings()}")
    for pattern, why in ELSEWHERE.items():
        if pattern.search(text_of(path)):
            raise UsageError(f"{path}: {why}")


def _endings() -> str:
    return ", ".join((*C, *CXX))


def text_of(path: Path) -> str:
    """Read a source file. UsageError if that is refused."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise UsageError(f"{path}: cannot be read: {problem.strerror}") from None


def _harts_of(path: Path) -> Sequence[str]:
    """Return the harts that a file is for: those of the macros in it, else the one that its name
    says."""
    text = text_of(path)
    if any(macro in text for macro in MACROS.values()):
        return T_CORES
    words = re.split(r"[^a-z0-9]+", path.stem.lower())
    found = [HART_NAMES[hart] for hart, names in NAMES.items() if set(names) & set(words)]
    if len(found) == 1:
        return found
    raise UsageError(
        f"{path}: says neither by its name (unpack, math, pack, t0, t1, t2, b, nc) nor by macros "
        f"({', '.join(MACROS.values())}) which hart it is for; name it with --t0, --t1, --t2, --b "
        "or --nc"
    )


def uses_llk(sources: Mapping[str, Sequence[Path]]) -> bool:
    """True if a file includes LLK's headers."""
    every = {path for group in sources.values() for path in group}
    return any(LLK_HEADER.search(text_of(path)) for path in every)


def uses_sfpi(sources: Mapping[str, Sequence[Path]]) -> bool:
    """True if a file includes Tenstorrent's headers of vector values."""
    every = {path for group in sources.values() for path in group}
    return any(SFPI_HEADER.search(text_of(path)) for path in every)


def has_run_kernel(paths: Sequence[Path]) -> bool:
    """True if a kernel begins at run_kernel(), as LLK's do."""
    return any(RUN_KERNEL.search(text_of(path)) for path in paths)
