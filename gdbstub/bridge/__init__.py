# SPDX-License-Identifier: Apache-2.0
"""Be the simulator of Tenstorrent's own driver."""
