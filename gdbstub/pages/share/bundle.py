# SPDX-License-Identifier: Apache-2.0
"""The modules of the live page as one script, for a page that may load no other file.

    import { on as listen } from './state.js';     const { on: listen } = m['state.js'];
    export function draw(plan) {                   function draw(plan) {
    ...                                            ...
                                                   return { draw };

Each module is a function: its names are its own. It is given `fetch` and `WebSocket`, so what the
modules ask of a server is answered by share.js from the data in the file, and they are the same
text as those of the live page. Only the forms of `import` and `export` that the page uses are
known; ValueError for another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

PAGE = files("tensix_gdb.gdbstub.pages.web") / "page"
IMPORT = re.compile(r"^import (?:\{ ([^}]*) \} from )?'\./([\w.]+)';$", re.MULTILINE)
EXPORT = re.compile(r"^export (async function|function|const|class) (\w+)", re.MULTILINE)
LEFT = re.compile(r"^(import|export)\b.*", re.MULTILINE)


def script(entry: str, start: str) -> str:
    """Return the function, by the name `start`, that runs a module of the page, and before it those
    that it imports."""
    bodies = "\n".join(_module(name) for name in _in_order(entry, []))
    return f"async function {start}(fetch, WebSocket) {{\nconst m = {{}};\n{bodies}\n}}"


def _in_order(name: str, known: list[str]) -> list[str]:
    """Add a module after those that it imports."""
    for _, other in IMPORT.findall(_text(name)):
        if other not in known:
            _in_order(other, known)
    if name not in known:
        known.append(name)
    return known


def _text(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def _module(name: str) -> str:
    text = IMPORT.sub(lambda found: _taken(found[1], found[2]), _text(name))
    exported = ", ".join(_names(text))
    text = EXPORT.sub(r"\1 \2", text)
    if left := LEFT.search(text):
        raise ValueError(f"{name}: this form is not known here: {left[0]}")
    return f"m['{name}'] = await (async () => {{\n{text}\nreturn {{ {exported} }};\n}})();"


def _taken(names: str, module: str) -> str:
    if not names:
        return ""
    return f"const {{ {names.replace(' as ', ': ')} }} = m['{module}'];"


def _names(text: str) -> Iterator[str]:
    return (name for _, name in EXPORT.findall(text))
