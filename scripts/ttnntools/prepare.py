# SPDX-License-Identifier: Apache-2.0
"""A Python with ttnn, and with a compiler for its kernels: `python -m scripts.ttnntools.prepare`.

Prints the program to start. ttnn is from the package registry, in an environment of its own in the
user's cache. Kernels are compiled by Tenstorrent's compiler, where `tensix-gdb sfpi` finds it; else
Debian's takes its place (`g++` here), by files beside those of the wheel, in that environment only.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.llktests.suite import CannotPrepare
from scripts.ttnntools.debian import make_toolchain
from tensix_gdb.gdbstub.host.ttnn.environment import VERSION, cache_folder
from tensix_gdb.gdbstub.kernels.sfpi.find import COMPILER
from tensix_gdb.gdbstub.kernels.sfpi.version import running_sfpi
from tensix_gdb.gdbstub.kernels.user_cache import made_at_once
from tensix_gdb.gdbstub.usage import UsageError
from tests.pythons import pythons

HERE = Path(__file__).resolve().parent
WHEELS = ("3.12", "3.10")  # that ttnn is there for
# Intermediate code of Tenstorrent's compiler in the wheel, and what it was made from.
OBJECTS = {
    "substitutes": "toolchain/substitutes.cpp",
    "noc": "firmware/src/tt-1xx/blackhole/noc.c",
    "tdma_xmov": "firmware/src/tt-1xx/tdma_xmov.c",
}
INCLUDES = (
    *("", "tt_metal", "tt_metal/hw/inc", "tt_metal/hw/inc/internal/tt-1xx"),
    *("tt_metal/hw/inc/internal/tt-1xx/blackhole", "tt_metal/hostdevcommon/api"),
    *("tt_metal/hw/inc/internal/tt-1xx/blackhole/noc", "tt_metal/tt-llk/common"),
    "tt_metal/tt-llk/tt_llk_blackhole/common/inc",
)


class NoPython(CannotPrepare):
    """None of the versions of Python that ttnn is there for; one sentence."""


def prepare() -> Path:
    """The Python, made if it is not there or was made by another version of these files."""
    program = _program()
    root = cache_folder() / f"venv-{_stamp(program)}"
    with made_at_once(root) as new:
        if new:
            print("installing ttnn ...", file=sys.stderr)
            _install(program, new)
            if running_sfpi() is None:
                _stand_in(_folder_of(new))
    return root / "bin" / "python"


def _program() -> str:
    found = pythons(10)
    for version in WHEELS:
        if version in found:
            return found[version]
    raise NoPython(
        f"ttnn is there for Python {' and '.join(WHEELS)}, and neither is here: install one with "
        f"its module venv (pyenv install {WHEELS[0]})"
    )


def _stamp(program: str) -> str:
    digest = hashlib.sha256(f"{VERSION} {program} {running_sfpi() is not None}".encode())
    for path in sorted(HERE.iterdir()):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _install(program: str, root: Path) -> None:
    # Its commands would name the folder that it is made in; nothing here calls them.
    subprocess.run([program, "-m", "venv", str(root)], check=True)
    command = [str(root / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-compile"]
    command += ["--no-input", "--disable-pip-version-check", f"ttnn=={VERSION}"]
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        raise CannotPrepare(f"pip could not install ttnn {VERSION}")


def _folder_of(root: Path) -> Path:
    (folder,) = root.glob("lib/python3.*/site-packages/ttnn")
    return folder


def _stand_in(ttnn: Path) -> None:
    sfpi = ttnn / "runtime" / "sfpi"
    shutil.rmtree(sfpi, ignore_errors=True)
    make_toolchain(sfpi, (HERE / "g++").read_text(encoding="utf-8"))
    hardware = ttnn / "tt_metal" / "hw"
    command = [str(sfpi / COMPILER), "-Os", "-mcpu=tt-bh", "-g", "-DARCH_BLACKHOLE"]
    command += ["-DCOMPILE_FOR_BRISC", "-DTENSIX_FIRMWARE"]
    command += [f"-I{ttnn / include}" for include in INCLUDES]
    (sfpi / "lib").mkdir()
    for name, source in OBJECTS.items():
        done = [*command, "-c", str(hardware / source), "-o", str(sfpi / "lib" / f"{name}.o")]
        if subprocess.run(done, check=False).returncode:
            raise CannotPrepare(f"{source} of ttnn does not compile")


if __name__ == "__main__":
    try:
        print(prepare())
    except (CannotPrepare, UsageError) as problem:
        sys.exit(f"ttnn: {problem}")
