# SPDX-License-Identifier: Apache-2.0
"""Output of a command for programs."""

from __future__ import annotations


def as_json(value: object) -> str:
    """Return the text; the library is loaded here, because few runs want it."""
    import json

    return json.dumps(value, indent=2)
