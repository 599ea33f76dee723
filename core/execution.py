# SPDX-License-Identifier: Apache-2.0
"""Which execution of a program is run: a schedule, and what it draws from; as text and back.

    sc   latency   random:SEED[,strict][,no-pauses][,delays=41+97-99][,pauses=0]

`strict` does not keep the orders that no page grants and kernels rely on (ordering/promises.py).
`no-pauses` never stops a whole hart or thread (ordering/pauses.py). `delays=` and `pauses=` name
what is left of the seed's decisions, by their numbers in the run; `none` leaves nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tensix_gdb.core.schedule import DEFAULT_SEED, RANGES, Schedule

STRICT, NO_PAUSES = "strict", "no-pauses"
DELAYS, PAUSES = "delays=", "pauses="
MAX_SEED = (1 << 32) - 1
NO_SEED = 0  # also without `random`, the L0 caches draw when they are flushed
MOST_PAUSES = 32  # ranges of them

Ranges = tuple[tuple[int, int], ...]  # each from the first number up to the one after the last
_RANGE = re.compile(r"(\d{1,10})(?:-(\d{1,10}))?")


@dataclass(frozen=True, slots=True)
class Execution:
    """A schedule with its seed (of `random`) and its options; `str` gives the text. `delays` and
    `kept_pauses` are the decisions that are kept, None for all."""

    schedule: Schedule = Schedule.SC
    seed: int = DEFAULT_SEED
    strict: bool = False
    pauses: bool = True
    delays: Ranges | None = None
    kept_pauses: Ranges | None = None

    @classmethod
    def parse(cls, text: str) -> Execution:
        """Return what the text means; ValueError says in a sentence what is wrong with it."""
        name, *options = text.split(",")
        name, colon, seed = name.partition(":")
        if name not in _OPTIONS or bool(colon) != (name == "random"):
            raise ValueError(f"{text!r} is not a schedule")
        if colon and not (seed.isdecimal() and int(seed) <= MAX_SEED):
            raise ValueError(f"{seed!r} in {text!r} is not a seed")
        kept: dict[str, Ranges | None] = {DELAYS: None, PAUSES: None}
        for option in options:
            key = option[: option.find("=") + 1]
            if (key or option) not in _OPTIONS[name]:
                raise ValueError(f"{name} has no option {option!r}")
            if key:
                most = RANGES if key == DELAYS else MOST_PAUSES
                kept[key] = _ranges(option, option.removeprefix(key), most)
        return cls(
            Schedule[name.upper()],
            int(seed) if colon else NO_SEED,
            STRICT in options,
            NO_PAUSES not in options,
            kept[DELAYS],
            kept[PAUSES],
        )

    def __str__(self) -> str:
        name = self.schedule.name.lower()
        if self.schedule is Schedule.RANDOM:
            name += f":{self.seed}"
        if self.strict:
            name += f",{STRICT}"
        if not self.pauses:
            name += f",{NO_PAUSES}"
        for key, ranges in ((DELAYS, self.delays), (PAUSES, self.kept_pauses)):
            if ranges is not None:
                name += f",{key}{_text(ranges)}"
        return name


def _ranges(option: str, text: str, most: int) -> Ranges:
    """The ranges of `41+97-99` or `none`."""
    found: list[tuple[int, int]] = []
    for piece in [] if text == "none" else text.split("+"):
        match = _RANGE.fullmatch(piece)
        low = int(match[1]) if match else 0
        high = int(match[2] or low) + 1 if match else 0
        if not low < high <= MAX_SEED or (found and low < found[-1][1]):
            raise ValueError(
                f"{option!r} does not name numbers in rising order, as in 41+97-99, or `none`"
            )
        found.append((low, high))
    if len(found) > most:
        raise ValueError(f"{option[:20]!r}... names {len(found)} ranges, and {most} is the most")
    return tuple(found)


def _text(ranges: Ranges) -> str:
    named = (str(low) if low + 1 == high else f"{low}-{high - 1}" for low, high in ranges)
    return "+".join(named) or "none"


_OPTIONS: dict[str, tuple[str, ...]] = {
    "sc": (),
    "latency": (),
    "random": (STRICT, NO_PAUSES, DELAYS, PAUSES),
}
