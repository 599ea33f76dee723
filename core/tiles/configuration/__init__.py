# SPDX-License-Identifier: Apache-2.0
"""The configuration that a tile of each format needs, field by field, and the instructions.

    unpacker.unpack("bf16")                    L1 to SrcA, face by face
    unpacker.unpack("fp32", "fp32", "dst")     or to SrcB, or to Dst
    matrix.math("bf16")                        SrcA to Dst; math("bf16", "fp32") to FP32
    packer.pack("bfp8")                        Dst to L1; pack("fp32", "bf16") from FP32
    text                                       in words

Each takes `arch`, the chip: names, words and bits are the chip's.

What is not named is 0, as after a reset. Words and bits come from the tables that the units read
(core/isa, unpacker/config.py), conversions from theirs (unpacker/formats.py, packer/formats.py), so
a combination that the units refuse is refused here.
"""
