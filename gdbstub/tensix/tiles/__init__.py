# SPDX-License-Identifier: Apache-2.0
"""Tiles of L1 and Dst that users load, compare and look at."""
