# SPDX-License-Identifier: Apache-2.0
"""The kernels of LLK's tests, each once, and a test for each: of 222,680 tests on Blackhole most
differ in what a kernel is given when it runs.

The suite says which it would compile, and compiles none (gdbstub/llk/inside/
tensix_gdb_llk_kernels.py). What it says of a file is kept beside the ledger, so a run that is
continued does not ask again.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tensix_gdb.gdbstub.llk.running import Choice, environment_of, last_error
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite

PLUGIN = "tensix_gdb_llk_kernels"
MOST_KERNELS = 100  # of a file at a time: their ELF files are there until the piece has ended


@dataclass(frozen=True, slots=True)
class KernelsOf:
    """A file of the suite: the tests that stand for its kernels, one for each; how many tests have
    ended before they had one (the suite skips them); and how many differ in more than what a
    kernel is given."""

    file: str
    tests: Sequence[str]
    without: int
    asked: int


def kernels_of(suite: Suite, choice: Choice, name: str) -> KernelsOf:
    """Ask the suite. CannotPrepare if it says nothing."""
    with tempfile.TemporaryDirectory(prefix="llk-kernels-") as temporary:
        folder = Path(temporary)
        said = folder / "said"
        command = [str(suite.python), "-m", "pytest", "--compile-producer", "-p", PLUGIN]
        command += ["-p", "no:cacheprovider", "-q", name]
        environment = {**os.environ, **environment_of(suite, folder, choice.arch)}
        del environment["TT_METAL_SIMULATOR"]
        environment |= {"LLK_KERNELS": str(folder / "kernels"), "LLK_SEED": choice.seed}
        with said.open("w", encoding="utf-8") as log:
            subprocess.run(
                command, cwd=suite.tests, env=environment, stdout=log, stderr=log, check=False
            )
        if not (folder / "kernels").exists():
            raise CannotPrepare(f"{name}: {last_error(said).strip().splitlines()[-1]}")
        rows = json.loads((folder / "kernels").read_text(encoding="utf-8"))
    return _of_rows(name, rows)


def _of_rows(name: str, rows: Sequence[tuple[str, Sequence[str] | None]]) -> KernelsOf:
    """Each kernel once. A test with several kernels stands for those that no test before it has."""
    seen: set[str] = set()
    tests = []
    for test, kernels in rows:
        new = set(kernels or ()) - seen
        if new:
            tests.append(test)
            seen |= new
    return KernelsOf(name, tests, sum(not kernels for _, kernels in rows), len(rows))


class KernelList:
    """The answers of the suite, in FILE.kernels beside a ledger."""

    def __init__(self, ledger: Path) -> None:
        self.path = ledger.with_name(ledger.name + ".kernels")
        self.files = {row["file"]: KernelsOf(**row) for row in map(json.loads, _lines(self.path))}

    def add(self, of: KernelsOf) -> None:
        """One more file."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(of)) + "\n")
        self.files[of.file] = of

    @property
    def counts(self) -> dict[str, int]:
        """Count the kernels of each file."""
        return {name: len(of.tests) for name, of in self.files.items()}

    def wanted(self, names: Sequence[str], sample: int, seed: str) -> Mapping[str, Sequence[str]]:
        """Return the tests to run of each file, as many as a sample has, drawn from all kernels of
        these files alike."""
        every = [(name, test) for name in names for test in self.files[name].tests]
        found: dict[str, list[str]] = {}
        for name, test in random.Random(f"{seed} sample").sample(every, min(sample, len(every))):
            found.setdefault(name, []).append(test)
        return found


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file: without a last one that was not written to its end."""
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                yield line
