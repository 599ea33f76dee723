# SPDX-License-Identifier: Apache-2.0
"""A GDB session that goes back from a wrong value to the store of another hart that caused it.

`python -m scripts.examples.tensix.back` types it into a real GDB and puts what it shows between
the marks in README.md.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from scripts.examples.readme import block, write_block
from scripts.examples.tensix.sessions import Session, run

BEGIN = "<!-- begin: back, made by `python -m scripts.examples.tensix.back` -->\n"
END = "<!-- end: back -->"
BACK = Session(
    "race",
    {"T0": ("HART=1",), "T1": ("HART=2",)},
    "",
    (
        "break wrong",
        "continue",
        "continue",
        "print sum",
        "watch *(unsigned *)0x16000",
        "reverse-continue",
        "backtrace",
        "reverse-continue",
        "reverse-continue",
    ),
    (
        "Old value = 0\nNew value = 204\n",
        "start () at ./race.c:",
        "publish (sum=sum@entry=204) at ./race.c:",
        "No more reverse-execution history.",
    ),
    options=("--record",),
)


def all_that_is_shown() -> str:
    """The session as Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        return f"```\n{run(BACK, BACK.elfs(Path(folder)))}\n```\n"


def in_readme() -> str:
    """What README.md has."""
    return block(BEGIN, END)


def main() -> None:
    """Write README.md."""
    write_block(BEGIN, END, all_that_is_shown())


if __name__ == "__main__":
    main()
