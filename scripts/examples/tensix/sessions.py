# SPDX-License-Identifier: Apache-2.0
"""Four programs with a mistake each, and the GDB sessions that find them.

`python -m scripts.examples.tensix.sessions` builds the programs, types the commands into a real GDB
and puts what it shows between the marks in the manual; `--keep DIR` leaves the ELF files there for
sessions of your own.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.programs.build import DEMO, ROOT, build

FOLDER = Path(__file__).resolve().parent
BLOCK = Generated(
    "coprocessor", "python -m scripts.examples.tensix.sessions", MANUAL / "coprocessor.md"
)
WIDTH = 100
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Session:
    """A program, what is typed, and what is said about it."""

    name: str
    harts: Mapping[str, tuple[str, ...]]  # with the macros that the program is built with
    about: str
    commands: Sequence[str]
    shows: Sequence[str]  # what a test looks for
    schedule: str = "latency"
    options: Sequence[str] = ()

    def elfs(self, folder: Path) -> dict[str, Path]:
        """Build it."""
        source = FOLDER / f"{self.name.partition('-')[0]}.c"
        return {
            hart: build(source, hart, folder / f"{self.name}-{hart.lower()}.elf", defines=macros)
            for hart, macros in self.harts.items()
        }


SESSIONS = (
    Session(
        "hang",
        {"T1": ("HART=2",), "T2": ("HART=3",)},
        "**It hangs.** T1 computes and tells T2 by a semaphore, for which T2 waits. When it is "
        "proved that nothing can move any more, the tile stops by itself, and says what each "
        "thread waits for. Semaphore 1 is 0 and 2 has everything: `compute` posts the wrong one.",
        (
            "continue",
            "tensix sem",
            "print $_tensix_sem(2)",
            "list compute",
        ),
        ("semaphore 1 is 0", "SEMWAIT", "hang.c:", "SEMPOST(S2)", "$1 = 4"),
    ),
    Session(
        "stale",
        {"T0": ()},
        "**A stale configuration word.** RDCFG has read 0, although the configuration holds what "
        "T0 has stored: when it passed, the store was still on its way. A STALLWAIT with block B7 "
        "and wait C10 between them would have held it. (The schedule is `random:2`: in `latency` "
        "this time all goes well.)",
        (
            "break wrong",
            "tensix trace on",
            "continue",
            "print/x seen",
            'print/x $_tensix_cfg("THCON_SEC0_REG3_Base_address")',
            "tensix trace last 3 passes|queue to Tensix configuration",
        ),
        ("$1 = 0x0", "$2 = 0x100", "RDCFG", "stale.c:18", "queue to Tensix configuration"),
        "random:2",
    ),
    Session(
        "gpr",
        {"T0": ()},
        "**A wrong GPR.** The second sum has bits of the first one. GPR 4 still has its high half; "
        "only its low half was written since.",
        (
            "break wrong",
            "tensix trace on",
            "continue",
            "print/x sums",
            "tensix gpr T0 4",
            "tensix trace last 5 passes",
        ),
        ("0x123040", "gpr T0 4 = 0x00123000", "G4_hi from gpr.c:", "G4_lo from gpr.c:"),
    ),
    Session(
        "flush",
        {"T0": ("HART=1",), "T1": ("HART=2",)},
        "**FLUSHDMA against STALLWAIT.** FLUSHDMA waits in the Scalar Unit, where it is in the way "
        "of every thread. Here T1 needs that unit before it gives back the bank that T0 waits for.",
        ("continue", "tensix why T1"),
        ("busy with FLUSHDMA of T0 unpack", "In a circle: T0 unpack waits for T1 math"),
    ),
    Session(
        "flush-cured",
        {"T0": ("HART=1", "CURE"), "T1": ("HART=2", "CURE")},
        "With a STALLWAIT of all block bits in its place T0 waits at its own gate, and both come "
        "to their ends.",
        ("continue", "tensix why"),
        ("Nothing to do: B, T2, NC, T0 unpack, T1 math, T2 pack.",),
    ),
)


def run(session: Session, elfs: Mapping[str, Path], schedule: str = "") -> str:
    """Type the commands into GDB; what appears, as a person sees it."""
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "gdb"]
    command += ["--schedule", schedule or session.schedule, *session.options]
    for hart, path in elfs.items():
        command += ["--elf", f"{hart.lower()}={path}"]
    command += [
        "--",
        "-nx",
        "-nh",
        "-batch",
        "-ex",
        "set width 0",
        "-ex",
        f"directory {FOLDER}:{DEMO}",
    ]
    command += ["-ex", "set trace-commands on"]
    for typed in session.commands:
        command += ["-ex", typed]
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    begin = done.stdout.find(f"+{session.commands[0]}\n")
    text = done.stdout[max(begin, 0) :]
    text = text.partition("[Inferior 1 (")[0].replace(f"{FOLDER}/", "")
    text = re.sub(r"^\+\+.*\n", "", text, flags=re.MULTILINE)  # what a command of ours types
    text = re.sub(r"^\+(continue|finish) \n", "", text, flags=re.MULTILINE)  # in reverse, GDB does
    return re.sub(r"^\+", "(gdb) ", text, flags=re.MULTILINE).replace("\n\n", "\n").strip("\n")


@dataclass(frozen=True, slots=True)
class SessionPage:
    """A session that the manual shows by itself."""

    session: Session
    block: Generated

    def shown(self) -> str:
        """The program built and looked at; as Markdown."""
        with tempfile.TemporaryDirectory() as folder:
            return f"```\n{run(self.session, self.session.elfs(Path(folder)))}\n```\n"

    def write(self) -> None:
        """Write the manual."""
        self.block.write(self.shown())


def page(shown: Mapping[str, str]) -> str:
    """All sessions as Markdown."""
    parts = []
    for session in SESSIONS:
        about = textwrap.fill(session.about, WIDTH, break_on_hyphens=False)
        parts.append(f"{about}\n\n```\n{shown[session.name]}\n```\n")
    return "\n".join(parts)


def all_sessions() -> dict[str, str]:
    """Every program built and looked at; what appeared, by name."""
    with tempfile.TemporaryDirectory() as folder:
        return {one.name: run(one, one.elfs(Path(folder))) for one in SESSIONS}


def main() -> int:
    """Write the manual, or keep the ELF files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", metavar="DIR", type=Path, help="build the programs into DIR")
    folder = parser.parse_args().keep
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for session in SESSIONS:
            for path in session.elfs(folder).values():
                print(path)
        return 0
    BLOCK.write(page(all_sessions()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
