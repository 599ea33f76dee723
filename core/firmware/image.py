# SPDX-License-Identifier: Apache-2.0
"""A firmware as its files describe it, checked before anything is loaded.

Every address comes from the ELF files: `mailboxes` is a constant of brisc, its structure
`mailboxes_t` is in the DWARF of brisc, and where the initialised data of a core has to wait for its
start-up code is the argument of `do_crt1`, which the compiler inlined.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from core.arch.blackhole import HART_NAMES, HARTS, L1_BYTES, LOCAL_BASE, B
from core.firmware.debug_info import DebugInfo, Member
from core.firmware.folder import NAMES, programs_in
from core.loader import Image, LoadError, check_apart, check_mapped, read_elf

_CPU = re.compile(r"-mcpu=(tt-\w+)")
CPU = "tt-bh"
CPU_NAMES = {"tt-wh": "Wormhole", "tt-bh": "Blackhole", "tt-qsr": "Quasar"}


@dataclass(frozen=True)
class Firmware:
    """Five ELF files, where their mailboxes are, and what their signals are called."""

    folder: Path
    images: tuple[Image, ...]  # by hart
    mailboxes: int
    staging: tuple[int | None, ...]  # by hart: where its initialised data waits in L1
    info: DebugInfo  # of brisc

    def field(self, path: str) -> Member:
        """Address and size of a part of the mailboxes."""
        member = self.info.member("mailboxes_t", path)
        return Member(self.mailboxes + member.offset, member.size)

    def signal(self, name: str) -> int:
        """The value of a constant such as RUN_MSG_GO."""
        return self.info.constant(name)

    def placed(self, hart: int) -> list[tuple[int, bytes]]:
        """The bytes of a hart's file and where the host writes them: all of it is in L1."""
        image, staging = self.images[hart], self.staging[hart]
        out = []
        for segment in image.segments:
            if segment.addr < L1_BYTES:
                out.append((segment.addr, segment.data))
            elif staging is not None:
                out.append((staging + segment.addr - LOCAL_BASE, segment.data))
        return out


def read_firmware(folder: str | Path) -> Firmware:
    """Read and check the firmware of a folder; LoadError with one sentence when it is not one."""
    folder = Path(folder)
    programs = programs_in(folder)
    missing = [NAMES[hart][0] for hart in range(HARTS) if hart not in programs]
    if missing:
        names = ", ".join(f"{name}.elf" for name in missing)
        raise LoadError(f"{folder}: not a whole firmware: {names} is missing")
    images = tuple(read_elf(programs[hart]) for hart in range(HARTS))
    infos = [DebugInfo(image) for image in images]
    for image, info in zip(images, infos, strict=True):
        _check_cpu(image, info)
    for hart, image in enumerate(images):
        check_mapped(image, hart)
        image.hart = hart
    check_apart(list(images))
    staging = tuple(info.argument("do_crt1", "data_image") for info in infos)
    mailboxes = infos[B].constant("mailboxes")
    firmware = Firmware(folder, images, mailboxes, staging, infos[B])
    for hart, image in enumerate(images):
        _check_staging(firmware, hart, image)
    return firmware


def _check_cpu(image: Image, info: DebugInfo) -> None:
    for cpu in _CPU.findall(info.producer):
        if not cpu.startswith(CPU):
            name = CPU_NAMES.get(cpu[:5], cpu)
            raise LoadError(
                f"{image.path}: firmware for {name}, this tile is a Blackhole; use a build that "
                "has a drisc folder"
            )


def _check_staging(firmware: Firmware, hart: int, image: Image) -> None:
    # Zeros in local RAM are the start-up code's work; what has bytes in the file has to be placed.
    local = [segment for segment in image.segments if segment.addr >= LOCAL_BASE]
    if firmware.staging[hart] is None and any(any(segment.data) for segment in local):
        raise LoadError(
            f"{image.path}: has initialised data for {HART_NAMES[hart]}'s local RAM, and its debug "
            "information does not say from where do_crt1 copies it"
        )
