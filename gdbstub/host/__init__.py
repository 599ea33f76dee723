# SPDX-License-Identifier: Apache-2.0
"""Programs of a host with the tile: Tenstorrent's driver, ttnn, tt-exalens."""
