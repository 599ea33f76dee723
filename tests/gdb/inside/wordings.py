# SPDX-License-Identifier: Apache-2.0
"""What GDB 13 says, and newer ones in other words. Imported inside GDB, and outside."""

NEWER = {
    "No more reverse-execution history.": "Reached end of recorded history; stopping.",
}
NO_SOURCE = "No such file or directory"  # which newer ones say as a warning


def says(output: str, text: str) -> bool:
    """True if a GDB has said this, in its own words."""
    return text in output or (text in NEWER and NEWER[text] in output)
