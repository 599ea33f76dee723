# SPDX-License-Identifier: Apache-2.0
"""A folder as of SFPI with Debian's compiler: headers, and the other commands by SFPI's names."""

from __future__ import annotations

import shutil
from pathlib import Path

from scripts.llktests.suite import CannotPrepare
from tensix_gdb.gdbstub.kernels import stdcxx
from tensix_gdb.gdbstub.kernels.compilers import DEBIAN, INSTEAD_OF_SFPI
from tensix_gdb.gdbstub.kernels.sfpi.find import BIN, COMMANDS, COMPILER
from tensix_gdb.gdbstub.usage import UsageError

GNU = ("objdump", "objcopy", "size")


def make_toolchain(sfpi: Path, script: str) -> None:
    """Make the folder; `script` is its compiler, where @LIBSTDCXX@ is the library's headers."""
    (sfpi / BIN).mkdir(parents=True)
    shutil.copytree(INSTEAD_OF_SFPI, sfpi / "include")
    try:
        headers, config = stdcxx.headers_of_host(f"{DEBIAN}g++")
    except UsageError as problem:
        raise CannotPrepare(str(problem)) from None
    compiler = sfpi / COMPILER
    compiler.write_text(script.replace("@LIBSTDCXX@", str(headers)), encoding="utf-8")
    compiler.chmod(0o755)
    for name in GNU:
        found = shutil.which(f"{DEBIAN}{name}")
        if found is None:
            raise CannotPrepare(f"{DEBIAN}{name} is missing")
        (sfpi / BIN / f"{COMMANDS}{name}").symlink_to(found)
    stdcxx.write_configuration(config, sfpi / "stdcxx")
