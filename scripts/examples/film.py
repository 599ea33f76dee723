# SPDX-License-Identifier: Apache-2.0
"""The README's session as a film: a terminal in which it is typed, as one animated SVG.

`python -m scripts.examples.film` makes gdbstub/manual/pictures/film.svg of the block that
scripts.examples.tensix.readme has written. A browser plays it in an <img> without scripts. Opened
by itself it shows its end where motion is to be reduced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from scripts.examples.tensix.readme import PAGE
from tensix_gdb.core.explain.instruction.block import MANUAL

FILM = MANUAL / "pictures" / "film.svg"
COLUMNS, ROWS = 96, 22
WIDTH, HEIGHT = 7.25, 18  # of a character, in pixels; its font is as wide as that in all browsers
EDGE, BAR = 14, 28
KEY, ENTER, READ, LOOK, END = 0.03, 0.3, 0.05, 0.9, 5.0  # seconds
PROMPT = "(gdb) "
# Lines in which the answer is: they are what the eye should find.
ANSWERS = ("nothing can move", "held at the gate", "since then T1 math has posted")
COLOURS = {"prompt": "#7ee787", "plain": "#c9d1d9", "answer": "#ffd866"}
BACK, FRAME, DOTS = "#0d1117", "#30363d", ("#ff5f56", "#ffbd2e", "#27c93f")


@dataclass(frozen=True)
class Row:
    """A row of the terminal: its text, when it begins to appear, and how long it is typed."""

    text: str
    begin: float
    typed: float
    kind: str


def rows(text: str) -> list[Row]:
    """Return the rows of a session, one after the other."""
    found: list[Row] = []
    now = 0.8
    for line in text.splitlines():
        if line.startswith("```"):
            continue
        is_command = line.startswith(PROMPT)
        if is_command and found:
            now += LOOK
        kind = "prompt" if is_command else "answer" if _is_answer(line) else "plain"
        for part in _wrapped(line):
            typed = KEY * (len(part) - len(PROMPT)) if is_command else 0.0
            found.append(Row(part, now, typed, kind))
            now += typed + (ENTER if is_command else READ)
    return found


def _is_answer(line: str) -> bool:
    return any(each in line for each in ANSWERS)


def _wrapped(line: str) -> Iterator[str]:
    """Yield a line in pieces that fit, as a terminal shows it."""
    yield line[:COLUMNS]
    for begin in range(COLUMNS, len(line), COLUMNS):
        yield line[begin : begin + COLUMNS]


def film(text: str) -> str:
    """Return the SVG of a session."""
    shown = rows(text)
    last = shown[-1]
    seconds = last.begin + last.typed + END
    width, height = COLUMNS * WIDTH + 2 * EDGE, ROWS * HEIGHT + BAR + EDGE
    styles = list(_styles(shown, seconds))
    lines = [_line(number, row) for number, row in enumerate(shown)]
    dots = [
        f'<circle cx="{EDGE + 6 + 18 * at}" cy="{BAR / 2}" r="5" fill="{colour}"/>'
        for at, colour in enumerate(DOTS)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img" aria-label="GDB in a terminal: a '
            'kernel hangs, and the tile says which semaphore it waits for">',
            "<style>",
            f"text{{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
            f"white-space:pre;fill:{COLOURS['plain']}}}",
            *(f".{kind}{{fill:{colour}}}" for kind, colour in COLOURS.items()),
            *styles,
            "@media (prefers-reduced-motion:reduce){text,#s{animation:none!important}"
            f"#s{{transform:translateY({-_scroll(len(shown))}px)}}}}",
            "</style>",
            f'<rect width="100%" height="100%" rx="8" fill="{BACK}" stroke="{FRAME}"/>',
            *dots,
            f'<svg y="{BAR}" width="{width:g}" height="{ROWS * HEIGHT + 6}">',
            '<g id="s">',
            *lines,
            "</g></svg></svg>",
            "",
        ]
    )


def _line(number: int, row: Row) -> str:
    y = (number + 1) * HEIGHT - 4
    length = f' textLength="{len(row.text) * WIDTH:g}"' if row.text else ""
    return (
        f'<text id="r{number}" class="{row.kind}" x="{EDGE}" y="{y}"{length}>'
        f"{escape(row.text)}</text>"
    )


def _styles(shown: list[Row], seconds: float) -> Iterator[str]:
    """Yield the keyframes: rows appear, commands are typed, and the terminal scrolls."""
    for number, row in enumerate(shown):
        begin, end = (100 * at / seconds for at in (row.begin, row.begin + row.typed))
        hidden, seen = "opacity:0", "opacity:1"
        frames = f"0%,{begin:.2f}%{{{hidden}}}{begin + 0.01:.2f}%,100%{{{seen}}}"
        if row.typed:
            prompt = 100 * (1 - len(PROMPT) / len(row.text))
            steps = len(row.text) - len(PROMPT)
            frames = (
                f"0%,{begin:.2f}%{{clip-path:inset(0 {prompt:.1f}% 0 0);{hidden}}}"
                f"{begin + 0.01:.2f}%{{clip-path:inset(0 {prompt:.1f}% 0 0);{seen};"
                f"animation-timing-function:steps({steps})}}"
                f"{end:.2f}%,100%{{clip-path:inset(0);{seen}}}"
            )
        yield f"@keyframes k{number}{{{frames}}}"
        yield f"#r{number}{{animation:k{number} {seconds:.2f}s linear infinite}}"
    yield f"@keyframes s{{{''.join(_scrolled(shown, seconds))}}}"
    yield f"#s{{animation:s {seconds:.2f}s step-end infinite}}"


def _scrolled(shown: list[Row], seconds: float) -> Iterator[str]:
    yield "0%{transform:none}"
    for number, row in enumerate(shown, 1):
        if number > ROWS:
            at = 100 * row.begin / seconds
            yield f"{at:.2f}%{{transform:translateY({-_scroll(number)}px)}}"
    yield f"100%{{transform:translateY({-_scroll(len(shown))}px)}}"


def _scroll(number: int) -> int:
    """Return by how many pixels the terminal has scrolled when so many rows were shown."""
    return max(0, number - ROWS) * HEIGHT


def main() -> None:
    """Make the film of what the README has."""
    FILM.write_text(film(PAGE.block.read()), encoding="utf-8")


if __name__ == "__main__":
    main()
