# SPDX-License-Identifier: Apache-2.0
"""A firmware as its files describe it, checked before anything is loaded.

Every address comes from the ELF files: `mailboxes` is a constant of brisc, its structure
`mailboxes_t` is in the DWARF of brisc, and where the initialised data of a core has to wait for its
start-up code is the argument of `do_crt1`, which the compiler inlined.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, L1_BYTES, LOCAL_BASE, B
from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.firmware.folder import NAMES, programs_in
from tensix_gdb.core.program.elf import Image, LoadError, check_apart, check_mapped, read_elf

# DWARF is read where a firmware is: others start without.
if TYPE_CHECKING:
    from tensix_gdb.core.firmware.answers import Answers, FieldLocation
    from tensix_gdb.core.firmware.facts import Facts

CPUS = ("tt-bh", "tt-wh")  # by chip (core/arch/chips.py)
ADVICE = ("use a build that has a drisc folder", "use a build without a drisc folder")
CPU_NAMES = {"tt-wh": "Wormhole", "tt-bh": "Blackhole", "tt-qsr": "Quasar"}


@dataclass(frozen=True)
class Firmware:
    """Five ELF files, where their mailboxes are, and what their signals are called."""

    folder: Path
    images: tuple[Image, ...]  # by hart
    mailboxes: int
    staging: tuple[int | None, ...]  # by hart: where its initialised data waits in L1
    facts: Answers  # of brisc

    @cached_property
    def _fields(self) -> dict[str, FieldLocation]:
        return {}  # those that were asked for

    def field(self, path: str) -> FieldLocation:
        """Return address and size of a part of the mailboxes."""
        known = self._fields.get(path)
        if known is None:
            place = self.facts.pointed("mailboxes", path)
            known = replace(place, offset=self.mailboxes + place.offset)
            self._fields[path] = known
        return known

    def signal(self, name: str) -> int:
        """Return the value of a constant such as RUN_MSG_GO."""
        return self.facts.constant(name)

    def placed(self, hart: int) -> list[tuple[int, bytes]]:
        """Return the bytes of a hart's file and where the host writes them: all of it is in L1."""
        image, staging = self.images[hart], self.staging[hart]
        out = []
        for segment in image.segments:
            if segment.addr < L1_BYTES:
                out.append((segment.addr, segment.data))
            elif staging is not None:
                out.append((staging + segment.addr - LOCAL_BASE, segment.data))
        return out


def read_firmware(folder: str | Path, chip: int = BLACKHOLE, *, loads: bool = True) -> Firmware:
    """Read and check the firmware of a folder; LoadError with one sentence when it is not one.

    Without `loads` it is one that another host has loaded: where initialised data waits, which
    takes most of the time, is not looked for."""
    from tensix_gdb.core.firmware.facts import Facts

    folder = Path(folder)
    programs = programs_in(folder)
    missing = [NAMES[hart][0] for hart in range(HARTS) if hart not in programs]
    if missing:
        names = ", ".join(f"{name}.elf" for name in missing)
        raise LoadError(f"{folder}: not a whole firmware: {names} is missing")
    images = tuple(read_elf(programs[hart]) for hart in range(HARTS))
    facts = [Facts(image) for image in images]
    for image, fact in zip(images, facts, strict=True):
        _check_cpu(image, fact, chip)
    for hart, image in enumerate(images):
        check_mapped(image, hart, chip)
        image.hart = hart
    check_apart(list(images))
    staging = tuple(fact.argument("do_crt1", "data_image") if loads else None for fact in facts)
    mailboxes = facts[B].constant("mailboxes")
    firmware = Firmware(folder, images, mailboxes, staging, facts[B])
    if loads:
        for hart, image in enumerate(images):
            _check_staging(firmware, hart, image)
    return firmware


def _check_cpu(image: Image, facts: Facts, chip: int) -> None:
    for cpu in sorted(facts.cpus()):
        if not cpu.startswith(CPUS[chip]):
            name = CPU_NAMES.get(cpu[:5], cpu)
            this = CPU_NAMES[CPUS[chip]]
            raise LoadError(
                f"{image.path}: firmware for {name}, this tile is a {this}; {ADVICE[chip]}"
            )


def _check_staging(firmware: Firmware, hart: int, image: Image) -> None:
    # Zeros in local RAM are the start-up code's work; what has bytes in the file has to be placed.
    local = [segment for segment in image.segments if segment.addr >= LOCAL_BASE]
    if firmware.staging[hart] is None and any(any(segment.data) for segment in local):
        raise LoadError(
            f"{image.path}: has initialised data for {HART_NAMES[hart]}'s local RAM, and its debug "
            "information does not say from where do_crt1 copies it"
        )
