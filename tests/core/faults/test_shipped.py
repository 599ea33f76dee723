# SPDX-License-Identifier: Apache-2.0
"""Each sentence about shipped kernels is about a fault that there is."""

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.faults.shipped import SHIPPED


def test_each_name_is_a_fault() -> None:
    assert set(SHIPPED) <= set(Fault.__members__)
