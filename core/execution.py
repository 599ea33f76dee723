# SPDX-License-Identifier: Apache-2.0
"""Which execution of a program is run: a schedule, and what it draws from; as text and back.

    sc   latency   random:SEED[,strict][,no-pauses]

`strict` does not keep the orders that no page grants and kernels rely on (ordering/promises.py).
`no-pauses` never stops a whole hart or thread (ordering/pauses.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule

STRICT, NO_PAUSES = "strict", "no-pauses"
MAX_SEED = (1 << 32) - 1
NO_SEED = 0  # also without `random`, the L0 caches draw when they are flushed


@dataclass(frozen=True, slots=True)
class Execution:
    """A schedule with its seed (of `random`) and its options; `str` gives the text."""

    schedule: Schedule = Schedule.SC
    seed: int = DEFAULT_SEED
    strict: bool = False
    pauses: bool = True

    @classmethod
    def parse(cls, text: str) -> Execution:
        """Return what the text means; ValueError says in a sentence what is wrong with it."""
        name, *options = text.split(",")
        name, colon, seed = name.partition(":")
        if name not in _OPTIONS or bool(colon) != (name == "random"):
            raise ValueError(f"{text!r} is not a schedule")
        if colon and not (seed.isdecimal() and int(seed) <= MAX_SEED):
            raise ValueError(f"{seed!r} in {text!r} is not a seed")
        for option in options:
            if option not in _OPTIONS[name]:
                raise ValueError(f"{name} has no option {option!r}")
        return cls(
            Schedule[name.upper()],
            int(seed) if colon else NO_SEED,
            STRICT in options,
            NO_PAUSES not in options,
        )

    def __str__(self) -> str:
        name = self.schedule.name.lower()
        if self.schedule is Schedule.RANDOM:
            name += f":{self.seed}"
        if self.strict:
            name += f",{STRICT}"
        return name if self.pauses else f"{name},{NO_PAUSES}"


_OPTIONS: dict[str, tuple[str, ...]] = {
    "sc": (),
    "latency": (),
    "random": (STRICT, NO_PAUSES),
}
