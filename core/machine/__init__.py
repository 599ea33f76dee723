# SPDX-License-Identifier: Apache-2.0
"""The tile as Python sees it: run it, load it, inspect it."""

from tensix_gdb.core.machine.machine import Machine

__all__ = ["Machine"]
