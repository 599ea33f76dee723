# SPDX-License-Identifier: Apache-2.0
"""The table of when units sample fields: names that exist, one time for each field."""

from __future__ import annotations

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.sampling import (
    LATE_IN_PACKER,
    LATE_IN_UNPACKERS,
    PACR,
    UNPACR,
    Sampled,
    When,
)

FIELDS = config_fields(Arch.BLACKHOLE)


@pytest.mark.parametrize("table", [PACR, UNPACR])
def test_each_field_exists_and_has_one_time(table: tuple[Sampled, ...]) -> None:
    names = [name for row in table for name in row.fields]
    assert len(names) == len(set(names))
    assert all(name in FIELDS for name in names)
    assert all(row.when is When.LATE for row in table if row.varies)
    assert all(row.source for row in table)


def test_the_bits_are_those_of_the_fields() -> None:
    accumulate = FIELDS["THCON_SEC0_REG1_Pack_L1_Acc"]
    assert LATE_IN_PACKER[accumulate.word] == accumulate.mask
    output = FIELDS["THCON_SEC1_REG2_Out_data_format"]
    assert LATE_IN_UNPACKERS[output.word] == output.mask
    assert LATE_IN_PACKER[FIELDS["THCON_SEC0_REG1_L1_Dest_addr"].word] == 0
