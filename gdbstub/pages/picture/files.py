# SPDX-License-Identifier: Apache-2.0
"""Pictures as files: SVG, PNG or JSON, by the end of the name.

PNG needs the package resvg_py (`pip install tensix-gdb[picture]`), which draws the SVG.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.pages.picture.state import Picture, as_json, take_picture
from tensix_gdb.gdbstub.pages.picture.svg import svg
from tensix_gdb.gdbstub.tensix.output.output_file import binary_output
from tensix_gdb.gdbstub.usage import UsageError

FONT = "DejaVu Sans Mono"
SUFFIXES = (".svg", ".png", ".json")


def check_name(option: str, path: str) -> None:
    """UsageError with a sentence if the name has none of the three ends, or PNG cannot be made."""
    if not path.endswith(SUFFIXES):
        raise UsageError(f"{option} {path}: let the name end in {', '.join(SUFFIXES)}")
    if path.endswith(".png"):
        _resvg(option, path)


def content(picture: Picture, path: str, theme: str = "auto") -> bytes:
    """Return the bytes of the file; `path` tells the form."""
    if path.endswith(".json"):
        return (json.dumps(as_json(picture), indent=1) + "\n").encode()
    if path.endswith(".svg"):
        return svg(picture, theme).encode()
    # A PNG has one look: it cannot ask what its viewer prefers.
    drawing = svg(picture, "light" if theme == "auto" else theme)
    png = _resvg("", path).svg_to_bytes(svg_string=drawing, monospace_family=FONT)
    return bytes(png)


def _resvg(option: str, path: str) -> Any:
    try:
        return importlib.import_module("resvg_py")
    except ImportError:
        raise UsageError(
            f"{option} {path}: PNG needs a package that is not installed; type "
            "`pip install 'tensix-gdb[picture]'`, or write .svg".strip()
        ) from None


@contextmanager
def pictured(machine: Machine, path: str | None) -> Iterator[Callable[[str], list[str]]]:
    """Give what writes the picture and says so; refuse a file that cannot be written now, not
    after the run."""
    if path is None:
        yield lambda ending: []
        return
    check_name("--picture", path)
    out = binary_output("--picture", path)

    def write(ending: str) -> list[str]:
        out.write(content(take_picture(machine, ending), path))
        return [f"picture {path}, cycle {machine.S.tile.cycle}"]

    with out:
        yield write
