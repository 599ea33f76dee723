# SPDX-License-Identifier: Apache-2.0
"""One question about two lines: is the order of their accesses certain? `tensix-gdb check`."""
