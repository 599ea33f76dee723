# SPDX-License-Identifier: Apache-2.0
"""Words that people come with, and what the manual calls it: chapters and `monitor` commands.

The words are those of reports about kernels and of tt-metal's own tools. A test compares both
columns with the chapters and the commands that there are.
"""

from __future__ import annotations

import re

# Words, chapters with the best first, commands of `monitor`.
MEANT: tuple[tuple[str, str, str], ...] = (
    ("watcher|sanitize|sanitizing", "contract state faults", "why check"),
    ("waypoint|waypoints", "contract coprocessor threads", "why status"),
    (
        "runtime args|runtime arguments|runtime argument|rt args|get_arg_val",
        "contract ttnn",
        "check",
    ),
    ("stuck|hang|hangs|hung|deadlock|freeze|frozen", "diagnose coprocessor bugs", "why"),
    ("overwrote|overwritten|overwrite|clobbered|corruption|corrupted", "origin state", "origin"),
    ("l1 overflow|out of l1|buffer overflow|overflow", "state", "cb"),
    ("circular buffer|circular buffers|cb|cbs", "contract state ttnn", "cb"),
    (
        "wrong result|wrong tile|mismatch|wrong number|garbage",
        "diagnose wrong-numbers",
        "wrong origin",
    ),
    ("dst|dest|destination register", "coprocessor lanes stages", "dst"),
    (
        "data format|data formats|reconfig|fp32 dest acc|fp32 dest acc en|num faces|edge mask",
        "stages configuration",
        "cfg check",
    ),
    ("stack overflow", "state", ""),
    ("ttnn|tt-metal|ttsim|libttsim|simulator", "ttnn simulator chip", ""),
    ("pcc|low pcc|bad pcc|pearson", "wrong-numbers diagnose ttnn-models origin", "origin wrong"),
    ("nan|nans|inf|infinity|not a number", "wrong-numbers origin", "origin dst"),
    ("poll|polls|polling|spin|spins|spinning", "coprocessor", "why"),
    (
        "stale|stale copy|l0|l0 cache|l0 data cache|invalidate_l1_cache",
        "state coprocessor",
        "why check",
    ),
)


def meant(text: str) -> tuple[list[str], list[str]]:
    """Return the chapters and the `monitor` commands that a text of users means; two empty lists if
    it is none that is known."""
    wanted = re.sub(r"[\s_-]+", " ", text.strip().lower())
    for words, chapters, commands in MEANT:
        if wanted in words.split("|"):
            return chapters.split(), commands.split()
    return [], []
