# SPDX-License-Identifier: Apache-2.0
"""The machine's own functions, rewritten so that values keep what they were made of."""
