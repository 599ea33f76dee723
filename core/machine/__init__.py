# SPDX-License-Identifier: Apache-2.0
"""The tile as Python sees it: load, run, step, inspect, snapshot."""

from tensix_gdb.core.machine.machine import Machine

__all__ = ["Machine"]
