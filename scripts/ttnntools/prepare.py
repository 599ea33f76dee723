# SPDX-License-Identifier: Apache-2.0
"""A Python with ttnn: `python -m scripts.ttnntools.prepare` prints the program to start.

ttnn is from the package registry, in an environment of its own in the user's cache. Its kernels are
compiled by Tenstorrent's compiler, which `tensix-gdb sfpi` finds.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from tensix_gdb.gdbstub.host.ttnn.environment import VERSION, cache_folder
from tensix_gdb.gdbstub.kernels.user_cache import made_at_once
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.usage import UsageError
from tests.pythons import pythons

HERE = Path(__file__).resolve().parent
WHEELS = ("3.12", "3.10")  # that ttnn is there for


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
    digest = hashlib.sha256(f"{VERSION} {program}".encode())
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


if __name__ == "__main__":
    try:
        print(prepare())
    except (CannotPrepare, UsageError) as problem:
        sys.exit(f"ttnn: {problem}")
