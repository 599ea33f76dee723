# SPDX-License-Identifier: Apache-2.0
"""The needs of a ttnn program: a Python that has ttnn, a compiler for kernels, its environment.

Names of variables and folders are tt-metal's (version 0.81.1 of the wheel).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.host.simulator.grid import MOST_OF
from tensix_gdb.gdbstub.kernels import user_cache
from tensix_gdb.gdbstub.usage import UsageError

VERSION = "0.81.1"
ASK_SECONDS = 60
SLOW, FAST = "slow", "fast"  # --dispatch
ROOT = "TT_METAL_RUNTIME_ROOT"  # the variable of the folder with tt_metal and runtime
# Without importing it: that takes half a second, and may print.
FIND = (
    "import importlib.util, json, sys; found = importlib.util.find_spec('ttnn'); "
    "print(json.dumps([sys.version_info[:2], found and found.origin]))"
)


@dataclass(frozen=True, slots=True)
class Installed:
    """A Python and the folder of its ttnn."""

    python: str
    folder: Path


def find_ttnn(python: str | None) -> Installed:
    """Find ttnn in `python`, or else in the active environment, or else in `python3`. UsageError
    says what is missing."""
    program = shutil.which(python or _usual())
    if program is None:
        raise UsageError(f"--python {python or 'python3'}: there is no such program")
    try:
        done = subprocess.run(
            [program, "-c", FIND],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=ASK_SECONDS,
            check=True,
        )
        version, origin = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        raise UsageError(f"--python {program}: it does not run as a Python") from None
    if origin is None:
        text = f"{program} has no ttnn: `{program} -m pip install ttnn=={VERSION}`"
        if tuple(version) not in ((3, 10), (3, 12)):
            text = (
                f"{program} is Python {version[0]}.{version[1]} and has no ttnn, which is there "
                "for 3.10 and 3.12: name one that has it with --python, or use `scripts/ttnn`"
            )
        raise UsageError(text)
    return Installed(program, Path(origin).parent)


def _usual() -> str:
    active = os.environ.get("VIRTUAL_ENV")
    return str(Path(active) / "bin" / "python") if active else "python3"


def chip(tiles: str, dispatch: str, arch: Arch = Arch.BLACKHOLE) -> str:
    """Make the grid of the chip for a program with a grid `WxH` of tiles. For fast dispatch it has
    one more column, of all rows, and on Wormhole one more row, of all columns: tt-metal takes the
    tiles of the dispatcher from there."""
    if dispatch != FAST:
        return tiles
    most_x, most_y = MOST_OF[arch.chip]
    width, height = map(int, tiles.split("x"))
    if arch is Arch.WORMHOLE:
        return f"{most_x}x{min(height, most_y) + 1}"
    return f"{min(width, most_x) + 1}x{most_y}"


def environment(
    simulator: Path,
    cache: Path,
    tiles: str = "1x1",
    dispatch: str = SLOW,
    root: Path | None = None,
    arch: Arch = Arch.BLACKHOLE,
) -> dict[str, str]:
    """Make the variables of the program, which has a grid `WxH` of tiles; `root` is the folder of
    tt-metal, if it is not that of the wheel. What the user has set stays."""
    width, height = map(min, map(int, tiles.split("x")), MOST_OF[arch.chip])
    wanted = {
        # The last column and row.
        "TT_METAL_CORE_GRID_OVERRIDE_TODEPRECATE": f"{width - 1},{height - 1}",
        "TT_METAL_CACHE": str(cache),
        "TT_METAL_LOGS_PATH": str(cache),  # else `generated` appears in the working directory
        "TT_METAL_LOGGER_LEVEL": "error",
        # By the host's clock: a busy computer needs longer than a card to start a fabric.
        "TT_METAL_FABRIC_ROUTER_SYNC_TIMEOUT_MS": "600000",
    }
    if root is not None:
        wanted[ROOT] = str(root)
    if dispatch == SLOW:
        wanted["TT_METAL_SLOW_DISPATCH_MODE"] = "1"
    else:
        # Queues of commands in DRAM, not in the host's memory: the host then asks for what it
        # waits for, and time passes while it does.
        wanted["TT_METAL_DRAM_BACKED_CQ"] = "1"
    made = {**wanted, **os.environ, "TT_METAL_SIMULATOR": str(simulator)}
    if dispatch == FAST:
        made.pop("TT_METAL_SLOW_DISPATCH_MODE", None)  # any value turns it on
    return made


def cache_folder() -> Path:
    """Return the folder where tt-metal keeps what it has compiled."""
    return user_cache.cache() / "ttnn"
