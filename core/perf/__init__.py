# SPDX-License-Identifier: Apache-2.0
"""The performance counters of the tile: five banks that count what happens, by name."""
