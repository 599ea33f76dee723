# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's LLK tests, ready to run: their files, a compiler for them, a Python for them.

Everything is from package registries and is kept in the user's cache: the wheel ttnn has the tests
and the headers; the compiler is Tenstorrent's, the SFPI that `tensix-gdb sfpi` finds; the tests'
own requirements get a virtual environment of their own. Nothing in here is changed.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.kernels import user_cache
from tensix_gdb.gdbstub.kernels.llk import FILE, REQUIREMENT, download
from tensix_gdb.gdbstub.kernels.sfpi.find import find_sfpi
from tensix_gdb.gdbstub.kernels.sfpi.install import what_is_downloaded
from tensix_gdb.gdbstub.kernels.sfpi.version import version_of
from tensix_gdb.gdbstub.kernels.user_cache import made_at_once, said_if_unwritable
from tensix_gdb.gdbstub.usage import UsageError

LLK = Path("ttnn/tt_metal/tt-llk")
WANTED = re.compile(r"ttnn/tt_metal/(tt-llk|hw|hostdevcommon|tools)/|ttnn/cpp/.*\.(h|hpp)$")
COMPILER = "tests/sfpi"  # where the tests look for it
# What the tests import, with the versions of their tests/requirements.txt but for torch: that file
# has 2.9.1's build without CUDA, from another index than pip's own. pip takes such a build of
# 2.13.0 where it is told of one, and otherwise the one with CUDA, gigabytes of it.
REQUIREMENTS = (
    *("tt-exalens==0.4.1", "pytest==9.0.3", "pytest-timeout==2.4.0", "pytest-xdist==3.8.0"),
    *("filelock==3.20.3", "jinja2==3.1.6", "loguru==0.7.3", "matplotlib==3.10.3"),
    *("ml_dtypes==0.5.4", "mpmath==1.3.0", "numpy==2.2.6", "packaging==25.0", "pandas==2.3.3"),
    *("plotly==6.5.0", "pyarrow==24.0.0", "pydantic==2.12.5", "pyyaml==6.0.3", "termcolor==3.2.0"),
    "torch==2.13.0",
)


class CannotPrepare(UsageError):
    """The suite cannot be set up; one sentence."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A copy of the tests, and the Python that runs them."""

    root: Path
    python: Path

    @property
    def llk(self) -> Path:
        return self.root / LLK

    @property
    def tests(self) -> Path:
        return self.llk / "tests" / "python_tests"


def cache() -> Path:
    """Return where everything is kept."""
    return user_cache.cache() / "llk"


def prepare() -> Suite:
    """The suite, made when it is not there or was made by another version of this file."""
    sfpi = compiler()
    folder = cache()
    with said_if_unwritable():
        folder.mkdir(parents=True, exist_ok=True)
    return Suite(_files(folder, sfpi), _python(folder))


def compiler() -> Path:
    """The folder of SFPI, which all files of the suite need. CannotPrepare if there is none."""
    try:
        found = find_sfpi()
    except UsageError as problem:
        raise CannotPrepare(str(problem)) from None
    if found is None:
        raise CannotPrepare(
            "LLK's tests need Tenstorrent's compiler, and no SFPI is used here: `tensix-gdb sfpi "
            f"--install` downloads {what_is_downloaded()}"
        )
    if version_of(found.folder) is None:
        raise CannotPrepare(f"the SFPI in {found.folder} ({found.how}) does not run here")
    return found.folder


def compiler_name(suite: Suite) -> str:
    """The compiler of a suite: its version, and its folder."""
    sfpi = (suite.llk / COMPILER).resolve()
    return f"SFPI {version_of(sfpi)}: {sfpi}"


def _stamp(sfpi: Path) -> str:
    digest = hashlib.sha256(f"{REQUIREMENT} {sfpi}".encode())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()[:16]


def _files(folder: Path, sfpi: Path) -> Path:
    root = folder / _stamp(sfpi)
    with made_at_once(root) as new:
        if new:
            wheel = user_cache.cache() / "wheels" / FILE
            download(wheel)
            print("unpacking the LLK tests ...", file=sys.stderr)
            with zipfile.ZipFile(wheel) as source:
                source.extractall(new, [name for name in source.namelist() if WANTED.match(name)])
            (new / LLK / COMPILER).symlink_to(sfpi)
    return root


def _python(folder: Path) -> Path:
    digest = hashlib.sha256(" ".join((sys.version, *REQUIREMENTS)).encode()).hexdigest()[:16]
    root = folder / f"venv-{digest}"
    with made_at_once(root) as new:
        if new:
            print("installing what the LLK tests need (torch is large) ...", file=sys.stderr)
            venv.create(new, with_pip=True)
            _install(new, REQUIREMENTS)
    return root / "bin" / "python"


def python_with(kept: Path, requirements: Sequence[str]) -> Path:
    """A Python with these packages, and for the others those of the kept Python."""
    below = kept.parent.parent
    digest = hashlib.sha256(" ".join((below.name, *requirements)).encode()).hexdigest()[:16]
    root = below.with_name(f"over-{digest}")
    with made_at_once(root) as new:
        if new:
            print(f"installing {', '.join(requirements)} ...", file=sys.stderr)
            venv.create(new, with_pip=True)
            packages = _packages(below)
            (_packages(new) / "kept.pth").write_text(f"{packages}\n", encoding="utf-8")
            _install(new, requirements)
    return root / "bin" / "python"


def _packages(environment: Path) -> Path:
    (found,) = environment.glob("lib/python3.*/site-packages")
    return found


def _install(environment: Path, requirements: Sequence[str]) -> None:
    # Not compiled: most of it is never imported, and compiling takes longer than the rest.
    command = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    command += ["--disable-pip-version-check", "--no-compile", *requirements]
    if subprocess.run(command, check=False).returncode:
        raise CannotPrepare("pip could not install what the LLK tests need")
