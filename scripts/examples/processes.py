# SPDX-License-Identifier: Apache-2.0
"""GDB sessions with each hart a process: all of them together, and one by one in non-stop mode.

`python -m scripts.examples.processes` types them into a real GDB, each command when the last one
has shown what it shows, and puts that between the marks in the manual.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.programs.build import DEMO, DEMO_PROGRAMS, ROOT

SECONDS = 60
QUIET = 0.3  # seconds without a word, after which GDB has heard of all stops so far
PROMPT = "(gdb) "
PAGE = MANUAL / "processes.md"


@dataclass(frozen=True, slots=True)
class Typed:
    """A command, and what has to appear before the next one is typed; the prompt otherwise."""

    command: str
    until: str = PROMPT


@dataclass(frozen=True, slots=True)
class Session:
    """The lines that are typed into `tensix-gdb gdb --processes`, and what a test looks for."""

    name: str
    typed: Sequence[Typed]
    shows: Sequence[str]
    early: Sequence[str] = ()  # before GDB attaches


TOGETHER = Session(
    "processes",
    (
        Typed("info inferiors"),
        Typed("break main"),
        Typed("continue"),
        Typed("continue"),
        Typed("print me"),
        Typed("inferior 1"),
        Typed("print me"),
        Typed("info threads"),
    ),
    (
        '$1 = {name = "T0',
        '$2 = {name = "B',
        'Thread 2.1 "T0" hit Breakpoint 1.2, main () at ./t0.c',
        "main. (4 locations)",
    ),
)
ONE_BY_ONE = Session(
    "non-stop",
    (
        Typed("continue &"),
        Typed("inferior 4"),
        Typed("continue &"),
        Typed("inferior 2"),
        Typed("tbreak publish"),
        Typed("continue"),
        Typed("info threads"),
        Typed("print pipeline.ring.written"),
        Typed("next"),
        Typed("tbreak heartbeat", "heartbeat () at"),
    ),
    ("(running)", "publish (sum=7)", "held by the debugger", 'Thread 1.1 "B" hit Temporary'),
    ("set non-stop on",),
)
SESSIONS = (TOGETHER, ONE_BY_ONE)


class Screen:
    """The text that GDB has shown so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.text = ""
        self._process = process
        self._heard = time.monotonic()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while character := self._process.stdout.read(1):
            self.text += character
            self._heard = time.monotonic()

    def wait(self, text: str, start: int = 0) -> None:
        """Until `text` has appeared behind `start`, and nothing more follows."""
        end = time.monotonic() + SECONDS
        while text not in self.text[start:] or time.monotonic() - self._heard < QUIET:
            if time.monotonic() > end or not self._reader.is_alive():
                raise TimeoutError(f"{text!r} does not appear:\n{self.text}")
            time.sleep(0.01)


def run(session: Session, schedule: str = "sc") -> str:
    """Type the commands; what appears, as a person sees it."""
    command = [
        sys.executable,
        "-m",
        "tensix_gdb.gdbstub",
        "gdb",
        "--processes",
        "--schedule",
        schedule,
    ]
    for hart, name in DEMO_PROGRAMS.items():
        command += ["--elf", f"{hart.lower()}={DEMO / name}.elf"]
    command += ["--", "-nx", "-nh", "-iex", "set width 0", "-iex", "set pagination off"]
    for early in ("set confirm off", *session.early):
        command += ["-iex", early]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdin is not None
        try:
            screen = Screen(process)
            screen.wait(PROMPT)
            start = 0
            for number, one in enumerate((Typed("set trace-commands on"), *session.typed)):
                at = len(screen.text)
                start = at if number == 1 else start
                process.stdin.write(f"{one.command}\n")
                process.stdin.flush()
                screen.wait(one.until, at)
            shown = screen.text[start:]
        finally:
            process.stdin.close()
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
    return as_seen(shown)


def as_seen(text: str) -> str:
    """With the commands behind their prompts, and nothing that differs from run to run."""
    text = re.sub(r"^\+\+.*\n", "", text.replace(PROMPT, ""), flags=re.MULTILINE)
    text = re.sub(r"^\+", PROMPT, text, flags=re.MULTILINE)
    text = re.sub(r"(127\.0\.0\.1):\d+", r"\1:45551", text.replace(f"{DEMO}/", ""))
    return re.sub(r" +$", "", re.sub(r"\n\n+", "\n", text), flags=re.MULTILINE).strip("\n")


def all_that_is_shown(session: Session) -> str:
    """The session as Markdown."""
    return f"```\n{run(session)}\n```\n"


def block(session: Session) -> Generated:
    """Return the place in the manual."""
    return Generated(session.name, "python -m scripts.examples.processes", PAGE)


def main() -> None:
    """Write the manual."""
    for session in SESSIONS:
        block(session).write(all_that_is_shown(session))


if __name__ == "__main__":
    main()
