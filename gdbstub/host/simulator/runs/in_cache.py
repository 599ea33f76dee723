# SPDX-License-Identifier: Apache-2.0
"""The run of a program with ttnn that has failed, moved from its simulator's folder to the user's
cache, where `tensix-gdb replay` and `diagnose --kept` find it: one of each program.

The command that has started the program does it; without one, where the program has named the
library itself, its simulator, when it finds that the program is gone."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.kept import MOST_BYTES, MOST_RUNS, OPENS, keep_recording, runs_folder
from tensix_gdb.gdbstub.host.simulator.runs.failing import CORE, REC, reason_not_kept


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """The file of the run, of a tile a core file, of several a recording; else why there is none,
    if that is known."""

    path: Path | None = None
    why_not: str = ""

    def lines(self) -> list[str]:
        """Return what there is to say."""
        if self.path is None:
            return [f"the run is not kept: {self.why_not}"] if self.why_not else []
        if self.path.suffix != Path(CORE).suffix:
            return [OPENS]
        core = shlex.quote(str(self.path))
        return [OPENS, f"    `tensix-gdb diagnose --kept {core}` looks at it without its host"]


def keep_run(folder: Path, words: Sequence[str]) -> KeptRuns:
    """Keep the run that a simulator has written to a folder, for the program of these words."""
    runs = runs_folder()
    if runs is None:
        return KeptRuns()
    text = "\0".join([str(Path.cwd()), *words])
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    try:
        if (folder / REC).is_file():
            path = keep_recording(folder / REC, name)
            has = (folder / REC).stat().st_size / (1 << 20)
            more = f"its recording has {has:.1f} MiB, more than {MOST_BYTES >> 20}"
            return KeptRuns(path, "" if path is not None else more)
        if (folder / CORE).is_file():
            return KeptRuns(_kept_core(folder / CORE, runs / "ttnn", name))
    except OSError as problem:  # a cache that cannot be written is no reason to fail
        return KeptRuns(None, f"{runs}: {problem.strerror}")
    return KeptRuns(None, reason_not_kept(folder))


def _kept_core(core: Path, folder: Path, name: str) -> Path:
    """Copy a core file and what its host did to a folder, which has the last ones of them."""
    path = folder / f"{name}.core"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(core.with_suffix(".json"), path.with_suffix(".json"))
    shutil.copyfile(core, path)
    cores = sorted(folder.glob("*.core"), key=lambda each: each.stat().st_mtime_ns)
    for old in cores[:-MOST_RUNS]:
        old.unlink(missing_ok=True)
        old.with_suffix(".json").unlink(missing_ok=True)
    return path
