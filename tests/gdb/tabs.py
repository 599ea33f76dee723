# SPDX-License-Identifier: Apache-2.0
"""A recorder of TAB after `tensix`: what GDB asks our command for, and the line that it shows.

`python -m tests.gdb.tabs` writes tests/gdbstub/tabs/gdbN.json, where N is the version of Debian's
GDB or of TENSIX_TEST_GDB. Tests without that GDB ask the command the same.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.gdb.harness import ROOT, generation
from tests.gdb.openings import FIRST_ELF, GDB
from tests.gdbstub.cli.terminal import in_terminal

TABS = ROOT / "tests" / "gdbstub" / "inside" / "tabs"
# What is typed before TAB.
LINES = (
    *("tensix ", "tensix w", "tensix mu", "tensix step-l", "tensix help mu", "tensix nothing "),
    *("tensix src ", "tensix src --f", "tensix fifo T", "tensix gpr T1 6", "tensix sem 5"),
    *("tensix cfg THCON_SEC0_REG3_Base_c", "tensix  why  T2"),
)
PROMPT, ERASE, BELL = b"(gdb) ", b"\x15", b"\x07"  # ERASE is Ctrl-U
LISTEN = """
python
import json
from gdbstub.inside import commands
asked = []
class Listening(commands.Tensix):
    def complete(self, text, word):
        asked.append([text, word])
        return super().complete(text, word)
made = Listening()
end
"""


@dataclass(frozen=True, slots=True)
class Tab:
    """A typed line, the calls that TAB causes, as (text, word), and the line after TAB."""

    line: str
    asked: list[tuple[str, str | None]]
    shown: str


def press_tabs(gdb: str) -> list[Tab]:
    """Type each line and TAB into a GDB that is attached to a tile, in a terminal."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "listen.gdb"
        script.write_text(LISTEN, "ascii")
        arguments = ["gdb", "--gdb", gdb, "--elf", f"B={FIRST_ELF}", "--", "-nx", "-x", script]
        with in_terminal(arguments, TERM="dumb", COLUMNS="400") as terminal:
            terminal.wait_for(PROMPT)
            for line in LINES:
                terminal.type(line.encode("ascii") + b"\t#")
                shown = terminal.wait_for(b"#").replace(BELL, b"").decode("ascii")
                ask = b"python print('?' + json.dumps(asked) + '!'); asked.clear()\n"
                terminal.type(ERASE + ask)
                terminal.wait_for(b"?[")
                asked = json.loads(b"[" + terminal.wait_for(b"!"))
                terminal.wait_for(PROMPT)
                found.append(Tab(line, [(text, word) for text, word in asked], shown))
            terminal.type(b"set confirm off\nquit\n")
            terminal.wait_for_end()
    return found


def main() -> None:
    """Record this GDB."""
    from tests.tools import find_tool

    gdb = find_tool(GDB)
    path = TABS / f"{generation(gdb)}.json"
    rows = ",\n".join(json.dumps(asdict(tab)) for tab in press_tabs(gdb))
    path.write_text(f"[\n{rows}\n]\n", "ascii")
    print(path)


if __name__ == "__main__":
    main()
