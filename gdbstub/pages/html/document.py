# SPDX-License-Identifier: Apache-2.0
"""The file: text, pictures, sources and the timeline, with what draws it. It requests no other
file: a policy in it forbids that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from tensix_gdb.gdbstub.pages.html.seen import Seen, SourceFile, State

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_PAGE = files("tensix_gdb.gdbstub.pages.html") / "page"
_SHARED = files("tensix_gdb.gdbstub.pages.web") / "page"
_LIBRARY = _SHARED / "vendor" / "d3.js"


def document(seen: Seen, title: str, said: Sequence[str]) -> str:
    """Return the whole file. `said` is what the run has printed."""
    style = (_SHARED / "style.css", _PAGE / "run.css")
    script = (_SHARED / "canvas.js", _PAGE / "run.js")
    parts = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        f'<head><meta charset="utf-8"><title>{escape(title)}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_joined(style)}</style></head>",
        "<body>",
        f'<header><h1>{escape(title)}</h1><p id="where">cycles {seen.first} to {seen.last}, '
        f"hash {seen.hash}</p>",
        '<button id="theme" type="button" aria-label="light or dark">theme</button></header>',
        "<main>",
        _section("said", "What the run says", _text(said or [seen.ending])),
        _section("states", "The tile", "\n".join(_states(seen.states))),
        _section("timeline", "Timeline", _timeline(seen)),
        _section("sources", "Sources", "\n".join(_sources(seen.sources))),
        "</main>",
        f"<script>{_joined((_LIBRARY,))}</script>",
        f'<script id="data" type="application/json">{_data(seen)}</script>',
        f'<script type="module">{_joined(script)}</script>',
        "</body></html>",
    )
    return "\n".join(parts) + "\n"


def _joined(parts: Sequence[object]) -> str:
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)  # type: ignore[attr-defined]


def _section(name: str, title: str, inside: str) -> str:
    return f'<section id="{name}" aria-label="{title}"><h2>{title}</h2>\n{inside}\n</section>'


def _text(lines: Sequence[str]) -> str:
    text = escape("\n".join(lines))
    return f'<pre tabindex="0" role="region" aria-label="text">{text}</pre>'


def _states(states: Sequence[State]) -> Iterator[str]:
    """Yield a button for each cycle, and the pictures. Each has a shadow tree, because rules in a
    drawing would be those of the page otherwise."""
    yield '<div class="tools" role="group" aria-label="cycle">'
    for number, state in enumerate(states):
        yield f'<button type="button" data-state="{number}">{state.cycle}</button>'
    yield "</div>"
    for number, state in enumerate(states):
        yield f'<div class="state" data-state="{number}" tabindex="0" role="region" '
        yield f'aria-label="cycle {state.cycle}"><template shadowrootmode="open">'
        yield f"{state.svg}</template></div>"


def _timeline(seen: Seen) -> str:
    buttons = ("earlier", "later", "zoom-in", "zoom-out", "whole")
    tools = "".join(
        f'<button id="{name}" type="button">{name.replace("-", " ")}</button>' for name in buttons
    )
    line = seen.timeline
    return (
        f'<div class="tools">{tools}<output id="timeline-text">cycles {line.first} to {line.last}; '
        "Ctrl and wheel: zoom; click: the picture at or before that cycle</output></div>"
        '<div><canvas id="timeline-canvas" role="img" aria-label="timeline"></canvas></div>'
    )


def _data(seen: Seen) -> str:
    """JSON inside of a page: nothing in it may end the element."""
    return json.dumps(seen.timeline.as_json(), separators=(",", ":")).replace("<", "\\u003c")


def _sources(sources: Sequence[SourceFile]) -> Iterator[str]:
    if not sources:
        yield "<p>No source of what was executed can be read here.</p>"
        return
    yield "<p>Left of each line: how often harts have executed it, and how often what it pushes "
    yield "was issued.</p>"
    for number, file in enumerate(sources):
        hit = sum(count > 0 for count in file.executed.values())
        yield f"<details{' open' if number == 0 else ''}><summary>{escape(file.path)}: "
        yield f"{hit} of {len(file.executed)} lines executed</summary>"
        yield '<div class="source" tabindex="0" role="region" aria-label="source lines">'
        yield from (_line(file, at, text) for at, text in enumerate(file.lines, 1))
        yield "</div></details>"


def _line(file: SourceFile, number: int, text: str) -> str:
    executed, issued = file.executed.get(number), file.issued.get(number)
    kind = "" if executed is None else " never" if not executed else " hit"
    counts = "".join(f"<i>{'' if count is None else count}</i>" for count in (executed, issued))
    return f'<div class="line{kind}">{counts}<b>{number}</b><span>{text or " "}</span></div>'
