# SPDX-License-Identifier: Apache-2.0
"""Python programs that use ttnn, on the emulated tile: `tensix-gdb ttnn`."""
