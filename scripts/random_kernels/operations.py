# SPDX-License-Identifier: Apache-2.0
"""All operations that random kernels are made of, but those that the compiler may join."""

from __future__ import annotations

from scripts.random_kernels.conditions import CONDITIONS
from scripts.random_kernels.floats import FLOATS
from scripts.random_kernels.integers import INTEGERS

OPERATIONS = (*FLOATS, *INTEGERS)
BY_NAME = {operation.name: operation for operation in (*OPERATIONS, *CONDITIONS)}
