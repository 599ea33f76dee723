# SPDX-License-Identifier: Apache-2.0
"""The compiler of kernels for a ttnn program: SFPI, where tt-metal looks for it or elsewhere.

tt-metal takes `runtime/sfpi` below its folder, else /opt/tenstorrent/sfpi, and no variable names
another place (version 0.81.1). So an SFPI elsewhere gets a folder of links for it: to all that the
wheel has, and to that SFPI. Nothing is written into the user's environment of Python.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from pathlib import Path

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.host.ttnn.environment import ROOT, cache_folder
from tensix_gdb.gdbstub.kernels.compilers import Compiler
from tensix_gdb.gdbstub.kernels.sfpi import find
from tensix_gdb.gdbstub.kernels.sfpi.find import (
    BIN,
    COMMANDS,
    COMPILER,
    IN_TTNN,
    VARIABLE,
    find_sfpi,
    has_compiler,
)
from tensix_gdb.gdbstub.kernels.sfpi.version import version_of
from tensix_gdb.gdbstub.kernels.user_cache import made_at_once, said_if_unwritable
from tensix_gdb.gdbstub.usage import UsageError

METAL = "tt_metal"  # the folder that makes another one tt-metal's


def root_with_compiler(ttnn: Path, arch: Arch = Arch.BLACKHOLE) -> Path | None:
    """Return the folder that tt-metal is to take for its own, so that it finds a compiler; None
    for the one that it takes by itself. UsageError if there is no compiler."""
    check_compiler(ttnn)
    its_own, root = os.environ.get(ROOT), root_of(ttnn)
    named = os.environ.get(VARIABLE, find.NONE) not in ("", find.NONE)
    if _finds_by_itself(Path(its_own or root)) and (its_own or not named):
        return None
    sfpi = find_sfpi()
    assert sfpi is not None
    if its_own:
        raise UsageError(
            f"{ROOT} is {its_own}, which has no {IN_TTNN}: unset it, or make {IN_TTNN} in it a "
            f"link to {sfpi.folder}"
        )
    if not (root / METAL).is_dir():
        raise UsageError(f"{ttnn} is no ttnn of a wheel and none of a tt-metal: it has no {METAL}")
    if version_of(sfpi.folder) is None:
        raise UsageError(
            f"the SFPI in {sfpi.folder} ({sfpi.how}) does not run here: `tensix-gdb sfpi` shows "
            f"which others there are; with {VARIABLE}={find.NONE} none is taken"
        )
    return _links(root.resolve(), sfpi.folder, arch)


def root_of(ttnn: Path) -> Path:
    """Return the folder that ttnn takes for tt-metal's: its own, of a wheel; in a checkout, where
    ttnn is in ttnn/ttnn, that of the checkout."""
    checkout = ttnn.parent.parent
    return checkout if not (ttnn / METAL).is_dir() and (checkout / METAL).is_dir() else ttnn


def check_compiler(ttnn: Path) -> None:
    """UsageError if there is nothing to compile kernels with."""
    root = Path(os.environ.get(ROOT) or root_of(ttnn))
    if not _finds_by_itself(root) and find_sfpi() is None:
        raise UsageError(
            "there is no compiler for kernels: `tensix-gdb sfpi --install` gets Tenstorrent's"
        )


def _finds_by_itself(root: Path) -> bool:
    return has_compiler(root / IN_TTNN) or has_compiler(find.INSTALLED)


def _links(ttnn: Path, sfpi: Path, arch: Arch) -> Path:
    """Make the folder once for each pair, and each chip for which the compiler lacks something."""
    lacks = Compiler(str(sfpi / BIN / COMMANDS), sfpi, arch).common_configuration()
    made_of = f"{ttnn} {ttnn.stat().st_mtime_ns} {sfpi}{'' if lacks is None else lacks}"
    digest = hashlib.sha256(made_of.encode()).hexdigest()[:16]
    root = cache_folder() / f"root-{digest}"
    with said_if_unwritable(), made_at_once(root) as new:
        if new is not None:
            (new / IN_TTNN).parent.mkdir()
            _link_all(ttnn, new, IN_TTNN.parent.name)
            _link_all(ttnn / IN_TTNN.parent, new / IN_TTNN.parent, IN_TTNN.name)
            if lacks is None:
                (new / IN_TTNN).symlink_to(sfpi)
            else:
                _completed(sfpi, new / IN_TTNN, lacks)
    return root


def _completed(sfpi: Path, folder: Path, headers: Path) -> None:
    """Make a folder of links to an SFPI, with one more folder of headers for its C++ compiler: that
    of a wheel for Blackhole has the C++ library's configuration for that chip and one for all."""
    (folder / BIN).mkdir(parents=True)
    for at in (BIN, BIN.parent, Path()):
        for path in (sfpi / at).iterdir():
            link = folder / at / path.name
            if path == sfpi / COMPILER:
                words = shlex.join([str(path), "-isystem", str(headers)])
                link.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
                link.chmod(0o755)
            elif not link.exists():
                link.symlink_to(path)


def _link_all(source: Path, folder: Path, but: str) -> None:
    for path in source.iterdir() if source.is_dir() else ():
        if path.name != but:
            (folder / path.name).symlink_to(path)
