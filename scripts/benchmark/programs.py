# SPDX-License-Identifier: Apache-2.0
"""The programs whose speed is measured, built for as many rounds as a measurement needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.programs import build

OPTIMIZE = "-O2"
# Programs on several harts at once share nothing but the cycle.
SHARED_BYTES = 0x20000
NAMES = ("alu", "memory", "call", "float")
# What a program needs besides what all emulators have.
ARCHES = {"float": build.FLOAT_ARCH}


@dataclass(frozen=True)
class Program:
    """One of tests/programs/bench_*.c, and how many instructions it executes."""

    name: str
    folder: Path
    counted: dict[int, int] = field(default_factory=dict)

    @property
    def source(self) -> Path:
        return build.PROGRAMS / f"bench_{self.name}.c"

    def for_hart(self, hart: str, rounds: int) -> Path:
        """The ELF for a hart of the tile."""
        out = self.folder / f"{self.name}-{hart}-{rounds}.elf"
        if not out.exists():
            number = list(build.PLACES).index(hart)
            build.build(
                self.source,
                hart,
                out,
                optimize=OPTIMIZE,
                arch=ARCHES.get(self.name, build.PLAIN_ARCH),
                defines=(f"ROUNDS={rounds}u",),
                shared_start=build.SHARED_START + number * SHARED_BYTES,
            )
        return out

    def for_linux(self, rounds: int) -> Path:
        """The same as a Linux program."""
        out = self.folder / f"{self.name}-linux-{rounds}.elf"
        if not out.exists():
            build.build_linux(
                self.source,
                out,
                optimize=OPTIMIZE,
                arch=ARCHES.get(self.name, build.PLAIN_ARCH),
                defines=(f"ROUNDS={rounds}u",),
            )
        return out

    def count(self, low: int, low_count: int, high: int, high_count: int) -> None:
        """Learn from two runs what a round costs: the loop's instructions do not depend on it."""
        self.counted[1] = (high_count - low_count) // (high - low)
        self.counted[0] = low_count - low * self.counted[1]

    def instructions(self, rounds: int) -> int:
        """Instructions executed in a run of so many rounds, start-up included."""
        return self.counted[0] + rounds * self.counted[1]

    def rounds_for(self, instructions: float) -> int:
        """Rounds that execute about so many instructions."""
        return max(1, round((instructions - self.counted[0]) / self.counted[1]))


@cache
def programs(folder: Path) -> tuple[Program, ...]:
    """All programs, built into a folder."""
    return tuple(Program(name, folder) for name in NAMES)
