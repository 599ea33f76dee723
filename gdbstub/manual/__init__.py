# SPDX-License-Identifier: Apache-2.0
"""The manual, a Markdown file for each chapter, and a search in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# In the order of `tensix-gdb manual`: first what a newcomer reads, last what is looked up.
TOPICS = (
    *("session", "programs", "threads", "processes", "coprocessor", "lanes", "faults"),
    *("time-travel", "recordings", "ordering", "measuring", "io", "firmware", "llk", "gdb"),
    *("instructions", "explanations", "commands", "monitor", "fault-codes", "packets"),
    *("record-harts", "record-devices", "record-control", "record-data", "speed"),
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
    """The file of a chapter."""
    return FOLDER / f"{topic}.md"


def text_of(topic: str) -> str:
    """A chapter's Markdown, without the marks of generated blocks."""
    return _COMMENT.sub("", path_of(topic).read_text("utf-8"))


def title_of(topic: str) -> str:
    """The chapter's heading."""
    match = _HEADING.search(text_of(topic))
    return match[1] if match else topic


def search(word: str) -> list[Hit]:
    """Every line of the manual that has `word`, upper or lower case."""
    hits = []
    for topic in TOPICS:
        heading = ""
        for line in text_of(topic).splitlines():
            if match := _HEADING.fullmatch(line):
                heading = match[1]
            if word.lower() in line.lower():
                hits.append(Hit(topic, heading, line.strip()))
    return hits
