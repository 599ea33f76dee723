# SPDX-License-Identifier: Apache-2.0
"""A kernel is made faster in steps, each after what `tensix-gdb report` says."""
