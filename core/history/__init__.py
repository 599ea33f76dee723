# SPDX-License-Identifier: Apache-2.0
"""Back in time: snapshots while the tile runs, and deterministic replay from them."""

from tensix_gdb.core.history.history import History

__all__ = ["History"]
