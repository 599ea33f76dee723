# SPDX-License-Identifier: Apache-2.0
"""The manual, a Markdown file for each chapter, and a search in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.manual.meant import meant

FOLDER = Path(__file__).resolve().parent
# In the order of `tensix-gdb manual`: first what a newcomer reads, last what is looked up.
TOPICS = (
    *(
        "session",
        "kernel",
        "diagnose",
        "bugs",
        "programs",
        "tiles",
        "places",
        "origin",
        "wrong-numbers",
    ),
    *("testing", "random-kernels", "threads"),
    *("processes", "coprocessor", "lanes", "faults", "time-travel", "recordings", "share", "card"),
    *(
        "ordering",
        "races",
        "remedies",
        "patches",
        "witness",
        "seeds",
        "checks",
        "race-bugs",
        "llk-races",
    ),
    *(
        "state",
        "stages",
        "contract",
        "alarms",
        "pollution",
        "fuzz",
        "llk-checks",
        "llk-bugs",
        "llk-bugs-2026",
    ),
    *("pictures", "web", "measuring"),
    *(
        "time",
        "silicon",
        "tuning",
        "perf",
        "io",
        "firmware",
        "simulator",
        "ttnn",
        "hangs",
        "ttnn-cpp",
        "ttnn-operations",
        "ttnn-units",
        "ttnn-models",
        "chip",
        "chips",
        "llk",
        "llk-job",
        "llk-files",
        "llk-whole",
        "wormhole",
        "wormhole-chip",
        "wormhole-ttnn",
        "gdb",
        "vscode",
        "assistants",
    ),
    "units",
    *("instructions", "opcodes", "explanations", "configuration"),
    *("commands", "tools", "assembler", "monitor", "fault-codes"),
    *("packets", "registers", "disagree", "changes", "changes-before"),
    *("record-harts", "record-devices", "record-control", "record-data", "perf-counters", "speed"),
    "ttnn-speed",
)
# Chapters that have a line about everything.
LISTS = (
    *("instructions", "opcodes", "explanations", "configuration", "commands", "tools", "packets"),
    *(
        "changes",
        "changes-before",
        "record-harts",
        "record-devices",
        "record-control",
        "record-data",
    ),
    *("perf-counters", "llk-files"),
)
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"#+ (.+)")


@dataclass(frozen=True, slots=True)
class Hit:
    """A line of a chapter that has a word, under its heading."""

    topic: str
    heading: str
    line: str


def path_of(topic: str) -> Path:
    """Return the file of a chapter."""
    return FOLDER / f"{topic}.md"


def text_of(topic: str) -> str:
    """Return a chapter's Markdown, without the marks of generated blocks."""
    return _COMMENT.sub("", path_of(topic).read_text("utf-8"))


def title_of(topic: str) -> str:
    """Return the chapter's heading."""
    match = _HEADING.search(text_of(topic))
    return match[1] if match else topic


def search(text: str) -> list[Hit]:
    """Return every line of the manual that has `text`, upper or lower case; the best chapter first.
    If none has several words as typed: the lines that have each of them, below a heading that may
    have some."""
    wanted = text.lower()
    words = wanted.split()
    lines = list(_lines())
    hits = [hit for hit in lines if wanted in hit.line.lower()]
    if not hits and len(words) > 1:
        hits = [
            hit
            for hit in lines
            if any(word in hit.line.lower() for word in words)
            and all(word in f"{hit.heading} {hit.line}".lower() for word in words)
        ]
    return _best_first(wanted, hits)


def _best_first(wanted: str, hits: list[Hit]) -> list[Hit]:
    """Return the chapter that is about it first: by what the word means (meant.py), its name, its
    headings, how often it has the whole word. Chapters that are lists are last."""
    whole = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)", re.IGNORECASE)
    named = meant(wanted)[0]
    rank: dict[str, tuple[int, bool, bool, int, int]] = {}
    for topic in {hit.topic for hit in hits}:
        mine = [hit for hit in hits if hit.topic == topic]
        rank[topic] = (
            named.index(topic) if topic in named else len(named),
            topic in LISTS,
            not whole.search(f"{topic} {title_of(topic)}"),
            -len({hit.heading for hit in mine if whole.search(hit.heading)}),
            -sum(len(whole.findall(hit.line)) for hit in mine),
        )
    return sorted(hits, key=lambda hit: rank[hit.topic])


def _lines() -> Iterator[Hit]:
    for topic in TOPICS:
        heading = ""
        for line in text_of(topic).splitlines():
            if match := _HEADING.fullmatch(line):
                heading = match[1]
            yield Hit(topic, heading, line.strip())
