# SPDX-License-Identifier: Apache-2.0
"""The cache of kernels and firmware that tt-metal's host has compiled (TT_METAL_CACHE).

    CACHE/tt-metal-cache<KEY>/firmware/trisc1/trisc1.elf
    CACHE/tt-metal-cache<KEY>/kernels/NAME/HASH/trisc1/trisc1.elf

The host writes bytes to the tile and names no file. A file is recognised by its code in L1.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.firmware.folder import NAMES
from tensix_gdb.core.firmware.image import Firmware
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, LoadError, read_elf
from tensix_gdb.core.program.recognise import (
    code_of,
    is_in_l1,
    length_in_l1,
    moved_here,
    resembles,
)
from tensix_gdb.gdbstub.host.simulator.collection import all_stays
from tensix_gdb.gdbstub.host.simulator.kernels.files import LIST_SECONDS, Dated, KernelFiles
from tensix_gdb.gdbstub.kernels.kept_firmware import kept_firmware

Read = Callable[[int, int], bytes]  # address, length
File = tuple[Path, float]  # with the time of its change
Places = tuple[tuple[int, int], ...]  # of a launch: harts, and where their kernels are
BEGINNING = 256  # bytes of a kernel's code
MOST_PLACED = 1024  # that are kept; the host moves a kernel with each launch


def default_cache() -> Path:
    """Return where tt-metal keeps it unless told otherwise."""
    named = os.environ.get("TT_METAL_CACHE")
    return Path(named) if named else Path.home() / ".cache"


class KernelCache:
    """The cache in `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._files = KernelFiles(root)
        self._of_hart: dict[tuple[str, Path | None], tuple[list[Dated], list[File]]] = {}
        self._found: dict[tuple[Path | None, int, int], tuple[list[Dated], list[Image]]] = {}
        # By the first bytes of a kernel's code: the files that were found for them.
        self._alike: dict[tuple[Path | None, int, bytes], tuple[list[Dated], list[File]]] = {}
        self._together: dict[tuple[Path | None, Places], tuple[list[Dated], list[Image]]] = {}
        self._codes: dict[Path, tuple[float, tuple[int, bytes]]] = {}  # with the file's time
        self._images: dict[tuple[Path, float], Image | None] = {}
        self._placed: dict[tuple[Path, float, int], Image] = {}  # with the address in L1
        self._last_firmware: tuple[Firmware | None, float] = None, 0.0
        self._firmwares: dict[tuple[Path, float], Firmware | None] = {}

    def firmware(self, machine: Machine) -> Firmware | None:
        """Find the firmware that is in the tile. A host boots all tiles with the same."""
        found, since = self._last_firmware
        is_fresh = found is not None and monotonic() - since < LIST_SECONDS
        if is_fresh and found and all(_is_there(machine, image) for image in found.images):
            return found
        found = self._find_firmware(machine)
        self._last_firmware = found, monotonic()
        return found

    def _find_firmware(self, machine: Machine) -> Firmware | None:
        for build in self._files.builds():
            # Code says enough. Debug information takes long to read.
            if all(self._has_code(machine, path) for path in _processors(build / "firmware")):
                firmware = self._firmware(build / "firmware", int(machine.S.tile.chip))
                if firmware is not None:
                    return firmware
        return None

    def _has_code(self, machine: Machine, path: Path) -> bool:
        """True if the code of a file is in the tile where the file has it."""
        try:
            key = path, path.stat().st_mtime
        except OSError:
            return False
        if key not in self._images:
            self._images[key] = _read(path)
        image = self._images[key]
        return image is not None and _is_there(machine, image)

    def _firmware(self, folder: Path, chip: int) -> Firmware | None:
        """Read one, once: each tile asks for it. Its code is in a tile, so its files were read."""
        try:
            key = folder, (folder / "brisc" / "brisc.elf").stat().st_mtime
        except OSError:
            return None
        if key not in self._firmwares:
            try:
                with all_stays():
                    self._firmwares[key] = kept_firmware(folder, self._read_of(folder), chip)
            except LoadError:
                self._firmwares[key] = None
        return self._firmwares[key]

    def _read_of(self, folder: Path) -> list[Image]:
        """Return the files of a firmware by hart, as they were read."""
        paths = _processors(folder)
        found = {path: image for (path, _), image in self._images.items() if path in paths}
        return [image for path in paths if (image := found.get(path)) is not None]

    def kernels(self, hart: int, entry: int, read: Read, build: Path | None = None) -> list[Image]:
        """Find the kernels of a hart that are in L1 with their first instruction at `entry`, as
        they are there: files with the same code, the newest first. If there are any in the folder
        `build`, others are not looked at: a user's cache of some weeks has a dozen of builds."""
        found = self._kernels(hart, entry, read, build)
        if not found:
            self._files.look_anew(build)  # it may have been made meanwhile
            found = self._kernels(hart, entry, read, build)
        return found

    def kernels_of(self, processor: str, hart: int, entry: int, read: Read) -> list[Image]:
        """The same of a processor by its name in paths, which is no hart of a Tensix tile."""
        end = f"{os.sep}{processor}.elf"
        files = [(Path(file), time) for file, time in self._files.of(None) if file.endswith(end)]
        return self._search(files, hart, entry, read)[:1]

    def fixed(self, processor: str, machine: Machine) -> list[Image]:
        """Find the firmware of a processor that is in a tile."""
        for build in self._files.builds():
            path = build / "firmware" / processor / f"{processor}.elf"
            if self._has_code(machine, path):
                image = self._images[path, path.stat().st_mtime]
                return [replace(image)] if image is not None else []
        return []

    def _kernels(self, hart: int, entry: int, read: Read, build: Path | None) -> list[Image]:
        found = [] if build is None else self._among(build, hart, entry, read)
        return found or self._among(None, hart, entry, read)

    def _among(self, build: Path | None, hart: int, entry: int, read: Read) -> list[Image]:
        """Find them among the files of a build, or of all."""
        files = self._files.of(build)
        # A launch is the same for many tiles.
        before, found = self._found.get((build, hart, entry), ([], []))
        if before is files and found and all(is_in_l1(image, read, entry) for image in found):
            return found
        # A dispatcher puts the same kernel elsewhere with each launch; its code is the same there.
        alike = build, hart, read(entry, BEGINNING)
        before, some = self._alike.get(alike, ([], []))
        found = self._search(some, hart, entry, read) if before is files else []
        if not found:
            found = self._search(self._of(hart, build, files), hart, entry, read)
            paths = {image.path for image in found}
            some = [file for file in self._of(hart, build, files) if file[0] in paths]
            if len(self._alike) >= MOST_PLACED:
                self._alike.clear()
            self._alike[alike] = files, some
        self._found[build, hart, entry] = files, found
        return found

    def together(self, launched: Places, read: Read, build: Path | None) -> list[Image]:
        """Return the kernels that were last found for a launch at these places (`keep_together`),
        if they are there; a launch is the same for many tiles."""
        before, images = self._together.get((build, launched), ([], []))
        if before is not self._files.of(build) or len(images) != len(launched):
            return []
        there = zip(images, launched, strict=True)
        return images if all(is_in_l1(image, read, entry) for image, (_, entry) in there) else []

    def keep_together(self, launched: Places, images: list[Image], build: Path | None) -> None:
        """Keep what was found for a launch."""
        if len(self._together) >= MOST_PLACED:
            self._together.clear()
        self._together[build, launched] = self._files.of(build), images

    def _of(self, hart: int, build: Path | None, files: list[Dated]) -> list[File]:
        """Return those of a hart."""
        key = NAMES[hart][0], build
        before, of_hart = self._of_hart.get(key, ([], []))
        if before is not files:
            end = f"{os.sep}{key[0]}.elf"
            of_hart = [(Path(file), time) for file, time in files if file.endswith(end)]
            self._of_hart[key] = files, of_hart
        return of_hart

    def _search(self, files: list[File], hart: int, entry: int, read: Read) -> list[Image]:
        all_found = []
        for path, changed in files:
            start, code = self._code(path, changed)
            addr = entry - start
            if not 0 <= addr < L1_BYTES or len(code) > L1_BYTES - addr:
                continue
            if resembles(code, read(addr, len(code))):
                image = self._image(path, changed)
                if image is None:
                    continue
                found = self._moved(image, (path, changed, addr), start, read)
                if found is not None:
                    found.hart = hart
                    all_found.append(found)
        return all_found

    def _moved(
        self, image: Image, key: tuple[Path, float, int], start: int, read: Read
    ) -> Image | None:
        """Return a file as it is at an address, its entry `start` bytes after that. In a launch
        tiles have different kernels at the same one, and all that have the same kernel share what
        was read of it."""
        known = self._placed.get(key)
        if known is not None and is_in_l1(known, read, key[2] + start):
            return known
        found = moved_here(image, key[2], read(key[2], length_in_l1(image)))
        if found is not None:
            if len(self._placed) >= MOST_PLACED:
                self._placed.clear()
            self._placed[key] = found
        return found

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
            with all_stays():
                self._images[key] = _read(path)
        return self._images[key]


def _processors(folder: Path) -> list[Path]:
    """Return the files of a firmware."""
    return [folder / name / f"{name}.elf" for name, *_ in NAMES.values()]


def _read(path: Path) -> Image | None:
    try:
        return read_elf(path)
    except LoadError:
        return None


def _is_there(machine: Machine, image: Image) -> bool:
    """True if its code is in memory where the file has it."""
    code = [segment for segment in image.code if segment.end <= L1_BYTES]
    return bool(code) and all(
        machine.peek(B, segment.addr, len(segment.data)) == segment.data for segment in code
    )
