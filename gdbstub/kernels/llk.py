# SPDX-License-Identifier: Apache-2.0
"""Find LLK's headers: in a folder or a wheel that is named, an installed ttnn, or the wheel ttnn
that is kept in the user's cache."""

from __future__ import annotations

import hashlib
import re
import sys
import tempfile
import zipfile
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.kernels import wheels
from tensix_gdb.gdbstub.kernels.sfpi.find import ttnn_folders
from tensix_gdb.gdbstub.kernels.user_cache import cache, made_at_once, said_if_unwritable, turn
from tensix_gdb.gdbstub.usage import UsageError

REQUIREMENT = "ttnn==0.81.1"
PLATFORM = "manylinux_2_34_x86_64"
FILE = f"ttnn-0.81.1-cp310-cp310-{PLATFORM}.whl"
# Where a checkout of tt-llk or tt-metal, old or new, and a wheel have LLK.
IN_FOLDER = (
    *("", "tt-llk", "tt_metal/tt-llk", "tt_metal/third_party/tt_llk"),
    *("ttnn/tt_metal/tt-llk", "third_party/tt_llk"),
)
BLACKHOLE = "tt_llk_blackhole"
FOLDER_OF = {Arch.BLACKHOLE: BLACKHOLE, Arch.WORMHOLE: "tt_llk_wormhole_b0"}
# What tt-metal calls the chips.
KERNELS_OF = {Arch.BLACKHOLE: "blackhole", Arch.WORMHOLE: "wormhole_b0"}
# Where tt-metal's headers are, from there.
HARDWARE = ("../hw", "../../hw", "tests/hw_specific/blackhole")
CONFIGURATION = ("inc/internal/tt-1xx/blackhole", "inc/blackhole", "inc")
WANTED = re.compile(
    r"ttnn/tt_metal/(tt-llk/(common|tools/include|tt_llk_blackhole|tt_llk_wormhole_b0)|hw/inc|"
    r"hostdevcommon/api|hw/ckernels/(blackhole|wormhole_b0))/"
)


@dataclass(frozen=True, slots=True)
class Llk:
    """A copy of LLK, and the headers of tt-metal that it includes."""

    root: Path
    hardware: Path
    configuration: Path

    def include_options(self, arch: Arch = Arch.BLACKHOLE) -> list[str]:
        """Return the options for the compiler. Warnings about these headers are not shown.
        UsageError if there are none for the chip."""
        own = self.root / FOLDER_OF[arch]
        ckernels = self.hardware / "ckernels" / KERNELS_OF[arch] / "metal"
        folders = (
            *(own / "llk_lib", own / "common/inc", own / "common/inc/sfpu"),
            *(self.root / "common", self.root / "tools/include", self.hardware / "inc"),
            *(self.hardware.parent / "hostdevcommon/api", *self._registers(arch)),
            *(ckernels / "llk_api", ckernels / "llk_api/llk_sfpu"),
        )
        return [text for one in folders if one.is_dir() for text in ("-isystem", str(one))]

    def _registers(self, arch: Arch) -> tuple[Path, ...]:
        """Return the folders of the chip's registers."""
        if arch is Arch.BLACKHOLE:
            return (self.configuration,)
        wormhole = self.configuration.with_name("wormhole")
        folders = wormhole, wormhole / "wormhole_b0_defines"
        there = (folders[1] / "cfg_defines.h").is_file() and (self.root / FOLDER_OF[arch]).is_dir()
        if not there:
            raise UsageError(
                f"the LLK in {self.root} has no headers for Wormhole: name a checkout of tt-metal "
                "with --llk DIR, or leave --llk out and let --get-llk download them"
            )
        return folders


def find_llk(given: str | None, *, may_download: bool = False) -> Llk:
    """Find LLK's headers. UsageError if there are none."""
    if given is not None:
        return _named(Path(given))
    for folder in ttnn_folders():
        found = _in(folder)
        if found is not None:
            return found
    wheel = cache() / "wheels" / FILE
    if not wheel.exists() and may_download:
        download(wheel)
    if wheel.exists():
        return _named(wheel)
    raise UsageError(
        "LLK's headers are missing: name a checkout of tt-metal or tt-llk with --llk DIR, or let "
        f"--get-llk download them with pip ({REQUIREMENT}, 100 MB, once)"
    )


def _named(path: Path) -> Llk:
    try:
        found = _in(_unpacked(path) if path.suffix == ".whl" and path.is_file() else path)
    except zipfile.BadZipFile:
        raise UsageError(f"--llk {path}: is a damaged wheel") from None
    if found is None:
        what = f"has no {BLACKHOLE}" if path.exists() else "there is no such file or directory"
        raise UsageError(f"--llk {path}: {what}")
    return found


def _in(folder: Path) -> Llk | None:
    for name in IN_FOLDER:
        root = folder / name
        if (root / BLACKHOLE).is_dir():
            return _with_hardware(root.resolve())
    return None


def _with_hardware(root: Path) -> Llk:
    for name in HARDWARE:
        for below in CONFIGURATION:
            hardware = (root / name).resolve()
            if (hardware / below / "cfg_defines.h").is_file():
                return Llk(root, hardware, hardware / below)
    raise UsageError(
        f"{root} has LLK without the headers of tt-metal (cfg_defines.h): name a checkout of "
        "tt-metal with --llk"
    )


def _unpacked(wheel: Path) -> Path:
    """Unpack the headers of a wheel into the user's cache, once."""
    stat, own = wheel.stat(), Path(__file__).stat()
    made_of = f"{wheel.resolve()} {stat.st_size} {stat.st_mtime_ns} {own.st_size} {own.st_mtime_ns}"
    folder = cache() / "headers" / f"llk-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}"
    with said_if_unwritable(), made_at_once(folder) as new:
        if new:
            print(f"unpacking LLK's headers of {wheel.name} ...", file=sys.stderr)
            with zipfile.ZipFile(wheel) as source:
                source.extractall(new, [name for name in source.namelist() if WANTED.match(name)])
    return folder


def download(wheel: Path) -> None:
    """Get the wheel with pip. UsageError if that fails."""
    with said_if_unwritable(), turn(wheel):
        if wheel.exists():
            return
        # Not into its place: a process that ends in the middle of it leaves half a file.
        with tempfile.TemporaryDirectory(dir=wheel.parent) as new:
            of_python = ("--python-version", "3.10", "--abi", "cp310")
            got = wheels.download(REQUIREMENT, FILE, PLATFORM, Path(new), *of_python)
            got.rename(wheel)
