# SPDX-License-Identifier: Apache-2.0
"""What a chip is: harts, memories, sizes, addresses."""
