# SPDX-License-Identifier: Apache-2.0
"""Rows of state joined into one buffer: copy, compare, hash, diff."""
