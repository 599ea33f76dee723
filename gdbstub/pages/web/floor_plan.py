# SPDX-License-Identifier: Apache-2.0
"""The parts of the page that are drawn once: boxes, ways, maps, colours."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tensix_gdb.gdbstub.pages.picture import plan
from tensix_gdb.gdbstub.pages.picture.colours import THEMES, colours, legend
from tensix_gdb.gdbstub.pages.picture.flow import ways


def floor_plan(name: str) -> dict[str, Any]:
    """Return the plan of a tile; `name` is its name in a chip."""
    return {
        "tile": name,
        "width": plan.WIDTH,
        "height": plan.HEIGHT,
        "line": plan.LINE,
        "bar": plan.BAR_X,
        "maps_end": plan.LOCAL_Y + plan.LINE,
        "boxes": [asdict(box) for box in plan.boxes()],
        "ways": [{"d": way.path, "thread": way.thread} for way in ways()],
        **plan.maps(),
        "banks": plan.BANK_ROWS,
        "colours": {theme: colours(theme) for theme in THEMES},
        "legend": legend(),
    }
