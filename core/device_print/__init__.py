# SPDX-License-Identifier: Apache-2.0
"""tt-metal's debug prints (DPRINT, DEVICE_PRINT): the host's side, which reads and shows them."""
