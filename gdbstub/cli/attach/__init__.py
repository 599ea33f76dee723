# SPDX-License-Identifier: Apache-2.0
"""A GDB of the user and how it attaches: the program, and its commands for several processes."""
