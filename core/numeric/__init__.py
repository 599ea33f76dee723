# SPDX-License-Identifier: Apache-2.0
"""Numbers as the chip has them, in integers: formats, rounding, multiply-add.

No host floating point takes part in any result. Every number is its bit pattern as a non-negative
integer, in the order sign, exponent, mantissa unless a name says `dst` or `src`:

    fp32 1+8+23   tf32 1+8+10 (19 bits)   bf16 1+8+7   fp16 1+5+10   e5m2 1+5+2   e4m3 1+4+3

layouts.py    the same values as Dst and SrcA/SrcB keep them
formats.py    one format into another
rounding.py   fewer bits: nearest, toward zero, stochastic
prng.py       the random numbers of stochastic rounding
integers.py   sign and magnitude, two's complement, saturation
block.py      block float: 16 datums with one exponent
fma.py        multiply-add of the Vector Unit and of the harts
ieee.py       what the harts compute beside it: comparing, classes, integers, conversions
half.py       FP16 and BF16 of the harts
"""
