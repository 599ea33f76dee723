# SPDX-License-Identifier: Apache-2.0
"""Where a value came from: the command `tensix-gdb origin`."""
