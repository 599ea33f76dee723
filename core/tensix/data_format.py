# SPDX-License-Identifier: Apache-2.0
"""The data formats of unpackers, packers and the configuration, by their codes of four bits."""

import enum


class Format(enum.IntEnum):
    """Codes of InDataFormat, OutDataFormat and ALU_FORMAT_SPEC (FormatConversion.md)."""

    FP32 = 0
    FP16 = 1
    BFP8A = 2
    BFP4A = 3
    TF32 = 4
    BF16 = 5
    BFP8 = 6
    BFP4 = 7
    INT32 = 8
    INT16 = 9
    FP8 = 10
    BFP2A = 11
    INT8 = 14
    BFP2 = 15
