# SPDX-License-Identifier: Apache-2.0
"""The line of a script that runs."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

OURS = Path(__file__).resolve().parent
PACKAGES = ("ttnn", "torch", "numpy")


def line_of_script() -> str:
    """Return the innermost line that is neither a library's nor ours."""
    folders = [OURS, *(Path(path).resolve() for path in _folders())]
    for frame in reversed(traceback.extract_stack()):
        path = Path(frame.filename)
        parents = path.resolve().parents
        if path.exists() and not any(each in parents for each in folders):
            return f"{path.name}:{frame.lineno}: {frame.line}"
    return "a line that is not known"


def _folders() -> list[str]:
    return [
        path
        for name in PACKAGES
        if (module := sys.modules.get(name)) is not None
        for path in getattr(module, "__path__", ())
    ]
