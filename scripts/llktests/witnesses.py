# SPDX-License-Identifier: Apache-2.0
"""The other order of each report in kernels that were kept: `scripts/llk witness DIR`.

DIR is that of `scripts/llk --keep DIR`. From what it began with (beginning.py) each kernel runs
once in `latency`, observed. Then it runs again for each kind of report, with the earlier access
held until the later one is over (gdbstub/order/report/witness.py), and from there to its end: has
it the same result? Of a kind that several kernels of a file have, the first with a witness is
enough, or two without one. The suite's host only waits meanwhile, so a deadlock is one
(beginning.py).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scripts.llktests.beginning import LATENCY, Beginning
from tensix_gdb.gdbstub.order.report.as_json import document_of
from tensix_gdb.gdbstub.order.report.holding import ToCycle
from tensix_gdb.gdbstub.order.report.known import Judged
from tensix_gdb.gdbstub.order.report.located import Located, located
from tensix_gdb.gdbstub.order.report.witness import NotAgain, Outcome, from_here, witness
from tensix_gdb.gdbstub.order.report.witness_text import witness_lines

LONGEST = 20_000_000  # cycles that a kernel may take
SAME, OTHER, NO_END = "same", "other", "no end"
TRIES = 2  # of a kind of report, if none has a witness
ENOUGH = (Outcome.POSSIBLE.value, Outcome.SEEN.value)


@dataclass(frozen=True, slots=True)
class Tried:
    """One report of one kernel, and what came of holding its earlier access."""

    file: str
    run: str
    report: dict[str, Any]  # as in a file of --races-to
    outcome: str
    reason: str  # of none
    text: str
    result: str = ""  # of the kernel in that execution
    end: str = ""  # why it has none


def tried(core: Path, without: Counter[str]) -> Iterator[Tried]:
    """Try each kind of report of a kernel. `without` counts the tries of each that had no witness,
    and is TRIES for one that needs no other."""
    with closing(Beginning(core)) as beginning:
        machine, ways = beginning.machine, list[ToCycle]()

        def begun(_: object) -> None:
            ways.append(from_here(machine))
            machine.observe_races(checks=())

        usual = beginning.run(LATENCY, poisoned=False, begun=begun, most=LONGEST)
        reports = located(machine.races(), machine.places)
        for one in reports:
            if without[one.identity] >= TRIES:
                continue
            found = _tried(beginning, one, ways[0], core, usual.result)
            without[one.identity] += TRIES if found.outcome in ENOUGH else 1
            yield found


def _tried(
    beginning: Beginning, one: Located, to_cycle: ToCycle, core: Path, usual: bytes
) -> Tried:
    machine = beginning.machine
    file, run = core.parent.name, core.stem
    document = document_of(Judged(one, None, False))
    machine.host.is_present = False
    try:
        found = witness(machine, one, to_cycle)
    except NotAgain as problem:
        return Tried(file, run, document, Outcome.UNKNOWN.value, str(problem), "")
    finally:
        machine.host.is_present = True
    text = "\n".join(witness_lines(found))
    if found.outcome is not Outcome.POSSIBLE:
        return Tried(file, run, document, found.outcome.value, found.reason, text)
    ran = beginning.resume(LONGEST)
    result = NO_END if ran.why else SAME if ran.result == usual else OTHER
    return Tried(file, run, document, found.outcome.value, "", text, result, ran.why)


def main(argv: Sequence[str] | None = None) -> int:
    """Try what the command line says."""
    parser = argparse.ArgumentParser(prog="llk witness", description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("files", nargs="*", metavar="FILE", help="default: all that are there")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every try to OUT")
    arguments = parser.parse_args(argv)
    names = [f"{name}/" for name in arguments.files]
    cores = [
        core
        for core in sorted(arguments.folder.rglob("run-*.core"))
        if not names or any(name in str(core) for name in names)
    ]
    if not cores:
        print(f"llk witness: no kernel is kept in {arguments.folder}", file=sys.stderr)
        return 2
    found: list[Tried] = []
    without: dict[str, Counter[str]] = defaultdict(Counter)
    for core in cores:
        for one in tried(core, without[core.parent.name]):
            found.append(one)
            end = f"    Its end: {one.result} result. {one.end}".rstrip() if one.result else ""
            print("\n".join(filter(None, (f"{one.file} {one.run}", one.text, end))), flush=True)
        if arguments.json is not None:
            text = json.dumps([asdict(one) for one in found], indent=1) + "\n"
            arguments.json.write_text(text, encoding="utf-8")
    shown = sum(one.outcome in ENOUGH for one in found)
    print(f"{len(cores)} kernels, {len(found)} tries, {shown} witnesses")
    return 0


if __name__ == "__main__":
    sys.exit(main())
