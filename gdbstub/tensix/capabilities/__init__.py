# SPDX-License-Identifier: Apache-2.0
"""What the protocol can do with a tile, a class for each capability."""
