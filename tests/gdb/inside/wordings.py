# SPDX-License-Identifier: Apache-2.0
"""Texts of GDB 13, and how newer GDBs word them. Imported inside GDB, and outside."""

NEWER = {
    "No more reverse-execution history.": "Reached end of recorded history; stopping.",
}
NO_SOURCE = "No such file or directory"  # a warning in newer GDBs


def says(output: str, text: str) -> bool:
    """True if GDB has printed this text, in its own wording."""
    return text in output or (text in NEWER and NEWER[text] in output)
