# SPDX-License-Identifier: Apache-2.0
"""The C++ library's headers for Debian's bare-metal compiler, which has none of its own.

They are those of the host's g++ of the same version, with a configuration for a hart: no operating
system, no threads, another C library.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from tensix_gdb.gdbstub.usage import UsageError

PICOLIBC = Path("/usr/lib/picolibc/riscv64-unknown-elf")
# Of the host's <bits/c++config.h>: what another C library and no operating system do not have.
_HOSTED = re.compile(
    r"^#define (_GLIBCXX_HAVE_(?!STDINT_H)|_GLIBCXX(11|98)?_USE_C99(?!_STDINT)|"
    r"_GLIBCXX_HAS_GTHREADS|_GLIBCXX_USE_(WCHAR_T|LFS|CLOCK|REALPATH|NANOSLEEP|SC_NPROC|PTHREAD|"
    r"SENDFILE|UTIME|FCHMOD|GETTIME|DEV_RANDOM|RANDOM_TR1|NLS|SCHED|ST_MTIM|TMPNAM)).*$",
    re.MULTILINE,
)
PACKAGES = "g++ picolibc-riscv64-unknown-elf"


def headers_of_host(compiler: str) -> tuple[Path, Path]:
    """Find the C++ library's headers for this compiler, and their configuration. UsageError if
    they are missing."""
    version = answer(compiler, "-dumpversion").split(".")[0]
    headers = Path("/usr/include/c++") / version
    triple = answer("g++", "-print-multiarch")
    config = Path("/usr/include") / triple / "c++" / version / "bits" / "c++config.h"
    if not config.exists():
        raise UsageError(
            f"the C++ library's headers of version {version} are missing: on Debian, "
            f"`apt-get install g++-{version}`"
        )
    if not (PICOLIBC / "include" / "stdint.h").exists():
        raise UsageError(
            "a C library for the harts is missing: on Debian, "
            "`apt-get install picolibc-riscv64-unknown-elf`"
        )
    return headers, config


def write_configuration(config: Path, folder: Path) -> None:
    """Write the configuration for a hart into a folder of headers."""
    bits = folder / "bits"
    bits.mkdir(parents=True)
    shutil.copy(config.with_name("c++allocator.h"), bits)
    text = config.read_text(encoding="utf-8")
    (bits / "c++config.h").write_text(_HOSTED.sub("", text), encoding="utf-8")
    for name in ("os_defines.h", "cpu_defines.h"):
        (bits / name).write_text("// Nothing: there is no operating system.\n", encoding="utf-8")


def answer(*command: str) -> str:
    """Return what a compiler says about itself. UsageError if it does not work."""
    if shutil.which(command[0]) is None:
        raise UsageError(
            f"{command[0]} is missing, which compiling C++ needs: on Debian, "
            f"`apt-get install {PACKAGES}`"
        )
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise UsageError(f"{command[0]} does not work: {problem}") from None
    return done.stdout.strip()
