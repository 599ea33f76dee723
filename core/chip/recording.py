# SPDX-License-Identifier: Apache-2.0
"""A recording of a chip's run in a file, which comes to the same states anywhere.

It is what a history has been through: of each part the state at its start, as pages, the cycle at
which it ends, and the programs there. The same pages are in the file once. A part ends where a
client or a host has changed something, so no input has to be played: the next part begins with what
it led to. A recording of one part that ends where it begins is a core file of the chip.

    chip.json   places, execution, layout of a record, parts, programs
    pages       the pages, one after the other
    elf/N       the programs, as they were loaded
"""

from __future__ import annotations

import base64
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

from tensix_gdb.core.chip.broadcast import Copy
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.recorded_programs import WrittenPrograms, put_programs, read_sets
from tensix_gdb.core.chip.replayable import ChipHistory, run_to
from tensix_gdb.core.chip.snapshots import ChipState
from tensix_gdb.core.debug.kept_stop import NO_STOP
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history.checkpoints import PAGE, TileState
from tensix_gdb.core.history.replayable import Position
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine.loading import Hosted
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.program.elf import Image, LoadError
from tensix_gdb.core.recording.file import layout_hash

FORMAT = "tensix-gdb recording of a chip, 6"
INDEX, PAGES = "chip.json", "pages"
MAX_BYTES = 1 << 33
WITHOUT_IDLE = "without idle "  # before a hash that is without counts of idle cycles
NOWHERE = Position(0, (), ())  # of a state in a file: known when it is put back


class ChipRecordingError(Exception):
    """A file that cannot be played; the message says why, in a sentence."""


class DiffersError(Exception):
    """A part has come to another state than when it was recorded."""


class Segments(Protocol):
    """A history, as far as a recording wants it."""

    def segments(self) -> Iterable[tuple[ChipState, int, str]]:
        """Return of each segment the start, the cycle of its end, and its hash or ""."""
        ...


class Writer:
    """Writes a recording. Pages are written as parts begin (`note`), so that little is left for the
    end: drivers do not wait long for a simulator that they have told to end."""

    def __init__(self, out: Path | IO[bytes]) -> None:
        self._archive = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._pages = self._archive.open(PAGES, "w", force_zip64=True)
        self._numbers: dict[bytes, int] = {}
        # By identity: copies share the pages that have not changed. They are kept, so that no other
        # page gets the identity of one that is gone.
        self._known: dict[int, tuple[int, bytes]] = {}
        self._rows: dict[int, tuple[ChipState, dict[str, Any]]] = {}

    def note(self, copy: ChipState) -> None:
        """Write the pages of a copy with which a part begins."""
        self._row(copy)

    def _row(self, copy: ChipState) -> dict[str, Any]:
        if id(copy) not in self._rows:
            self._rows[id(copy)] = copy, self._new_row(copy)
        return self._rows[id(copy)][1]

    def _new_row(self, copy: ChipState) -> dict[str, Any]:
        return {
            "cycle": copy.cycle,
            "goal": copy.goal,
            "stopped": list(copy.stopped),
            "links": base64.b64encode(zlib.compress(copy.links)).decode("ascii"),
            "tiles": [[self._number(page) for page in tile.pages] for tile in copy.tiles],
            "outside": [
                [[at, self._number(page)] for at, page in sorted(pages.items())]
                for pages in copy.outside
            ],
            "traffic": [
                [list(key), [[each.due, each.receiver, each.stage, each.word] for each in copies]]
                for key, copies in copy.traffic.items()
            ],
            "held": [[tile.frozen.hex(), list(tile.step_over)] for tile in copy.tiles],
        }

    def _number(self, page: bytes) -> int:
        known = self._known.get(id(page))
        if known is not None:
            return known[0]
        padded = bytes(page).ljust(PAGE, b"\0")
        number = self._numbers.get(padded, -1)
        if number < 0:
            number = self._numbers[padded] = len(self._numbers)
            self._pages.write(padded)
        self._known[id(page)] = number, page
        return number

    def finish(
        self,
        chip: Chip,
        history: Segments,
        version: str = "",
        ending: str = "",
        programs: Sequence[Sequence[Hosted]] | None = None,
    ) -> None:
        """Write the rest. `ending` says how the run has ended, `programs` of each part those of
        each tile at its end; without it they are those of now."""
        written, segments = WrittenPrograms(chip), list(history.segments())
        now = [machine.loader.hosted_now() for machine in chip.tiles.values()]
        parts = [
            {**self._row(start), "end": end, "hash": digest, "programs": written.of(hosted)}
            for (start, end, digest), hosted in zip(
                segments, programs or [now] * len(segments), strict=True
            )
        ]
        self._pages.close()
        index = {
            "format": FORMAT,
            "version": version,
            "layout": layout_hash(LAYOUT),
            "execution": str(chip.execution),
            "arch": chip.arch.name,
            "places": [list(place) for place in chip.tiles],
            "links": [[list(end) for end in link] for link in chip.cables.links],
            "cables": [[kind, list(at), *rest] for kind, at, *rest in chip.cables.faults],
            "faults": [machine.faults.text() for machine in chip.tiles.values()],
            "programs": written.sets(),
            "parts": parts,
            "cycle": parts[-1]["end"],
            "hash": parts[-1]["hash"] or chip.hash(),
            "ending": ending,
        }
        self._archive.writestr(INDEX, json.dumps(index))
        written.put_files(self._archive)
        self._archive.close()


def save(
    out: Path | IO[bytes], chip: Chip, history: ChipHistory, version: str = "", ending: str = ""
) -> None:
    """Write what a chip has been through to a file."""
    Writer(out).finish(chip, history, version, ending, history.programs())


def is_recording_of_chip(path: str | Path) -> bool:
    """True if the file looks like one."""
    try:
        with zipfile.ZipFile(path) as archive:
            return INDEX in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def has_hash(chip: Chip, digest: str) -> bool:
    """True if a chip has the hash that a recording has for this state."""
    if digest.startswith(WITHOUT_IDLE):
        return chip.hash_without_idle() == digest.removeprefix(WITHOUT_IDLE)
    return chip.hash() == digest


def differs_text(cycle: int) -> str:
    """Return a sentence for an end that is not that of the run."""
    return (
        f"the chip is in another state at cycle {cycle} than in the run that was recorded; "
        "a recording of it does not have what its host writes to tiles meanwhile"
    )


class ChipRecording:
    """A file that `save` has written. ChipRecordingError if it is none, or of another version."""

    def __init__(self, path: Path) -> None:
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(member.file_size for member in archive.infolist()) > MAX_BYTES:
                    raise ChipRecordingError(f"{path}: larger than {MAX_BYTES >> 30} GiB unpacked")
                index: dict[str, Any] = json.loads(archive.read(INDEX))
                if index.get("format") != FORMAT or index.get("layout") != layout_hash(LAYOUT):
                    raise ChipRecordingError(
                        f"{path} was recorded by another version of tensix-gdb"
                    )
                self._pages = archive.read(PAGES)
                self._sets = read_sets(archive, index["programs"])
            self.places = [(x, y) for x, y in index["places"]]
            ends = [[(x, y) for x, y in link] for link in index.get("links", ())]
            self._links = [(one, other) for one, other in ends]
            self._damage = [
                (str(kind), (x, y), int(cycle), int(by))
                for kind, (x, y), cycle, by in index.get("cables", ())
            ]
            self.execution = Execution.parse(index["execution"])
            self.arch = Arch[index.get("arch", Arch.BLACKHOLE.name)]
            self.version, self.ending = str(index["version"]), str(index["ending"])
            self.cycle, self.hash = int(index["cycle"]), str(index["hash"])
            self._faults = [str(text) for text in index["faults"]]
            self._parts: list[dict[str, Any]] = index["parts"]
        except OSError as problem:
            raise ChipRecordingError(f"{path}: cannot be read: {problem.strerror}") from None
        except (KeyError, ValueError, TypeError, zipfile.BadZipFile, zlib.error, LoadError) as bad:
            raise ChipRecordingError(f"{path} is no recording of a chip: {bad}") from None

    @property
    def changes(self) -> int:
        """The number of changes by a client or a host."""
        return len(self._parts) - 1

    def begin_at(self, cycle: int) -> None:
        """Begin with the last part that has a cycle: its start is in the file, so what was before
        need not be played. Call this before `chip`."""
        starts = [number for number, part in enumerate(self._parts) if part["cycle"] <= cycle]
        del self._parts[: starts[-1] if starts else 0]

    @property
    def programs(self) -> list[list[Image]]:
        """Of each tile its programs at the end."""
        return self._programs_of(self._parts[-1])

    def _programs_of(self, part: dict[str, Any]) -> list[list[Image]]:
        return [self._sets[number] for number in part["programs"]]

    def chip(self, *, engine: str | Engine = "compiled", threads: int = 1) -> Chip:
        """Make a chip where the recording starts."""
        chip = Chip(
            self.places,
            engine=engine,
            schedule=self.execution,
            threads=threads,
            arch=self.arch,
            cables=self._links,
        )
        for fault in self._damage:
            chip.cables.damage(fault)
        for machine, faults in zip(chip.tiles.values(), self._faults, strict=True):
            machine.faults.set(faults)
        self._begin(chip, self._parts[0])
        return chip

    def play(self, chip: Chip, history: ChipHistory | None = None) -> Iterator[int]:
        """Run a chip from the start (`chip`) through it, and keep its history if there is
        one; give the cycle at the end of each part. DiffersError if the chip comes to another
        state."""
        for number, part in enumerate(self._parts):
            if number:
                self._begin(chip, part)
            if history is not None:
                history.note_inputs()
            run_to(chip, part["end"], None if history is None else history.run)
            if part["hash"] and not has_hash(chip, part["hash"]):
                raise DiffersError(differs_text(chip.cycle))
            yield chip.cycle

    def put_last(self, chip: Chip) -> None:
        """Bring a chip to the end of the recording, by the last part alone."""
        last = self._parts[-1]
        self._begin(chip, last)
        run_to(chip, last["end"])

    def _begin(self, chip: Chip, part: dict[str, Any]) -> None:
        """Bring a chip to where a part begins."""
        put_programs(chip, self._programs_of(part))
        chip.restore(self._state(part))

    def _state(self, part: dict[str, Any]) -> ChipState:
        size = LAYOUT.state_size
        ends = [min(PAGE, size - at) for at in range(0, size, PAGE)]
        tiles = []
        for numbers, (frozen, over) in zip(part["tiles"], part["held"], strict=True):
            # What is after the state are the clocks of an observer of races.
            pages = [self._page(number)[:end] for number, end in zip(numbers, ends, strict=False)]
            tiles.append(TileState(NOWHERE, pages, bytes.fromhex(frozen), tuple(over), NO_STOP))
        return ChipState(
            part["cycle"],
            part["goal"],
            tuple(tiles),
            tuple({at: self._page(number) for at, number in pages} for pages in part["outside"]),
            {
                (key[0], key[1], key[2]): tuple(Copy(*each) for each in copies)
                for key, copies in part["traffic"]
            },
            tuple(part["stopped"]),
            zlib.decompress(base64.b64decode(part["links"])),
        )

    def _page(self, number: int) -> bytes:
        return self._pages[PAGE * number : PAGE * (number + 1)]
