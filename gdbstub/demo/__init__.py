# SPDX-License-Identifier: Apache-2.0
"""The demo: C programs for four harts, and a GDB session on them, explained as it goes."""

from tensix_gdb.gdbstub.demo.session import main

__all__ = ["main"]
