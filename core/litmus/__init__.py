# SPDX-License-Identifier: Apache-2.0
"""Which outcomes a few instructions may have, by exhaustive search."""
