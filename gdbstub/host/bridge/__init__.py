# SPDX-License-Identifier: Apache-2.0
"""Act as the simulator that Tenstorrent's own driver starts."""
