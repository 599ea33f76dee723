# SPDX-License-Identifier: Apache-2.0
"""The file: the live page with its style, its modules and the data, in one. It requests nothing: a
policy in it allows no address, and no script or style but those that it has, by their hashes."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from html import escape
from importlib.resources import files
from typing import Any

from tensix_gdb.gdbstub.pages.share.bundle import PAGE, script

OWN = files("tensix_gdb.gdbstub.pages.share") / "page"
STYLES = (PAGE / "style.css", PAGE / "chip.css", OWN / "share.css")
BODY = re.compile(r"<body>(.*)</body>", re.DOTALL)


def document(data: dict[str, Any]) -> str:
    """Return the whole file; `data` is what share.js takes."""
    library = (PAGE / "vendor" / "d3.js").read_text(encoding="utf-8")
    answers = (OWN / "share.js").read_text(encoding="utf-8")
    own = "\n".join((script("main.js", "startTile"), script("chip.js", "startChip"), answers))
    style = "".join(part.read_text(encoding="utf-8") for part in STYLES)
    scripts = [_inside(library), _inside(own)]
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            f'<head><meta charset="utf-8"><title>{escape(data["title"])}</title>',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts, style)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<style>{style}</style></head>",
            f"<body>{_template('tile', 'index.html')}{_template('chip', 'chip.html')}",
            f'<script id="data" type="application/octet-stream">{packed(data)}</script>',
            *(f"<script>{each}</script>" for each in scripts),
            "</body></html>\n",
        )
    )


def _template(name: str, file: str) -> str:
    """Return a page of the server as a part of this one, which share.js shows."""
    body = BODY.search((PAGE / file).read_text(encoding="utf-8"))
    assert body is not None
    return f'<template id="page-{name}">{body[1]}</template>'


def policy(scripts: list[str], style: str) -> str:
    """Return the policy that allows these, and nothing from anywhere."""
    allowed = " ".join(_hash(each) for each in scripts)
    return f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; base-uri 'none'"


def packed(data: dict[str, Any]) -> str:
    """Return the data as the file has it: JSON, compressed, in Base64."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def unpacked(page: str) -> dict[str, Any]:
    """Return the data of a file."""
    found = re.search(r'<script id="data"[^>]*>([^<]*)<', page)
    assert found is not None
    return dict(json.loads(zlib.decompress(base64.b64decode(found[1]))))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _inside(text: str) -> str:
    """A script as a page may have it: nothing in it ends the element."""
    return text.replace("</script", "<\\/script")
