# SPDX-License-Identifier: Apache-2.0
"""The outcomes that a few instructions may have, by exhaustive search."""
