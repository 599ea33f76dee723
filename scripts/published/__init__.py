# SPDX-License-Identifier: Apache-2.0
"""What cards take by published figures, beside what the tile takes: `scripts/silicon`."""
