# SPDX-License-Identifier: Apache-2.0
"""Checks of state and memory: reads of what nothing wrote, leaks, buffers, stacks, transfers."""
