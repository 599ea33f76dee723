# SPDX-License-Identifier: Apache-2.0
"""Colours and signs of what commands say in a terminal. The sentences stay as they are.

A sign is before a sentence: a cross where something failed, a tick where all went well, arrows at a
race. NO_COLOR leaves the colours out; TERM=dumb or no terminal leaves all of it out, and the quoted
lines too. FORCE_COLOR takes a pipe for a terminal, as the logs of CI are. rich and Pygments colour;
they are loaded only where there is a colour to show.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import NamedTuple

from tensix_gdb.gdbstub.cli.terminal.quoted import PLACE, Role, Shown


class Kind(NamedTuple):
    """Sentences that begin or end in a certain way: their sign, and its style."""

    pattern: str  # compiled when the first sentence is shown: most commands show none
    sign: str
    style: str


KINDS = (
    Kind(r"^(RACE|SAMPLING) \d", "\u21c4", "bold red"),
    Kind(r"^PROMISED \d", "\u21c4", "yellow"),
    Kind(r"^[A-Z]{1,2}\d+ \d+  ", "\u25b2", "bold yellow"),
    Kind(r"^(most likely|found) \(", "\u25cf", "bold red"),
    Kind(r"^also possible", "\u25cb", "yellow"),
    Kind(r"^ruled out", "\u2713", "green"),
    Kind(r"^(next|why|kept): ", "\u2192", "cyan"),
    Kind(r"^nothing can move any more|^the program (hangs|stops)", "\u2717", "bold red"),
    Kind(r"held at the gate|: waits for |: polls ", "\u25a0", "red"),
    Kind(r"^(still running|interrupted) after", "\u25d0", "yellow"),
    Kind(r"^all harts have paused", "\u2713", "green"),
    Kind(r"(breakpoint|paused|was reached)\b.* after \d+ (cycles|instructions)$", "", ""),
    Kind(r" after \d+ cycles$", "\u2717", "bold red"),
)
WORDS = {
    r"^\s+(Would mend it|Would order them|Remedy):": "green",
    r"^\s+(Would not|Page):": "dim",
    r"`[^`]*`": "cyan",
}
STYLES = {Role.HEAD: "bold blue", Role.SOURCE: "dim", Role.CARET: "bold red"}


def kind_of(sentence: str) -> Kind | None:
    """Return the kind of a sentence; None of one that is like any other."""
    found = next((kind for kind in KINDS if re.search(kind.pattern, sentence)), None)
    return found if found is not None and found.sign else None


def signed(sentence: str) -> str:
    """Put the sign of its kind before a sentence, if the output can say it."""
    kind = kind_of(sentence)
    if kind is None or sentence.startswith(" "):
        return sentence
    try:
        kind.sign.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return sentence
    return f"{kind.sign} {sentence}"


def coloured(lines: Iterable[tuple[Shown, str]]) -> str:
    """Return lines for a terminal; each has its sentence, of which it may be a part."""
    from rich.console import Console
    from rich.syntax import Syntax
    from rich.text import Text

    syntax = Syntax("", "cpp", theme="ansi_dark", background_color="default")
    console = Console(force_terminal=True, legacy_windows=False, highlight=False, width=1 << 12)
    with console.capture() as capture:
        for shown, sentence in lines:
            text = Text(shown.text)
            if shown.role is Role.SENTENCE:
                _colour_sentence(text, sentence)
            elif shown.role is Role.GUILTY:
                code = syntax.highlight(shown.text[shown.edge :])
                code.rstrip()
                text = Text.assemble((shown.text[: shown.edge], "bold blue"), code)
            else:
                text.stylize(STYLES[shown.role])
                if shown.edge:
                    text.stylize("not dim blue", 0, shown.edge)
            console.print(text, soft_wrap=True)
    return capture.get()


def _colour_sentence(text: object, sentence: str) -> None:
    from rich.text import Text

    assert isinstance(text, Text)
    kind = kind_of(sentence)
    begins = text.plain.startswith(f"{kind.sign} ") if kind is not None else False
    if kind is not None and begins:
        head = text.plain.find(":")
        text.stylize(kind.style, 0, head if head > 0 else len(text.plain))
    for pattern, style in WORDS.items():
        text.highlight_regex(pattern, style)
    text.highlight_regex(PLACE, "bold")
