# SPDX-License-Identifier: Apache-2.0
"""One notation for a place in the tile: words to places and back, their values, their elements."""
