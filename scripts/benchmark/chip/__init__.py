# SPDX-License-Identifier: Apache-2.0
"""A chip of tiles under ttnn, beside Tenstorrent's simulator: `scripts/bench ttnn`."""
