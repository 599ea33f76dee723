# SPDX-License-Identifier: Apache-2.0
"""The live picture of a tile, in the browser."""
