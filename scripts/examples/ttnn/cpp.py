# SPDX-License-Identifier: Apache-2.0
"""tt-metal's programming_examples in C++ on the emulated chip: built, run, and how each ends.

python -m scripts.examples.ttnn.cpp TT_METAL --python PYTHON [--arch wormhole] [--tiles WxH]
    [--dispatch slow,fast] [--build DIR] [--include DIR ...] [NAME ...]

TT_METAL is a checkout of tt-metal, or a folder with its tt_metal/programming_examples; PYTHON has
ttnn; DIR of `--include` has what its wheel has not, the real fmt of 11 or newer. Without names, all
examples but those of distributed, profiler and tests. What an example says is its last line. Exit
status 1 if one does not compile or ends otherwise than with 0.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.ttnntools.headers import options as options_of_compiler
from tensix_gdb.core.isa.architecture import DIALECTS
from tensix_gdb.gdbstub.host.ttnn.environment import FAST, SLOW

EXAMPLES = Path("tt_metal/programming_examples")
LEFT_OUT = {"distributed", "profiler", "tests", "kernels"}
COMMON = ("matmul", "matmul/matmul_common")  # their headers are included by both
SECONDS = 900
NOISE = re.compile(
    r"^\d{4}-\d\d-\d\d |^tensix-gdb: the \d+ tiles are at port|^ --- "
)  # logs, frames
REFUSED = re.compile(r"^(TT_FATAL|TT_THROW|info:|what\(\):|terminate called|.*[Ff]ailed)")


def sources(checkout: Path, names: list[str]) -> Iterator[Path]:
    """Find the hosts of the examples: a file with its folder's name."""
    for path in sorted((checkout / EXAMPLES).rglob("*.cpp")):
        inside = path.relative_to(checkout / EXAMPLES)
        if names and path.stem not in names:
            continue
        if path.stem == path.parent.name.lower() and not (LEFT_OUT & set(inside.parts)):
            yield path


def build(source: Path, checkout: Path, folder: Path, python: str, include: list[Path]) -> str:
    """Compile a host; return what the compiler said if it failed."""
    prefix = '-DOVERRIDE_KERNEL_PREFIX="tt_metal/programming_examples/"'
    folders = [*include, *(checkout / EXAMPLES / name for name in COMMON)]
    command = ["g++", "-w", "-O1", "-DFMT_HEADER_ONLY", prefix, *(f"-I{each}" for each in folders)]
    command += [str(source), "-o", str(folder / source.stem), *options_of_compiler(python)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "error" in line]
    return "" if done.returncode == 0 else said[0].strip() if said else "does not compile"


def run(program: Path, checkout: Path, words: list[str]) -> tuple[int | None, str]:
    """Run one; return its status, None if it took too long, and its last line."""
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--ci", "--port", "0", *words]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        try:
            status = subprocess.run(
                [*command, "--", str(program)],
                cwd=checkout,
                stdout=said,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return None, f"not at its end after {SECONDS} s"
        said.seek(0)
        return status, last_line(said.read(), status)


def last_line(text: str, status: int) -> str:
    """Return the last line that the example itself has written, or why tt-metal refused it."""
    lines = [line.strip() for line in text.splitlines() if not NOISE.match(line)]
    lines = [line for line in lines if any(map(str.isalnum, line))]
    if status:
        for at, line in enumerate(lines):
            if line.startswith("info:") and at + 1 < len(lines):
                return lines[at + 1]
        refused = [line for line in lines if REFUSED.match(line)]
        lines = refused or lines
    return lines[-1] if lines else "says nothing"


def main(words: list[str]) -> int:
    """Build and run them, and print a row of a table for each."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.cpp")
    parser.add_argument("checkout", type=Path, metavar="TT_METAL")
    parser.add_argument("--python", required=True, help="a Python with ttnn")
    parser.add_argument("--arch", choices=DIALECTS, default="blackhole", help="the chip")
    parser.add_argument("--tiles", default="8x8", metavar="WxH", help="the grid (default: 8x8)")
    parser.add_argument("--dispatch", default=SLOW, help=f"{SLOW}, {FAST}, or both with a comma")
    parser.add_argument("--include", type=Path, action="append", default=[], metavar="DIR")
    parser.add_argument("--build", type=Path, help="keep the programs here")
    parser.add_argument("names", nargs="*", help="examples (default: all)")
    options = parser.parse_intermixed_args(words)
    checkout = options.checkout.resolve()
    found = list(sources(checkout, options.names))
    if not found:
        parser.error(f"{checkout / EXAMPLES}: there are no such examples")
    dispatches = options.dispatch.split(",")
    wrong = 0
    print(f"| example | {' | '.join(dispatches)} |\n|---|{'---|' * len(dispatches)}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.build or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for source in found:
            if problem := build(source, checkout, folder, options.python, options.include):
                print(f"| `{source.stem}` | {problem} |{' |' * (len(dispatches) - 1)}", flush=True)
                wrong += 1
                continue
            cells = []
            for dispatch in dispatches:
                how = ["--python", options.python, "--arch", options.arch]
                how += ["--tiles", options.tiles, "--dispatch", dispatch]
                status, said = run(folder / source.stem, checkout, how)
                wrong += status != 0
                cells.append(said.replace("|", "\\|") + (f" (exit {status})" if status else ""))
            print(f"| `{source.stem}` | {' | '.join(cells)} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
