# SPDX-License-Identifier: Apache-2.0
"""The command of a script with its operations captured, and where they are written."""

from __future__ import annotations

from pathlib import Path

VARIABLE = "TENSIX_GDB_OPERATIONS"  # the file for them
RUN = Path(__file__).with_name("run.py")


def captured(command: list[str]) -> list[str]:
    """Return the command of a script with the capture around it."""
    python, *words = command
    # The folder that has tensix_gdb in it: as it was imported, and not where links lead to.
    return [python, str(RUN), str(RUN.parents[5]), *words]
