# SPDX-License-Identifier: Apache-2.0
"""The chips: harts, memories, sizes, addresses."""
