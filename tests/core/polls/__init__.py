# SPDX-License-Identifier: Apache-2.0
"""Loops in which harts poll."""
