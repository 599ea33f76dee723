# SPDX-License-Identifier: Apache-2.0
"""A GDB session that goes back from a wrong value to the store of another hart that caused it.

`python -m scripts.examples.tensix.back` types it into a real GDB and puts what it shows between
the marks in README.md.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from scripts.examples.tensix.sessions import README, Session, run

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
    return README.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    """Write README.md."""
    head, begin, rest = README.read_text("utf-8").partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"there is no {BEGIN.strip()} with {END} behind it")
    README.write_text(f"{head}{BEGIN}{all_that_is_shown()}{END}{tail}", "utf-8")


if __name__ == "__main__":
    main()
