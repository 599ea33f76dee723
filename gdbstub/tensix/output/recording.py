# SPDX-License-Identifier: Apache-2.0
"""`--record-to FILE`, and `replay FILE` of what it has written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.history import MachineHistory, begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.recording.file import (
    Recording,
    RecordingError,
    is_recording,
    read_recording,
    write_recording,
)
from tensix_gdb.core.recording.replay import Replay
from tensix_gdb.gdbstub.tensix.output.output_file import binary_output
from tensix_gdb.gdbstub.tensix.output.progress import progress
from tensix_gdb.gdbstub.tensix.tiles.inputs import inputs_in, keep_inputs, name_inputs
from tensix_gdb.gdbstub.usage import UsageError

__all__ = ["history_of", "is_recording", "recorded", "recording_lines", "replay_recording"]
EQUAL, DIFFERENT = 0, 1
MAX_CYCLES = 1 << 62
# What says the end of a run: from its exit status, more lines and another status.
Ending = Callable[[int], tuple[list[str], int]]


def own_version() -> str:
    """Return that of this program."""
    # Takes long to be loaded, and only recordings want it.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("tensix-gdb")
    except PackageNotFoundError:
        return "unknown"


@contextmanager
def recorded(machine: Machine, path: str | None) -> Iterator[list[str]]:
    """Record from now on, and write the file in the end. What is put into the list is said in the
    file: how the run has ended. A file that cannot be written is refused now."""
    ending: list[str] = []
    if path is None:
        yield ending
        return
    out = binary_output("--record-to", path)
    recorder = machine.start_recording()
    with out:
        try:
            yield ending
        finally:
            write_recording(out, recorder, machine, own_version(), "\n".join(ending))
    keep_inputs(machine, path)


def recording_lines(machine: Machine, path: str | None) -> list[str]:
    """Return the line about a recording at its end."""
    if path is None:
        return []
    return [f"recording {path}, cycle {machine.S.tile.cycle}, hash {machine.hash()}"]


def open_recording(path: str) -> Recording:
    """Return the recording in a file."""
    try:
        return read_recording(path, LAYOUT)
    except RecordingError as problem:
        raise UsageError(str(problem)) from None


def replayed(
    machine: Machine, recording: Recording, history: MachineHistory | None = None
) -> Replay:
    """Play all of it, or up to the first difference."""
    replay = Replay(recording, machine, history)
    try:
        with progress(MAX_CYCLES) as tell:
            for cycle in replay.play():
                machine.engine.poll()
                tell(cycle, "replaying")
    except EngineDefect as defect:
        raise UsageError(f"a defect of the emulator, please report it: {defect}") from None
    return replay


def replay_lines(path: str, recording: Recording, machine: Machine, replay: Replay) -> list[str]:
    """Return the lines about a replay."""
    said = [f"{path}: {recording.ending}".rstrip(": ")] if recording.ending else []
    count = len(recording.steps) - 1
    inputs = f"{count} input{'s' if count != 1 else ''}"
    if replay.difference is not None:
        other = own_version()
        made = f"; it was made by version {recording.version}" if recording.version != other else ""
        return [*said, f"{replay.difference}{made}"]
    return [
        *said,
        f"equal: {machine.S.tile.cycle} cycles with {inputs}, {replay.checks} checks on the way, "
        f"hash {recording.hash}",
    ]


def history_of(path: str, engine: str) -> tuple[Machine, MachineHistory, list[str]]:
    """Return the tile at the end of a recording, with its history, and how the replay went."""
    recording = open_recording(path)
    machine = recording.machine(engine)
    try:
        name_inputs(machine, inputs_in(path))
        history = begin_history(machine)
        replay = replayed(machine, recording, history)
        # Which threads were frozen is a matter of the history; what was armed, of the client.
        replay.disarm()
        said = replay_lines(path, recording, machine, replay)
        said.append(f"cycles {history.first_cycle} to {history.last_cycle} can be gone back to")
    except BaseException:
        machine.close()
        raise
    return machine, history, said


def replay_recording(
    path: str,
    engine: str,
    observed: Callable[[Machine], AbstractContextManager[Ending]],
) -> tuple[list[str], int, Sequence[Image]]:
    """Return what to print, 0 when all is equal, 1 otherwise, and the programs. `observed` looks at
    it, and adds lines to its end."""
    recording = open_recording(path)
    machine = recording.machine(engine)
    try:
        with observed(machine) as end:
            replay = replayed(machine, recording)
            said, status = end(EQUAL if replay.difference is None else DIFFERENT)
        return (
            [*replay_lines(path, recording, machine, replay), *said],
            status,
            tuple(machine.images),
        )
    finally:
        machine.close()
