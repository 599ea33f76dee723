# SPDX-License-Identifier: Apache-2.0
"""The line of a script that runs."""

from __future__ import annotations

import traceback
from pathlib import Path

OURS = Path(__file__).resolve().parent
LIBRARIES = ("ttnn", "torch", "numpy")


def line_of_script() -> str:
    """Return the innermost line that is neither a library's nor ours."""
    import sys

    libraries = [
        Path(file).resolve().parent
        for name in LIBRARIES
        if (file := getattr(sys.modules.get(name), "__file__", None)) is not None
    ]
    for frame in reversed(traceback.extract_stack()):
        path = Path(frame.filename)
        parents = path.resolve().parents
        if path.exists() and not any(each in parents for each in (OURS, *libraries)):
            return f"{path.name}:{frame.lineno}: {frame.line}"
    return "a line that is not known"
