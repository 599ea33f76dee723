# SPDX-License-Identifier: Apache-2.0
"""Reports of races and checks in right operations of ttnn, each of which has to be judged.

python -m scripts.examples.ttnn.alarms --python PYTHON [--tiles WxH] [--json FILE] [NAME ...]

Runs operations of the catalogue (`catalogue/`), each in a program of its own, with `--races --check
all`, and prints a row for each: how many reports of which word it has. After the table come the
different ones: word, place, and the two lines. Exit status 1 if an operation is not right. FILE is
for `python -m scripts.examples.ttnn.judged`, which has a verdict for each kind.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

INSIDE = Path(__file__).resolve().parent / "catalogue" / "inside.py"
SECONDS = 300
# One of each kind: elementwise, reductions, data movement, matrix products, whole layers.
NAMES = (
    *("add", "multiply", "exp", "gelu", "relu", "sqrt", "sigmoid", "where"),
    *("sum", "mean", "max", "argmax", "softmax", "layer_norm", "rms_norm"),
    *("transpose", "permute", "reshape", "concat", "slice", "pad", "clone", "typecast"),
    *("matmul", "linear", "embedding", "tilize", "untilize", "to_memory_config", "repeat"),
)


def reports(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Yield the reports of all runs of an operation that count."""
    for path in sorted(folder.glob(f"{name}*.json")):
        for report in json.loads(path.read_text("utf-8"))["races"]:
            if not report["suppressed"]:
                yield report


def word(report: dict[str, Any]) -> str:
    """Return the first word of a report: RACE, SAMPLING, U1."""
    return str(report["text"].split(maxsplit=1)[0])


def key(report: dict[str, Any]) -> str:
    """Return what reports of different tiles and runs have in common: word, place, both sides."""
    sides = "; ".join(_line(report[side]) for side in ("earlier", "later"))
    return f"{word(report)} {report['place']['name']}: {sides}"


def identity(report: dict[str, Any]) -> dict[str, str]:
    """Return what a verdict is about."""
    sides = {side: _steps(report[side]) for side in ("earlier", "later")}
    return {"word": word(report), "place": report["place"]["name"], **sides}


def _steps(side: dict[str, Any]) -> str:
    """`NC sw FUNCTION file.h:1 < FUNCTION file.cc:2`: the agent, the instruction and all calls."""
    steps = [
        f"{step['function']} {Path(step['file']).name}:{step['line']}" for step in side["chain"]
    ]
    return f"{side['agent']} {side['instruction']} {' < '.join(steps)}".rstrip()


def known(python: str) -> set[str]:
    """Return the names of the catalogue."""
    command = [python, str(INSIDE), "names"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def _line(side: dict[str, Any]) -> str:
    steps = [f"{Path(step['file']).name}:{step['line']}" for step in side["chain"]]
    return f"{side['agent']} {side['instruction']} at {' in '.join(steps[:1] + steps[-1:])}"


def run(name: str, python: str, tiles: str, folder: Path) -> bool:
    """Run an operation; True if its result is right."""
    lines = folder / f"{name}.lines"
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--ci", "--port", "0"]
    command += ["--tiles", tiles, "--races", "--check", "all"]
    command += ["--races-to", str(folder / f"{name}.json"), "--python", python, "--"]
    command += [str(INSIDE), str(lines), str(folder), name]
    try:
        subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    if not lines.exists():
        return False
    said = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    return any(entry.get("right") for entry in said)


def main() -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="alarms", description=__doc__.split("\n\n")[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--tiles", default="2x2")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all reports, to be judged")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    names = arguments.names or NAMES
    if unknown := sorted(set(names) - known(arguments.python)):
        print(f"alarms: the catalogue has no {', '.join(unknown)}", file=sys.stderr)
        return 2
    kept: list[dict[str, Any]] = []
    different: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong = 0
    print("| operation | right | reports |\n|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory(prefix="alarms-") as temporary:
        folder = Path(temporary)
        for name in names:
            is_right = run(name, arguments.python, arguments.tiles, folder)
            wrong += not is_right
            found = list(reports(folder, name))
            words = Counter(map(word, found))
            total += words
            different.update(map(key, found))
            kept += [{"operation": name, **identity(one)} for one in found]
            text = ", ".join(f"{count} {each}" for each, count in sorted(words.items()))
            print(f"| {name} | {'yes' if is_right else 'no'} | {text or 'none'} |", flush=True)
    if arguments.json is not None:
        said = {"operations": list(names), "tiles": arguments.tiles, "reports": kept}
        arguments.json.write_text(json.dumps(said, indent=1), "utf-8")
    print("\n" + ", ".join(f"{count} {each}" for each, count in sorted(total.items())))
    for text, count in different.most_common():
        print(f"{count:5} {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
