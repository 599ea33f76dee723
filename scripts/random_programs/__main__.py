# SPDX-License-Identifier: Apache-2.0
"""Write random Tensix programs with the states before and after them, to compare with any oracle.

    python -m scripts.random_programs --count 100 > programs.jsonl

Each line is a program in JSON:

    seed, kind      the same seed makes the same line
    program         [thread, word, text] of each instruction, in the order of execution
    before, after   rows of the tile's record in hexadecimal, little-endian; `after` has those that
                    changed. core/machine/parts.py lists the rows, each is described where it is
                    declared.
    left_out        [text, fault] of drawn instructions that stop on this tile

`--check` also runs each program in `latency` and says which give another result there.
"""

from __future__ import annotations

import argparse
import json
import sys

from scripts.random_programs.draw import KINDS
from scripts.random_programs.run import Case, State, case, run
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule


def line(seed: int, found: Case) -> str:
    """A case as a line of JSON."""
    changed = {row: after for row, after in found.after.items() if after != found.before[row]}
    return json.dumps(
        {
            "seed": seed,
            "kind": found.program.kind,
            "program": [[thread, word, show(word)] for thread, word in found.program.words],
            "before": _hex(found.before),
            "after": _hex(changed),
            "left_out": [[show(word), why] for word, why in found.left_out],
        }
    )


def _hex(state: State) -> dict[str, str]:
    return {row: data.hex() for row, data in state.items()}


def main() -> int:
    """Write `--count` programs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--count", type=int, default=10, help="how many programs")
    parser.add_argument("--kind", choices=tuple(KINDS), default="", help="of one kind only")
    parser.add_argument("--check", action="store_true", help="compare with the schedule latency")
    options = parser.parse_args()
    machine = Machine(schedule=Schedule.SC)
    other = Machine(schedule=Schedule.LATENCY) if options.check else None
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        found = case(machine, seed, options.kind)
        print(line(seed, found))
        if other is None:
            continue
        late = run(other, found.before, found.program)
        if late.stopped or late.state != found.after:
            wrong += not late.stopped
            what = late.stopped or ", ".join(
                row for row in found.after if late.state[row] != found.after[row]
            )
            print(f"seed {seed} in latency: {what}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
