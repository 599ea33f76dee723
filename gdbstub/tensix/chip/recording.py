# SPDX-License-Identifier: Apache-2.0
"""`--record-to FILE` of several tiles, and `replay FILE` of what it has written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.recording import (
    ChipRecording,
    ChipRecordingError,
    DiffersError,
    Writer,
    differs_text,
    has_hash,
    is_recording_of_chip,
)
from tensix_gdb.core.chip.replayable import ChipHistory, begin_chip_history
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.output.output_file import binary_output
from tensix_gdb.gdbstub.tensix.output.progress import progress
from tensix_gdb.gdbstub.tensix.output.recording import DIFFERENT, EQUAL, MAX_CYCLES, own_version
from tensix_gdb.gdbstub.usage import UsageError

__all__ = ["history_of_chip", "is_recording_of_chip", "recorded_chip", "replay_chip"]


@contextmanager
def recorded_chip(chip: Chip, recorded: RecordedChip, path: str | None) -> Iterator[list[str]]:
    """Record from now on, and write the file in the end. What is put into the list is said in the
    file: how the run has ended. A file that cannot be written is refused now."""
    ending: list[str] = []
    if path is None:
        yield ending
        return
    out = binary_output("--record-to", path)
    writer = Writer(out)
    history = recorded.record_to_file(writer.note)
    with out:
        try:
            yield ending
        finally:
            recorded.to_present()
            said = "\n".join(ending)
            writer.finish(chip, history, own_version(), said, history.programs())


def open_chip_recording(path: str) -> ChipRecording:
    """Return the recording in a file."""
    try:
        return ChipRecording(Path(path))
    except ChipRecordingError as problem:
        raise UsageError(str(problem)) from None


def played(
    path: str, recording: ChipRecording, chip: Chip, history: ChipHistory | None = None
) -> tuple[list[str], int]:
    """Play all of it, or up to the first difference: how it went, and the exit status."""
    said = [f"{path}: {recording.ending}"] if recording.ending else []
    try:
        with progress(MAX_CYCLES) as tell:
            for cycle in recording.play(chip, history):
                tell(cycle, "replaying")
    except DiffersError as difference:
        other = own_version()
        made = f"; it was made by version {recording.version}" if recording.version != other else ""
        return [*said, f"{difference}{made}"], DIFFERENT
    except EngineDefect as defect:
        raise UsageError(f"a defect of the emulator, please report it: {defect}") from None
    tiles, count = len(recording.places), recording.changes
    inputs = f"{count} input{'s' if count != 1 else ''}"
    return [*said, f"equal: {tiles} tiles, {chip.cycle} cycles with {inputs}, {_hash(chip)}"], EQUAL


def _hash(chip: Chip) -> str:
    return f"hash {chip.hash()}"


def replay_chip(path: str, engine: str, threads: int) -> int:
    """0 when all is equal, 1 otherwise."""
    recording = open_chip_recording(path)
    chip = _chip(recording, engine, threads)
    try:
        said, status = played(path, recording, chip)
        if status == EQUAL and not chip.stands_at_stop() and not has_hash(chip, recording.hash):
            said, status = [differs_text(chip.cycle)], DIFFERENT
        print("\n".join(said))
    finally:
        chip.close()
    return status


def history_of_chip(
    path: str, engine: str, threads: int = 1, *, last: int | None = None
) -> tuple[Chip, ChipHistory, list[str]]:
    """Return the chip at the end of a recording, with its history, and how the replay went. With
    `last` the history has so many cycles at least, from where a host or a client has last changed
    something before them."""
    recording = open_chip_recording(path)
    if last is not None:
        recording.begin_at(max(recording.cycle - last, 0))
    chip = _chip(recording, engine, threads)
    try:
        history = begin_chip_history(chip)
        said, _ = played(path, recording, chip, history)
        history.suspend()
        said.append(f"cycles {history.first_cycle} to {history.last_cycle} can be gone back to")
    except BaseException:
        chip.close()
        raise
    return chip, history, said


def _chip(recording: ChipRecording, engine: str, threads: int) -> Chip:
    # Each tile would compile for itself, in a process of its own.
    engine = "compiled" if engine == "auto" else engine
    return recording.chip(engine=engine, threads=threads)
