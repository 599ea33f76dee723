# SPDX-License-Identifier: Apache-2.0
"""The times of cards by published figures, beside those of the tile: `scripts/silicon`."""
