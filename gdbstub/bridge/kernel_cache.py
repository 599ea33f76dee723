# SPDX-License-Identifier: Apache-2.0
"""What tt-metal's host has compiled: its cache of kernels and firmware (TT_METAL_CACHE).

    CACHE/tt-metal-cache<KEY>/firmware/trisc1/trisc1.elf
    CACHE/tt-metal-cache<KEY>/kernels/NAME/HASH/trisc1/trisc1.elf

The host writes bytes to the tile and names no file. A file is recognised by its code in L1.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.firmware.folder import NAMES
from tensix_gdb.core.firmware.image import Firmware, read_firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, LoadError, read_elf
from tensix_gdb.core.program.recognise import code_of, length_in_l1, moved_here, resembles

Read = Callable[[int, int], bytes]  # address, length
BUILDS = "tt-metal-cache*"


def default_cache() -> Path:
    """Where tt-metal keeps it unless told otherwise."""
    named = os.environ.get("TT_METAL_CACHE")
    return Path(named) if named else Path.home() / ".cache"


class KernelCache:
    """The cache in `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._codes: dict[Path, tuple[float, tuple[int, bytes]]] = {}  # with the file's time
        self._images: dict[tuple[Path, float], Image | None] = {}

    def _builds(self) -> list[Path]:
        """Its folders, the newest first."""
        return _newest_first(self.root.glob(BUILDS))

    def firmware(self, machine: Machine) -> Firmware | None:
        """Find the firmware that is in the tile."""
        for build in self._builds():
            folder = build / "firmware"
            if not (folder / "brisc" / "brisc.elf").is_file():
                continue
            try:
                firmware = read_firmware(folder)
            except LoadError:
                continue
            if all(_is_there(machine, image) for image in firmware.images):
                return firmware
        return None

    def kernels(self, hart: int, entry: int, read: Read) -> Iterator[Image]:
        """Find the kernels of a hart that are in L1 with their first instruction at `entry`, as
        they are there: files with the same code, the newest first."""
        for path, changed in self._files(NAMES[hart][0]):
            start, code = self._code(path, changed)
            addr = entry - start
            if not 0 <= addr < L1_BYTES or len(code) > L1_BYTES - addr:
                continue
            if resembles(code, read(addr, len(code))):
                image = self._image(path, changed)
                if image is None:
                    continue
                found = moved_here(image, addr, read(addr, length_in_l1(image)))
                if found is not None:
                    found.hart = hart
                    yield found

    def _files(self, name: str) -> Iterator[tuple[Path, float]]:
        """Files of a hart, the newest first, each with its time."""
        dated: list[tuple[float, Path]] = []
        for path in self.root.glob(f"{BUILDS}/kernels/*/*/{name}/{name}.elf"):
            try:
                dated.append((path.stat().st_mtime, path))
            except OSError:
                continue  # being built, or gone
        for changed, path in sorted(dated, reverse=True):
            yield path, changed

    def _code(self, path: Path, changed: float) -> tuple[int, bytes]:
        known = self._codes.get(path)
        if known is None or known[0] != changed:
            try:
                code = code_of(path.read_bytes())
            except OSError:
                code = None
            known = self._codes[path] = changed, code or (0, b"")
        return known[1]

    def _image(self, path: Path, changed: float) -> Image | None:
        key = path, changed
        if key not in self._images:
            try:
                self._images[key] = read_elf(path)
            except LoadError:
                self._images[key] = None
        return self._images[key]


def _newest_first(paths: Iterator[Path]) -> list[Path]:
    dated: list[tuple[float, Path]] = []
    for path in paths:
        try:
            dated.append((path.stat().st_mtime, path))
        except OSError:
            continue
    return [path for _, path in sorted(dated, reverse=True)]


def _is_there(machine: Machine, image: Image) -> bool:
    """True if its code is in memory where the file has it."""
    code = [segment for segment in image.code if segment.end <= L1_BYTES]
    return bool(code) and all(
        machine.peek(B, segment.addr, len(segment.data)) == segment.data for segment in code
    )
