# SPDX-License-Identifier: Apache-2.0
"""The two libraries of C: the one that hosts load, and the server's end of its channel.

A wheel brings them for the machine that it was made on (`python -m
tensix_gdb.gdbstub.host.library.build`). Elsewhere they are compiled once, into the user's cache.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
from pathlib import Path

from tensix_gdb.gdbstub.kernels.user_cache import cache, made_at_once, said_if_unwritable
from tensix_gdb.gdbstub.usage import UsageError

HERE = Path(__file__).parent
SHIPPED = HERE / "shipped"  # in a wheel
LIBRARY, PUMP = "libtensix-gdb.so", "pump.so"
SOURCES = {LIBRARY: ("library.c", "host_end.c", "pci.c"), PUMP: ("pump.c",)}
HEADERS = ("channel.h", "device.h", "dram.h", "futex.h", "host_end.h", "launch.h", "pci.h")
FLAGS = (
    *("-std=c17", "-O2", "-Wall", "-Wextra", "-Wno-parentheses", "-fPIC", "-shared"),
    # A driver that closes the library and opens it again finds what it has kept.
    *("-fvisibility=hidden", "-Wl,-z,now", "-Wl,-z,relro", "-Wl,-z,nodelete", "-s"),
)
COMPILERS = ("cc", "gcc", "clang")


def built(name: str) -> Path:
    """Return the path of one of the two, which is compiled if there is none. UsageError says what
    is missing."""
    shipped = SHIPPED / _digest() / name
    if shipped.exists():
        return shipped
    folder = cache() / "library" / _digest()
    with said_if_unwritable(), made_at_once(folder) as new:
        if new is not None:
            for each in SOURCES:
                compile_to(new / each)
    return folder / name


def compile_to(path: Path) -> None:
    """Compile the library of this name to `path`. UsageError if that fails."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise UsageError(
            "the library that hosts load has to be compiled, and there is no C compiler: install "
            "one, such as Debian's package gcc"
        )
    sources = [str(HERE / name) for name in SOURCES[path.name]]
    command = [compiler, *FLAGS, "-o", str(path), *sources]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["it says nothing"]
        raise UsageError(f"{compiler} cannot compile the library that hosts load: {lines[0]}")


def _digest() -> str:
    """Return a name for what they are made of, and for what machine."""
    digest = hashlib.blake2b(digest_size=8)
    for name in (*HEADERS, *(source for sources in SOURCES.values() for source in sources)):
        digest.update((HERE / name).read_bytes())
    digest.update(" ".join((platform.machine(), *FLAGS)).encode("ascii"))
    return digest.hexdigest()


def main() -> None:
    """Compile both for a wheel to bring."""
    shutil.rmtree(SHIPPED, ignore_errors=True)
    folder = SHIPPED / _digest()
    folder.mkdir(parents=True)
    for name in SOURCES:
        compile_to(folder / name)
        print(f"wrote {folder / name}")


if __name__ == "__main__":
    main()
