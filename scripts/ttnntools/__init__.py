# SPDX-License-Identifier: Apache-2.0
"""ttnn on the emulated tile, with what a machine without Tenstorrent's compiler has."""
