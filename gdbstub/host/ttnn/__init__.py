# SPDX-License-Identifier: Apache-2.0
"""Programs that use ttnn or tt-metal, on the emulated tile: `tensix-gdb ttnn`."""
