# SPDX-License-Identifier: Apache-2.0
"""Read tt-metal's debug prints (DPRINT, DEVICE_PRINT), as the host does."""
