# SPDX-License-Identifier: Apache-2.0
"""Go back in time: checkpoints while the tile or chip runs, and replay from them."""

from tensix_gdb.core.history.history import History
from tensix_gdb.core.history.machine import MachineHistory, begin_history

__all__ = ["History", "MachineHistory", "begin_history"]
