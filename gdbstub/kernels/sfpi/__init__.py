# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's own compiler, SFPI: where it is, which version it is, and how to get it."""
