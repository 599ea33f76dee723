# SPDX-License-Identifier: Apache-2.0
"""A recording as a file: a ZIP archive, packed, checked, and readable by other programs.

recording.json  versions, schedule, programs, the steps (in the order of data.bin), the final hash
data.bin        the state at the start; then of each step the bytes and pages that are inputs
elf/N           the programs, as they were loaded
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import IO, Any

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.pages import PAGE_BYTES
from tensix_gdb.core.program.elf import Image, LoadError, image_of, moved
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.recording.recorder import Recorder
from tensix_gdb.core.recording.steps import Check, OutsidePages, Progress, Step, Watched, part_names

FORMAT = 2
KIND = "tensix-gdb recording"
INDEX, DATA = "recording.json", "data.bin"
MAX_BYTES = 1 << 30


class RecordingError(ValueError):
    """A file that cannot be replayed; the message is one sentence."""


def layout_hash(layout: Layout) -> str:
    """Hash all rows that a recording has something of: their names, kinds, shapes and
    places."""
    digest = hashlib.blake2b(digest_size=16)
    for slot in sorted(layout.slots.values(), key=lambda slot: slot.offset):
        if slot.offset <= layout.slot("condition", "stack").offset:
            text = f"{slot.path} {slot.field.kind} {slot.field.shape} {slot.offset}\n"
            digest.update(text.encode())
    return digest.hexdigest()


def write_recording(
    out: IO[bytes], recorder: Recorder, machine: Machine, version: str, ending: str
) -> None:
    """Write all that was recorded so far."""
    recorder.check()
    data: list[bytes] = [recorder.start, *_in_order(recorder.outside)]
    steps = []
    for step in recorder.steps:
        steps.append(
            {
                "to": _numbers(step.progress),
                "faults": step.faults,
                "patches": [[at, len(piece)] for at, piece in step.patches],
                "pages": [sorted(pages) for pages in step.outside],
                "checks": [[_numbers(check.progress), check.parts] for check in step.checks],
            }
        )
        data += [piece for _, piece in step.patches]
        data += _in_order(step.outside)
    images = [image for image in machine.images if image.content]
    index = {
        "kind": KIND,
        "format": FORMAT,
        "version": version,
        "layout": layout_hash(machine.record.layout),
        "arch": Arch.WORMHOLE.name if machine.S.tile.chip else Arch.BLACKHOLE.name,
        "schedule": str(machine.execution),
        "host": machine.host.is_present,
        "size": len(recorder.start),
        "pages": [sorted(pages) for pages in recorder.outside],
        "parts": part_names(machine.record.layout),
        "steps": steps,
        "ending": ending,
        "hash": machine.hash(),
        "programs": [
            {"path": str(image.path.resolve()), "hart": image.hart, "bias": image.bias}
            for image in images
        ],
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(INDEX, json.dumps(index))
        with archive.open(DATA, "w") as packed:  # piece by piece: there may be many
            for piece in data:
                packed.write(piece)
        for number, image in enumerate(images):
            archive.writestr(f"elf/{number}", image.content)


def _in_order(pages: OutsidePages) -> Iterator[bytes]:
    return (kept[page] for kept in pages for page in sorted(kept))


def _numbers(progress: Progress) -> list[int]:
    return list(astuple(progress))


@dataclass(slots=True)
class Recording:
    """The contents of a file."""

    version: str
    arch: Arch
    execution: Execution
    has_host: bool
    start: bytes
    outside: OutsidePages
    parts: tuple[str, ...]
    steps: list[Step]
    ending: str
    hash: str
    images: list[Image]

    def machine(self, engine: str) -> Machine:
        """Make a tile where the recording starts."""
        made = Machine(engine=engine, schedule=self.execution, arch=self.arch)
        made.host.is_present = self.has_host
        made.load_by(self._restore_start, self.images)
        return made

    def _restore_start(self, machine: Machine) -> None:
        watched = Watched(machine.record)
        watched.write_patches([(0, self.start)])
        for memory, kept in zip(machine.outside.memories(), self.outside, strict=True):
            memory.restore(dict(kept))
        machine.memory.forget_all()


def is_recording(path: str) -> bool:
    """True if the file looks like one."""
    return zipfile.is_zipfile(path)


def read_recording(path: str, layout: Layout) -> Recording:
    """RecordingError with a sentence when it cannot be replayed."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_BYTES:
                raise RecordingError(f"{path}: larger than {MAX_BYTES >> 20} MiB when unpacked")
            return _read(path, archive, layout)
    except OSError as problem:
        raise RecordingError(f"{path}: cannot be read: {problem.strerror}") from None
    except RecordingError:
        raise
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, TypeError, LoadError) as bad:
        raise RecordingError(f"{path}: a damaged recording: {bad}") from None
    except (AttributeError, IndexError, RecursionError, NotImplementedError) as bad:
        raise RecordingError(f"{path}: a damaged recording: {bad}") from None


def _read(path: str, archive: zipfile.ZipFile, layout: Layout) -> Recording:
    index: dict[str, Any] = json.loads(archive.read(INDEX))
    if index["kind"] != KIND:
        raise RecordingError(f"{path}: no recording of tensix-gdb")
    if index["format"] != FORMAT:
        raise RecordingError(
            f"{path}: a recording of format {index['format']}; this version reads format {FORMAT}"
        )
    if index["layout"] != layout_hash(layout):
        raise RecordingError(
            f"{path}: made by tensix-gdb {index['version']}: its record of the tile has another "
            "layout; replay it with that version"
        )
    pieces = _DataReader(archive.read(DATA))
    start = pieces.next_bytes(index["size"])
    outside = pieces.pages(index["pages"])
    steps = []
    for row in index["steps"]:
        patches = [(int(at), pieces.next_bytes(size)) for at, size in row["patches"]]
        if any(at < 0 or at + len(data) > len(start) for at, data in patches):
            raise ValueError("a step writes outside the tile")
        checks = [Check(Progress(*map(int, at)), tuple(parts)) for at, parts in row["checks"]]
        progress = Progress(*map(int, row["to"]))
        steps.append(
            Step(progress, patches, pieces.pages(row["pages"]), str(row["faults"]), checks)
        )
    images = []
    for number, row in enumerate(index["programs"]):
        if row["hart"] not in (None, *range(HARTS)):
            raise ValueError(f"{row['path']} is for no hart")
        images.append(image_from(row, archive.read(f"elf/{number}")))
    return Recording(
        str(index["version"]),
        Arch[index["arch"]],
        Execution.parse(index["schedule"]),
        bool(index["host"]),
        start,
        outside,
        tuple(index["parts"]),
        steps,
        str(index["ending"]),
        str(index["hash"]),
        images,
    )


def image_from(row: dict[str, Any], content: bytes) -> Image:
    """Make the program of which a recording has this row."""
    image, bias = image_of(Path(row["path"]), content), int(row["bias"])
    parts = tuple(replace(part, addr=moved(part.addr, bias)) for part in image.segments)
    entry = moved(image.entry, bias)
    return replace(image, segments=parts, entry=entry, hart=row["hart"], bias=bias)


class _DataReader:
    """Takes data.bin apart."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def next_bytes(self, size: int) -> bytes:
        """Return the next bytes."""
        if size < 0 or self._at + size > len(self._data):
            raise ValueError("its end is missing")
        self._at += size
        return self._data[self._at - size : self._at]

    def pages(self, numbers: list[list[int]]) -> OutsidePages:
        """Return the next pages of each memory."""
        return [{int(page): self.next_bytes(PAGE_BYTES) for page in pages} for pages in numbers]
