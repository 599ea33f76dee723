# SPDX-License-Identifier: Apache-2.0
"""Random litmus programs: does one observed run say what exhaustive search says?

    python -m tests.core.race.random_races [PROGRAMS] [SEED]

Programs in which exhaustive search finds several outcomes have to be reported. The reverse holds
up to what cannot be seen at the end: a value that is overwritten, two writes of one value.
Semaphores and atomics are left out, because two requests to one are no race.
"""

from __future__ import annotations

import random
import sys
from contextlib import closing
from dataclasses import dataclass, field

from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import Litmus, LitmusError, parse
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.schedule import Schedule
from tests.core.race.observed import observe, races
from tests.ordering.random_litmus import MAX_OPERATIONS, OWN, SETTINGS, SHARED

MAX_STATES = 2_000
CORES = ("T0", "T1", "NC")
INSTRUCTIONS = (
    "SETDMAREG.Immediate result_half_reg=2, new_value=5",
    "ADDDMAREG.Reg result_reg=2, left_reg=1, right_reg=1",
    "RMWCIB0 mask=0xff, new_value=7, index4=190",
    "RDCFG result_reg=1, cfg_index=190",
    "WRCFG input_reg=1, cfg_index=190",
    "STALLWAIT block=B5, wait=C10",
    "STALLWAIT block=B7, wait=C10",
    "STALLWAIT block=B7, wait=C0",
    "STALLWAIT block=B5, wait=C12",
)
TTSYNC = ("sw 0, TTSYNC", "lw t0, TTSYNC", "use t0")
BETWEEN = ("fence", "nop", "use a0", "use a1")


def program(rng: random.Random, core: str, count: int) -> tuple[list[str], list[str]]:
    """Statements of a core, and the registers that it has loaded."""
    lines: list[str] = []
    loaded: list[str] = []
    places = SHARED * 2 + OWN[core]
    for number in range(count):
        if rng.randrange(3) == 0:
            lines.append(rng.choice(BETWEEN))
        value = number + 1 + 16 * CORES.index(core)
        kind = rng.choice("ssll" if core == "NC" else "sssllpppt")
        if kind == "p":
            lines.append(f"push {rng.choice(INSTRUCTIONS)}")
        elif kind == "s":
            lines.append(f"sw {value}, {rng.choice(places)}")
        elif kind == "l":
            lines.append(f"lw a{number}, {rng.choice(places)}")
            loaded.append(f"a{number}")
        else:
            lines += TTSYNC
    return lines, loaded


def draw(seed: int) -> Litmus:
    """The program of a seed."""
    rng = random.Random(seed)
    cores = rng.randint(1, 3)
    left = MAX_OPERATIONS[cores]
    lines = [f"litmus random {seed}", f"states {MAX_STATES}"]
    final = ["X", "X+4", "Y"]
    programs = []
    for core in CORES[:cores]:
        if setting := rng.choice(SETTINGS):
            lines.append(f"init {core}:{setting}")
        count = rng.randint(1, max(1, min(left - (cores - 1 - len(programs)), 5)))
        left -= count
        text, loaded = program(rng, core, count)
        programs.append((core, text))
        final += [f"{core}:{register}" for register in loaded]
        if core != "NC":
            final += [f"{core}:GPR[1]", f"{core}:GPR[2]", f"{core}:CFG[190]"]
    for core, text in programs:
        lines += [core, *text]
    lines += [f"final {' '.join(final)}", f"allowed {' '.join('0' for _ in final)}"]
    return parse("\n".join(lines))[0]


@dataclass
class Tally:
    """How many programs agree, and which do not."""

    agree: int = 0
    given_up: int = 0
    missed: list[int] = field(default_factory=list)  # several outcomes, and no report
    unseen: list[int] = field(default_factory=list)  # a report, and one outcome


def compare(plain: Tile, observed: Tile, seed: int, tally: Tally) -> None:
    """Explore and observe the program of a seed."""
    test = draw(seed)
    try:
        outcomes = len(explore(plain.prepare(test, Schedule.EXHAUSTIVE)).outcomes)
    except LitmusError:
        tally.given_up += 1
        return
    found = races(observe(observed, test)[0])
    if bool(found) is (outcomes > 1):
        tally.agree += 1
    elif found:
        tally.unseen.append(seed)
    else:
        tally.missed.append(seed)


def run(first: int, count: int) -> Tally:
    """Compare `count` programs."""
    tally = Tally()
    with (
        closing(Tile("compiled")) as plain,
        closing(Tile("compiled", observed=True)) as observed,
    ):
        for seed in range(first, first + count):
            compare(plain, observed, seed, tally)
    return tally


def main(arguments: list[str]) -> int:
    """Compare as many as the command line says."""
    count = int(arguments[0]) if arguments else 10_000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    tally = run(first, count)
    print(f"{tally.agree} agree, {tally.given_up} have too many states")
    print(f"{len(tally.unseen)} reports that no outcome shows: {tally.unseen[:20]}")
    print(f"{len(tally.missed)} missed: {tally.missed[:20]}")
    return 1 if tally.missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
