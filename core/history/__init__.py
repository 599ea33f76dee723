# SPDX-License-Identifier: Apache-2.0
"""Go back in time: checkpoints while the tile runs, and replay from them."""

from tensix_gdb.core.history.history import History

__all__ = ["History"]
