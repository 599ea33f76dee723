# SPDX-License-Identifier: Apache-2.0
"""The outputs of ttnn's operations here and on Tenstorrent's simulator, bit for bit.

python -m scripts.examples.ttnn.compare --ttsim DIR/libttsim.so [--tiles WxH] [--dispatch fast]
    [NAME ...]

The library is your own; a `soc_descriptor.yaml` has to be beside it, as its documentation says.
Each simulator runs the same program (values.py) with the same cache of kernels. On both, ttnn is
told the same grid: how it divides an operation among tiles can change the order of a sum.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.ttnntools.prepare import prepare
from tensix_gdb.gdbstub.host.ttnn.compiler import root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import (
    FAST,
    SLOW,
    cache_folder,
    environment,
    find_ttnn,
)

VALUES = Path(__file__).resolve().with_name("values.py")
SECONDS = 3600


def main(words: list[str]) -> int:
    """Run both and print a row for each operation; 0 if all outputs are equal."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.compare")
    parser.add_argument("--ttsim", type=Path, required=True, help="libttsim.so for Blackhole")
    parser.add_argument("--tiles", default="1x1", metavar="WxH", help="the grid (default: 1x1)")
    parser.add_argument("--dispatch", choices=(SLOW, FAST), default=SLOW)
    parser.add_argument("names", nargs="*", help="operations (default: all)")
    arguments = parser.parse_args(words)
    library = arguments.ttsim.resolve()
    for path in (library, library.with_name("soc_descriptor.yaml")):
        if not path.is_file():
            parser.error(f"{path}: there is no such file")
    python = str(prepare())
    with tempfile.TemporaryDirectory() as name:
        ours, theirs = Path(name, "ours"), Path(name, "ttsim")
        here = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--python", python]
        here += ["--tiles", arguments.tiles, "--dispatch", arguments.dispatch, "--port", "0"]
        _run([*here, "--", str(VALUES), str(ours), *arguments.names], None)
        root = root_with_compiler(find_ttnn(python).folder)
        variables = environment(library, cache_folder(), arguments.tiles, arguments.dispatch, root)
        _run([python, str(VALUES), str(theirs), *arguments.names], variables)
        return _compare(ours, theirs)


def _run(command: list[str], variables: dict[str, str] | None) -> None:
    subprocess.run(command, env=variables, timeout=SECONDS, check=False)


def _compare(ours: Path, theirs: Path) -> int:
    different = 0
    names = sorted({path.stem for folder in (ours, theirs) for path in folder.glob("*.bin")})
    for name in names:
        a, b = (folder / f"{name}.bin" for folder in (ours, theirs))
        if not (a.exists() and b.exists()):
            text = f"only {'here' if a.exists() else 'there'}"
        elif a.read_bytes() == b.read_bytes():
            text = "equal"
        else:
            text = _difference(a.read_bytes(), b.read_bytes())
        different += text != "equal"
        print(f"{name}: {text}", flush=True)
    return 1 if different or not names else 0


def _difference(a: bytes, b: bytes) -> str:
    words = [(a[i : i + 4], b[i : i + 4]) for i in range(0, max(len(a), len(b)), 4)]
    unequal = [number for number, (x, y) in enumerate(words) if x != y]
    first = unequal[0]
    x, y = (word[::-1].hex() for word in words[first])
    return f"{len(unequal)} of {len(words)} values differ, first number {first}: {x} and {y}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
