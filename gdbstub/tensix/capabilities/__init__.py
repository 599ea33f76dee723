# SPDX-License-Identifier: Apache-2.0
"""The protocol's capabilities of a tile, a class for each."""
