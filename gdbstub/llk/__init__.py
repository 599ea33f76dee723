# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's LLK tests, as they are shipped, on our tile: `tensix-gdb llk`."""
