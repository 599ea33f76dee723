# SPDX-License-Identifier: Apache-2.0
"""The colours of drawings and of the page, by theme, and what they say.

Letters are those of glance/dst_rows.py (rows of Dst, lanes) and glance/memory_map.py (memory). Each
has a class, as a style sheet names it.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.gdbstub.tensix.glance.memory_map import EMPTY

# By theme: the page, a box, its edge, text, quiet text; fill of boxes by tone.
THEMES = {
    "light": {
        "page": "#ffffff", "edge": "#9aa4b2", "text": "#1b2430", "quiet": "#5b6675",
        "idle": "#f4f6f8", "moves": "#dff3e4", "held": "#fde3df", "busy": "#e2ecfb",
        "bar": "#ffffff", "fill": "#2f6fde", "empty": "#e6eaef",
    },
    "dark": {
        "page": "#10151c", "edge": "#4a5666", "text": "#e6ebf2", "quiet": "#9fabba",
        "idle": "#1a212b", "moves": "#173526", "held": "#4a1f1c", "busy": "#1b2f4d",
        "bar": "#0c1117", "fill": "#6ea2ff", "empty": "#242d39",
    },
}  # fmt: skip
# Of ways and what is on them: of the three threads' instructions; of tiles; of a name on a token.
WAYS = {
    "light": ("#c25500", "#0a6fb0", "#b23a80", "#5b6675", "#ffffff"),
    "dark": ("#ff9a4d", "#5ab4f0", "#f07ac0", "#9fabba", "#10151c"),
}
# Of Dst's rows and of lanes: no value, some without, NaN, infinite.
_SPECIAL = {"?": "#8a8f98", "!": "#c9a227", "N": "#d7263d", "I": "#ff7a00"}
# Of zero, and of the smallest and the largest magnitude. The larger, the further from the page.
_SCALE = {
    "light": ("#dde3ea", (206, 226, 250), (8, 48, 140)),
    "dark": ("#2b3542", (38, 62, 104), (190, 218, 255)),
}
_NAMES = {"?": "none", "!": "partly", "N": "nan", "I": "infinite", "0": "zero"}
# Of memory: data, a stack, a circular buffer, a program, an input; programs of B, T0, T1, T2, NC.
MEMORY = {"d": "#8fa3bd", "s": "#b06fd0", "c": "#1f9e77", "p": "#7a8290", "i": "#4f9a2c",
          "0": "#c98a00", "1": "#d55e00", "2": "#0a84c6", "3": "#c2418c",
          "4": "#8c6d31"}  # fmt: skip
MAPS = "Dst, SrcA, SrcB, LRegs"
LETTERS = "?!NI0abcdefghijklmnopqrstuvwxyz"
LEGEND = (
    ("?", "no value"), ("!", "partly"), ("N", "NaN"), ("I", "infinite"), ("0", "zero"),
    ("h", "2**-10"), ("n", "1"), ("s", "2**10"),
)  # fmt: skip
MEMORY_LEGEND = (
    *((str(hart), f"program of {name}") for hart, name in enumerate(HART_NAMES)),
    ("c", "circular buffer"), ("i", "input of --tile"), ("s", "stack"), ("d", "other data"),
)  # fmt: skip


def colour_of_row(letter: str, theme: str) -> str:
    """Return the colour of a row of Dst or of a lane with this letter."""
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    zero, low, high = _SCALE[theme]
    if letter == "0":
        return zero
    strength = (ord(letter) - ord("a")) / 25
    red, green, blue = (round(to * strength + start * (1 - strength))
                        for start, to in zip(low, high, strict=True))  # fmt: skip
    return f"#{red:02x}{green:02x}{blue:02x}"


def class_of(letter: str) -> str:
    """Return the class of a row of Dst or of a lane."""
    return f"v-{_NAMES.get(letter, letter)}"


def memory_class(letter: str) -> str:
    """Return the class of a cell of memory."""
    return "empty" if letter == EMPTY else f"m-{letter}"


def colours(theme: str) -> dict[str, str]:
    """Return the colour of each class."""
    return {
        **THEMES[theme],
        **{class_of(letter): colour_of_row(letter, theme) for letter in LETTERS},
        **{memory_class(letter): colour for letter, colour in MEMORY.items()},
    }


def legend() -> list[list[tuple[str, str]]]:
    """Classes and what they say: a line about numbers, one about memory, one about ways. The first
    of a line has no class, and says what it is about."""
    return [
        [("", MAPS), *((class_of(letter), text) for letter, text in LEGEND)],
        [("", "L1"), *((memory_class(letter), text) for letter, text in MEMORY_LEGEND)],
        [
            ("", "ways"),
            *((f"token w-{i}", f"instructions of {name}") for i, name in enumerate(THREAD_NAMES)),
            ("token w-data", "tiles"),
        ],
    ]
