# SPDX-License-Identifier: Apache-2.0
"""A run that a simulator has kept, run again to where it stood, with its history: `replay`.

Its host is not there. What it has written while the kernels ran is not in the run; then the tile
comes to another state, which is said.
"""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.history import MachineHistory, begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.tensix.corefile.kept_run import KeptRun
from tensix_gdb.gdbstub.tensix.output.progress import progress
from tensix_gdb.gdbstub.usage import UsageError

SLICE_CYCLES = 1 << 16
MOST_CYCLES = 10_000_000  # of a run of which the end is not known
PASSED = (StopKind.EBREAK, StopKind.ECALL)  # the host's clock does not stop there


def is_kept_run(path: str) -> bool:
    """True if the file looks like the core file of one."""
    core = Path(path)
    return core.suffix == ".core" and core.with_suffix(".json").is_file()


@dataclass(frozen=True, slots=True)
class RunAgain:
    """The tile at the end of a run, with its history, and how it went. `is_equal` unless it is
    another run than the one that was kept; `expected` are values of `--expect`."""

    machine: Machine
    history: MachineHistory
    said: list[str]
    is_equal: bool
    expected: tuple[str, ...]


def history_of_kept(path: str, engine: str) -> RunAgain:
    """Run it; the caller closes the machine."""
    kept = KeptRun(Path(path), Path(path).with_suffix(".json"))
    machine = kept.as_it_was(engine)
    try:
        first = int(machine.S.tile.cycle)
        if kept.cycle and kept.cycle < first:
            raise UsageError(f"{path}: ends before its beginning")
        history = begin_history(machine)
        history.resume()
        stop = _run(machine, history, kept)
        history.suspend()
        is_equal, comparison = _comparison(machine, kept)
        said = [f"{path}: {_ending(machine, kept, first, stop)}", *comparison]
        said.append(f"cycles {history.first_cycle} to {history.last_cycle} can be gone back to")
    except BaseException:
        machine.close()
        raise
    return RunAgain(machine, history, said, is_equal, kept.expected)


def _run(machine: Machine, history: MachineHistory, kept: KeptRun) -> str:
    """Run to the end; return the sentence of the stop before it, if there is one."""
    end = kept.cycle or int(machine.S.tile.cycle) + MOST_CYCLES
    with progress(end) as tell:
        while (cycle := int(machine.S.tile.cycle)) < end:
            if not kept.cycle and kept.is_over(machine):
                break
            stop = machine.run(min(SLICE_CYCLES, end - cycle))
            history.add_checkpoint_if_due()
            machine.engine.poll()
            tell(int(machine.S.tile.cycle), "replaying")
            if stop is not None and stop.kind not in PASSED:
                return stop.text or "it stops there"
    return ""


def _ending(machine: Machine, kept: KeptRun, first: int, stop: str) -> str:
    cycles = int(machine.S.tile.cycle) - first
    if stop:
        return f"stops after {cycles} cycles: {stop}"
    if kept.has_ended:
        return f"its host has seen its end after {cycles} cycles"
    return f"its host waits, after {cycles} cycles"


def _comparison(machine: Machine, kept: KeptRun) -> tuple[bool, list[str]]:
    """Say whether the tile is as it was for the host, as far as that is known."""
    if kept.hash:
        if machine.hash() == kept.hash:
            return True, [f"equal: hash {kept.hash}"]
        return False, ["the tile is in another state than it was: its host has changed something"]
    size, wrong = kept.result(machine)
    if wrong:
        return False, [f"{wrong} of {size} bytes that its host has read are others"]
    return True, [f"equal: the {size} bytes that its host has read"] if size else []
