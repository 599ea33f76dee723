# SPDX-License-Identifier: Apache-2.0
"""The execution of a program: a schedule, and what it draws from; as text and back.

    sc   latency[,links]
    random:SEED[,strict][,no-pauses][,delays=T0.store.3=37+T0.load.9=4][,pauses=none]

`links` gives links and channels of DRAM of a chip a capacity (core/links): packets wait for them.
`strict` does not keep the orders that no page grants and kernels rely on (ordering/promises.py).
`no-pauses` never stops a whole hart or thread (ordering/pauses.py). `delays=` and `pauses=` name
what is decided instead of the seed's decisions (core/decisions.py); `none` is nothing.
"""

from __future__ import annotations

import re

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.decisions import AFTER, MOST, NAMES, PAUSES
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule

LINKS, STRICT, NO_PAUSES = "links", "strict", "no-pauses"
DELAYS, PAUSED, NOTHING = "delays=", "pauses=", "none"
MAX_SEED = (1 << 32) - 1
NO_SEED = 0  # also without `random`, the L0 caches draw when they are flushed
LONGEST = 2000  # cycles of a delay or pause

_AFTER = "after"
_DECISION = re.compile(rf"([A-Za-z0-9.-]+)\.(\d{{1,10}})=(\d{{1,4}})({_AFTER})?")
_DELAYS = {name: agent for agent, name in enumerate(NAMES[:PAUSES])}
_PAUSES = {name: agent for agent, name in enumerate(NAMES[PAUSES:], PAUSES)}


@dataclass(frozen=True, slots=True, order=True)
class Decision:
    """The decision of an agent of core/decisions.py, with its number; `str` gives the text."""

    agent: int
    number: int
    value: int

    @property
    def is_pause(self) -> bool:
        """True if it is the pause of a hart or thread."""
        return self.agent >= PAUSES

    def __str__(self) -> str:
        after = _AFTER if self.value & AFTER else ""
        return f"{NAMES[self.agent]}.{self.number}={self.value & ~AFTER}{after}"


Decisions = tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Execution:
    """A schedule with its seed (of `random`) and its options; `str` gives the text. `delays` and
    `kept_pauses` are what is decided instead of the seed's decisions, None for these."""

    schedule: Schedule = Schedule.SC
    seed: int = DEFAULT_SEED
    strict: bool = False
    pauses: bool = True
    delays: Decisions | None = None
    kept_pauses: Decisions | None = None
    links: bool = False

    @classmethod
    def parse(cls, text: str) -> Execution:
        """Return what the text means; ValueError says in a sentence what is wrong with it."""
        name, *options = text.split(",")
        name, colon, seed = name.partition(":")
        if name not in _OPTIONS or bool(colon) != (name == "random"):
            raise ValueError(f"{text!r} is not a schedule")
        if colon and not (seed.isdecimal() and int(seed) <= MAX_SEED):
            raise ValueError(f"{seed!r} in {text!r} is not a seed")
        kept: dict[str, Decisions | None] = {DELAYS: None, PAUSED: None}
        for option in options:
            key = option[: option.find("=") + 1]
            if (key or option) not in _OPTIONS[name]:
                raise ValueError(f"{name} has no option {option!r}")
            if key:
                kept[key] = _decisions(key, option.removeprefix(key))
        return cls(
            Schedule[name.upper()],
            int(seed) if colon else NO_SEED,
            STRICT in options,
            NO_PAUSES not in options,
            kept[DELAYS],
            kept[PAUSED],
            LINKS in options,
        )

    def __str__(self) -> str:
        name = self.schedule.name.lower()
        if self.schedule is Schedule.RANDOM:
            name += f":{self.seed}"
        if self.links:
            name += f",{LINKS}"
        if self.strict:
            name += f",{STRICT}"
        if not self.pauses:
            name += f",{NO_PAUSES}"
        for key, plan in ((DELAYS, self.delays), (PAUSED, self.kept_pauses)):
            if plan is not None:
                name += f",{key}{'+'.join(map(str, plan)) or NOTHING}"
        return name


def _decisions(key: str, text: str) -> Decisions:
    """Return those of `T0.store.3=37+T0.load.9=4` or `none`, in the order of agents and numbers."""
    agents = _DELAYS if key == DELAYS else _PAUSES
    found: dict[tuple[int, int], Decision] = {}
    for piece in [] if text == NOTHING else text.split("+"):
        match = _DECISION.fullmatch(piece)
        agent = agents.get(match[1], -1) if match else -1
        value = int(match[3]) if match else 0
        is_late = bool(match and match[4])
        if match is None or agent < 0 or not 0 < value <= LONGEST or int(match[2]) >> 32:
            example = "T0.store.3=37" if key == DELAYS else "T0.12=400"
            raise ValueError(
                f"{key}{piece[:40]}: type what is decided, as in {example}, several with +, or "
                f"`none`; there are {', '.join(agents)}"
            )
        if is_late and agent < PAUSES + HARTS:
            raise ValueError(f"{key}{piece}: a pause of a hart has no `{_AFTER}`")
        one = Decision(agent, int(match[2]), value | (AFTER if is_late else 0))
        if found.setdefault((agent, one.number), one) != one:
            raise ValueError(f"{key}{piece}: that is decided twice")
    if len(found) > MOST:
        raise ValueError(f"{key} names {len(found):,} decisions, and {MOST:,} is the most")
    return tuple(sorted(found.values()))


_OPTIONS: dict[str, tuple[str, ...]] = {
    "sc": (),
    "latency": (LINKS,),
    "random": (STRICT, NO_PAUSES, DELAYS, PAUSED),
}
