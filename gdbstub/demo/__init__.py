# SPDX-License-Identifier: Apache-2.0
"""C programs for four harts, and a GDB session with them."""

from tensix_gdb.gdbstub.demo.session import main

__all__ = ["main"]
