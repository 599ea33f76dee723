# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb manual`: list the chapters, show one in the terminal's pager, or search them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from difflib import get_close_matches

from tensix_gdb.gdbstub.cli.options.manual import ManualOptions
from tensix_gdb.gdbstub.cli.terminal.width import say, width_of_output, width_of_terminal
from tensix_gdb.gdbstub.manual import TOPICS, Hit, search, text_of, title_of
from tensix_gdb.gdbstub.usage import UsageError

MAX_HITS = 60
MAX_LINE = 100  # characters of a hit, in a terminal as many as it has
INDENT, MORE = "    ", "..."
PACKET_NAME = 2  # characters


def manual(options: ManualOptions) -> int:
    """Show the topic that the argument names, or what is known by that word."""
    wanted = " ".join(options.topic)
    if not wanted:
        _list_topics()
    elif wanted in TOPICS:
        _show(text_of(wanted))
    else:
        _look_up(wanted)
    return 0


def _look_up(word: str) -> None:
    """Show what the machine has by this name, then the lines of the manual that have it."""
    from tensix_gdb.gdbstub.cli import lookup  # the tables of the machine take a while

    paragraphs = lookup.about(word)
    hits = search(word)
    # So short a text is a packet's name before it is part of a word.
    if not paragraphs and (not hits or len(word) <= PACKET_NAME):
        paragraphs = lookup.packet(word)
    if not hits and not paragraphs:
        raise UsageError(_not_found(word, lookup.names()))
    for at, paragraph in enumerate(paragraphs):
        say(([""] if at else []) + [paragraph])
    if paragraphs and hits:
        print()
    _list_hits(word, hits)


def _list_topics() -> None:
    width = max(map(len, TOPICS))
    for topic in TOPICS:
        print(f"{topic:{width}}  {title_of(topic)}")
    say(["", "`tensix-gdb manual TOPIC` shows a chapter, `tensix-gdb manual WORD` searches all."])


def _not_found(word: str, names: Iterable[str]) -> str:
    known = {name.lower(): name for name in (*names, *TOPICS)}
    near = get_close_matches(word.lower(), known, 1)
    meant = f" (`tensix-gdb manual {known[near[0]]}`?)" if near else ""
    return f"the manual has no chapter and no line with {word!r}{meant}; `tensix-gdb manual` lists"


def _list_hits(word: str, hits: list[Hit]) -> None:
    last, width = ("", ""), width_of_terminal()
    most = MAX_LINE if width is None else max(width - len(INDENT) - 2 * len(MORE), len(word))
    for hit in hits[:MAX_HITS]:
        if (hit.topic, hit.heading) != last:
            print(f"{hit.topic}: {hit.heading}")
            last = (hit.topic, hit.heading)
        print(f"{INDENT}{_around(hit.line, word, most)}")
    if len(hits) > MAX_HITS:
        print(f"... and {len(hits) - MAX_HITS} more lines: search for a longer text")


def _around(line: str, word: str, most: int) -> str:
    """Return the part of a long line that has the word, `most` characters and marks."""
    at = line.lower().find(word.lower())
    if len(line) <= most:
        return line
    start = max(0, min(at - most // 2, len(line) - most))
    head, tail = MORE * (start > 0), MORE * (start + most < len(line))
    return head + line[start : start + most] + tail


def _show(markdown: str) -> None:
    """Show it with rich and the pager in a terminal, as Markdown of its width elsewhere."""
    # Imported here: rich takes a while.
    if not sys.stdout.isatty():
        from tensix_gdb.gdbstub.cli.terminal.narrow import narrowed

        print(narrowed(markdown, width_of_output()), end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    from tensix_gdb.gdbstub.cli.terminal.pager import chosen, show

    pager = chosen(os.environ)
    colours = pager is None or pager.colours
    console = Console(color_system="auto" if colours else None)
    with console.capture() as capture:
        console.print(Markdown(markdown))
    show("\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n", pager)
