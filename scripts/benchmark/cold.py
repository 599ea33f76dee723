# SPDX-License-Identifier: Apache-2.0
"""The time a user waits on a new machine that is busy: nothing is compiled, nothing is kept, and as
many processes as there are processors compute beside it.

    scripts/bench cold                          of this checkout
    scripts/bench cold FOLDER FOLDER...         of these, in turn: checkouts with .venv in them, or
                                                environments with a wheel, NumPy and pytest
    --only NAME                                 of the commands with such a name alone
    --ttnn PYTHON                               a program of ttnn too, which that Python can import

Each command is started again and again with the same home, which is empty at first. The table has
how long the first start took, when the first start that is at full speed had ended, and how many
starts there were up to it. At full speed is what takes at most twice as long as the shortest start
that any of the folders has had.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "gdbstub" / "demo" / "programs"
LEAST, MOST, OF_WHEEL = 2, 60, 4  # starts
SECONDS = 100.0  # no further start after so many
HANGS = 900.0
OF_BEST = 2.0
BUILT = ("--dir", "build")
TILES = ("--tile", "0x21000=left.npy:bf16", "--tile", "0x31000=right.npy:bf16")
BUSY = "while True: pass"


@dataclass(frozen=True, slots=True)
class Command:
    """`arguments` of tensix-gdb, or of python, in a new project with its kernel built."""

    name: str
    arguments: tuple[str, ...]
    of_python: bool = False
    ends: tuple[int, ...] = (0, 1)  # exit statuses of a start that has done what it should


# The demo's harts never end: 100,000 cycles are seconds of the reference engine.
RUN = ("run", "--dir", str(DEMO), "--max-cycles")
COMMANDS = (
    Command("run of 100,000 cycles", (*RUN, "100000")),
    Command("run --races", ("run", *BUILT, *TILES, "--races")),
    Command("origin", ("origin", *BUILT, *TILES, "0x41006:2")),
    Command("pytest of a new project", ("-m", "pytest", "-q"), of_python=True),
    Command("run --check", ("run", *BUILT, *TILES, "--check", "memory,init")),
)
ADDITION = ROOT / "scripts" / "examples" / "ttnn" / "operations.py"


@dataclass(slots=True)
class Starts:
    """Seconds of each start, and when each had ended after the first one began."""

    seconds: list[float]
    ended: list[float]

    def row(self, best: float) -> tuple[str, str]:
        """The first start, and the first one at full speed."""
        fast = [at for at, taken in enumerate(self.seconds) if taken <= OF_BEST * best]
        full = (
            f"{self.ended[fast[0]]:.1f} s (start {fast[0] + 1})"
            if fast
            else (f"not in {self.ended[-1]:.0f} s ({len(self.seconds)} starts)")
        )
        return f"{self.seconds[0]:.1f} s", full


def main() -> int:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench cold",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("folders", nargs="*", metavar="FOLDER", type=Path, default=[ROOT])
    parser.add_argument("--only", default="", metavar="NAME")
    parser.add_argument("--ttnn", metavar="PYTHON")
    options = parser.parse_args()
    commands = [*COMMANDS]
    if options.ttnn:
        ttnn = ("ttnn", "--python", options.ttnn, "--", str(ADDITION), "add")
        commands.append(Command("ttnn, one addition", ttnn, ends=(0,)))
    commands = [each for each in commands if options.only in each.name]
    tools = [_tools(folder) for folder in options.folders]
    found: dict[Command, list[Starts]] = {}
    with _busy():
        for command in commands:
            best = 0.0  # of none yet
            for folder, each in zip(options.folders, tools, strict=True):
                found.setdefault(command, []).append(taken := starts(command, each, best))
                best = min(best or HANGS, *taken.seconds)
                told = " ".join(f"{seconds:.1f}" for seconds in taken.seconds)
                print(f"{folder}: {command.name}: {told}", file=sys.stderr, flush=True)
    print(f"load {os.getloadavg()[0]:.1f} at the end\n")
    print("|" + "".join(f" | {folder}, first start | at full speed" for folder in options.folders))
    print("|---" + "|--:|--:" * len(tools) + "|")
    for command, several in found.items():
        best = min(min(each.seconds) for each in several)
        cells = [cell for each in several for cell in each.row(best)]
        print(f"| {command.name} | " + " | ".join(cells) + " |")
    return 0


def _tools(folder: Path) -> Path:
    """Return the folder with the commands of a checkout or an environment."""
    for place in (folder / ".venv" / "bin", folder / "bin"):
        if (place / "tensix-gdb").exists():
            return place.resolve()
    raise SystemExit(f"scripts/bench cold: {folder} has no tensix-gdb in .venv/bin or bin")


@contextlib.contextmanager
def _busy() -> Iterator[None]:
    count = len(os.sched_getaffinity(0))
    spinning = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for each in spinning:
            each.kill()
            each.wait()


def starts(command: Command, tools: Path, best: float) -> Starts:
    """Start a command until it is as fast as it gets, or for SECONDS. What still compiles then
    ends by itself, since its cache is gone."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = {"PATH": f"{tools}:{os.defpath}", "HOME": home, "LC_ALL": "C.UTF-8"}
        project = _project(Path(home), tools, environment)
        first = tools / ("python" if command.of_python else "tensix-gdb")
        result, ships = Starts([], []), _ships(tools)
        began = time.monotonic()
        while len(result.seconds) < MOST and not _is_known(result, best, ships):
            start = time.monotonic()
            done = subprocess.run(
                [first, *command.arguments],
                cwd=project,
                env=environment,
                capture_output=True,
                text=True,
                timeout=HANGS,
                check=False,
            )
            if done.returncode not in command.ends:
                raise SystemExit(f"{command.name}: {done.stderr or done.stdout}")
            result.seconds.append(time.monotonic() - start)
            result.ended.append(time.monotonic() - began)
        return result


def _is_known(found: Starts, best: float, ships: bool) -> bool:
    """True if the last start was as fast as that of another folder, or much faster than one before
    it; if it has taken too long; and soon where nothing has to be compiled."""
    if len(found.seconds) < LEAST:
        return False
    fast = max(OF_BEST * best, max(found.seconds) / OF_BEST)
    return (
        found.seconds[-1] < fast
        or found.ended[-1] > SECONDS
        or (ships and len(found.seconds) >= OF_WHEEL)
    )


def _ships(tools: Path) -> bool:
    """True if machine code came with the package."""
    code = "from tensix_gdb.core.engine.shipped import FOLDER; print(*FOLDER.glob('*-run'))"
    done = subprocess.run([tools / "python", "-c", code], capture_output=True, check=True)
    return bool(done.stdout.strip())


def _project(home: Path, tools: Path, environment: dict[str, str]) -> Path:
    for arguments in (["new", "mine"], ["build", "add.c"]):
        where = home if arguments[0] == "new" else home / "mine"
        subprocess.run(
            [tools / "tensix-gdb", *arguments],
            cwd=where,
            env=environment,
            capture_output=True,
            check=True,
        )
    return home / "mine"


if __name__ == "__main__":
    raise SystemExit(main())
