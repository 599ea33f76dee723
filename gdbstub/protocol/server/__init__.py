# SPDX-License-Identifier: Apache-2.0
"""Sockets, and the task that runs the tile (trio)."""
