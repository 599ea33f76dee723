# SPDX-License-Identifier: Apache-2.0
"""The operations of ttnn on the emulated chip: right against torch, and equal to ttsim.

python -m scripts.examples.ttnn.catalogue --python PYTHON [--arch wormhole] [--tiles WxH]
    [--dispatch fast] [--ttsim DIR/libttsim.so] [--page FILE] [--keep DIR] [NAME ...]

PYTHON has ttnn and torch: `python3.12 -m venv DIR; DIR/bin/pip install ttnn torch`, 6 GB. What
faults or hangs ends its program; the next program has the rest. Exit status 1 if an operation is
wrong or stopped here.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.examples.ttnn.catalogue.page import page, summary, write_page
from scripts.examples.ttnn.catalogue.rows import Row, compared, read
from tensix_gdb.core.isa.architecture import DIALECTS
from tensix_gdb.gdbstub.host.ttnn.compiler import root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import (
    FAST,
    SLOW,
    cache_folder,
    environment,
    find_ttnn,
)

INSIDE = Path(__file__).resolve().with_name("inside.py")
SECONDS = 300  # an operation that takes longer hangs
FAULT = "tensix-gdb: "
# Said of a run without a fault, too:
PORT = re.compile(r"the (\d+ tiles are|tile is) at port \d+: ")
OF_TTSIM = re.compile(r"\[\d+\] [\d.]+ seconds \(.*\)")  # the last line of each run of it


class Runner:
    """Runs the operations on one simulator, in as few programs as they allow."""

    def __init__(self, command: list[str], variables: dict[str, str] | None, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.command, self.variables, self.folder = command, variables, folder
        self.lines, self.kept = folder / "lines", folder / "rows"

    def run(self, names: list[str]) -> list[Row]:
        """Return a row for each operation; for no names, for all. What the folder has from before
        does not run again, and what has run is added to it."""
        wanted = names or self.names()
        rows = [row for row in read(self.kept) if row.name in wanted]
        left = [name for name in wanted if name not in {row.name for row in rows}]
        while left:
            rows += (found := self._program(left))
            for row in found:
                print(f"{row.name}: {row.verdict} {row.stopped}".rstrip(), flush=True)
            left = left[len(found) :]
            with self.kept.open("a", encoding="utf-8") as out:
                out.writelines(row.line() for row in found)
        return sorted(rows, key=lambda row: wanted.index(row.name))

    def names(self) -> list[str]:
        """Return the names of the table."""
        done = subprocess.run(
            [self.command[-2], str(INSIDE), "names"], capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()[-1].split()

    def _program(self, names: list[str]) -> list[Row]:
        """Run one program, until it ends or an operation takes too long.

        A program that ends before its first operation ends the run: no other would come further.
        """
        self.lines.write_text("", "utf-8")
        command = [
            *self.command[:-2],
            *self.command[-1:],
            str(self.lines),
            str(self.folder),
            *names,
        ]
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
            with subprocess.Popen(
                command, env=self.variables, stdout=errors, stderr=errors
            ) as program:
                seen = -1
                while program.poll() is None:
                    try:
                        program.wait(SECONDS)
                    except subprocess.TimeoutExpired:
                        if seen == (seen := self.lines.stat().st_size):
                            program.terminate()
            errors.seek(0)
            why = last_words(errors.read())
        rows, begun = [], ""
        for line in self.lines.read_text("utf-8").splitlines():
            entry = json.loads(line)
            begun = entry.get("begins", "")
            if not begun:
                rows.append(Row(entry.pop("name"), entry))
        if begun:
            rows.append(Row(begun, {}, why))
        if not rows:
            sys.exit(f"catalogue: the program ended before its first operation: {why}")
        return rows


def last_words(text: str) -> str:
    """Return why a program ended: the fault that it has said, or else its last line."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not OF_TTSIM.fullmatch(line)]
    faults = [line.removeprefix(FAULT) for line in lines if line.startswith(FAULT)]
    faults = [line for line in faults if not PORT.match(line)]
    if faults:
        return faults[-1]
    others = [line for line in lines if not line.startswith(FAULT)]
    return others[-1] if others else "the program ended, or hung"


def main(words: list[str]) -> int:
    """Run the catalogue; 0 if all is right."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.catalogue", description=__doc__)
    parser.add_argument("--python", required=True, help="a Python with ttnn and torch")
    parser.add_argument("--tiles", default="1x1", metavar="WxH", help="the grid (default: 1x1)")
    parser.add_argument("--arch", choices=DIALECTS, default="blackhole", help="the chip")
    parser.add_argument(
        "--ttsim", type=Path, help="libttsim.so, with soc_descriptor.yaml beside it"
    )
    parser.add_argument("--page", type=Path, help="write names and reasons to this file")
    parser.add_argument("--dispatch", choices=(SLOW, FAST), default=SLOW, help="how it launches")
    parser.add_argument("--keep", type=Path, help="keep outputs here, and continue after them")
    parser.add_argument("names", nargs="*", help="operations (default: all)")
    options = parser.parse_args(words)
    if options.ttsim is not None:
        library = options.ttsim.resolve()
        for path in (library, library.with_name("soc_descriptor.yaml")):
            if not path.is_file():
                parser.error(f"{path}: there is no such file")
    with tempfile.TemporaryDirectory() as name:
        kept = options.keep or Path(name)
        ours = kept / f"{options.tiles}-{options.dispatch}"
        theirs = kept / f"ttsim-{options.tiles}"  # which launches by slow dispatch
        here = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--python", options.python]
        here += ["--ci", "--port", "0", "--tiles", options.tiles, "--arch", options.arch]
        here += ["--dispatch", options.dispatch, "--", options.python, str(INSIDE)]
        rows = Runner(here, None, ours).run(options.names)
        equal: dict[str, str] = {}
        others: list[Row] = []
        if options.ttsim is not None:
            arch = DIALECTS[options.arch].arch
            root = root_with_compiler(find_ttnn(options.python).folder, arch)
            variables = environment(library, cache_folder(), options.tiles, SLOW, root, arch)
            there = Runner([options.python, options.python, str(INSIDE)], variables, theirs)
            others = there.run([row.name for row in rows])
            equal = {row.name: compared(row.name, ours, theirs) for row in rows}
    if options.page is not None:
        write_page(options.page, page(rows, equal, others))
    print(summary(rows, equal), end="")
    return 0 if all(row.verdict in ("right", "refused") for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
