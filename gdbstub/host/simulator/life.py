# SPDX-License-Identifier: Apache-2.0
"""Whether a simulator has reports to write: it holds the lock of a file as long as it lives.

The host's process starts the simulator, and `tensix-gdb ttnn` cannot see this process of another
one. So it names a file. The system gives up the lock in any case. A simulator notes in the file
that the reports of all runs are written, which is after the host has gone. At which faults tiles
have stopped is in a file beside it, which another simulator of the same program continues.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from tensix_gdb.gdbstub.host.simulator.runs.found import FaultFound, Finds

REPORTED = "reported\n"


class Life:
    """The file, if there is to be one, that of faults, and that of all finds."""

    def __init__(
        self,
        file: TextIO | None,
        faults: Path | None = None,
        finds: Path | None = None,
        own: Path | None = None,
    ) -> None:
        self._file, self._faults, self.finds = file, faults, Finds(finds)
        # The folder for the run that fails: of the command that has started the host, or `own`.
        self.folder = self.finds.folder or (faults.parent if faults is not None else own)
        self._own, self._host = own, host_words() if own is not None else []

    def keep_failed(self) -> list[str]:
        """The host has gone while tiles ran: keep the run that has failed, if no command does;
        return what there is to say."""
        if self._own is None:
            return []
        from tensix_gdb.gdbstub.host.simulator.runs.in_cache import keep_run

        return keep_run(self._own, self._host).lines()

    def fault(self, text: str) -> None:
        """Note the sentence about a fault at which tiles have stopped. It has been said: where it
        cannot be written, on a full disk, the simulator continues."""
        self.finds.note(FaultFound(text))
        if self._faults is not None:
            with (
                contextlib.suppress(OSError),
                self._faults.open("a", encoding="utf-8", errors="backslashreplace") as file,
            ):
                file.write(f"{text}\n")

    def reported(self) -> None:
        """Note that no run has a report to come."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # nothing is kept, to be refused again at the end
                os.write(self._file.fileno(), REPORTED.encode("ascii"))


@contextlib.contextmanager
def living(path: Path | None, finds: Path | None = None) -> Iterator[Life]:
    """Hold the lock of the file meanwhile, if there is to be one."""
    if path is None and finds is None:
        with tempfile.TemporaryDirectory(prefix="tensix-gdb-run-") as name:
            yield Life(None, own=Path(name))
        return
    if path is None:
        yield Life(None, finds=finds)
        return
    with path.open("w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield Life(file, _faults(path), finds)


def has_reports(path: Path) -> bool:
    """True if there is a simulator with this file that may have reports to write."""
    return _notes(path) == "" and _is_held(path)


def faults_of(path: Path) -> list[str]:
    """Return the sentences about faults of the simulators that had this file."""
    try:
        return _faults(path).read_text(encoding="utf-8").splitlines()
    except OSError:  # there was none
        return []


def _faults(path: Path) -> Path:
    return path.with_name(f"{path.name}.faults")


def _notes(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii")
    except OSError:  # not there yet
        return None


def _is_held(path: Path) -> bool:
    try:
        with path.open(encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except OSError:
        return True


def host_words() -> list[str]:
    """Return the words of the program that has started this process; none if they are not known."""
    try:
        line = Path(f"/proc/{os.getppid()}/cmdline").read_bytes()
    except OSError:
        return []
    return line.decode("utf-8", "replace").split("\0")
