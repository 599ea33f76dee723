# SPDX-License-Identifier: Apache-2.0
"""x * y + z as the Vector Unit of Wormhole computes it (WormholeB0 SFPMAD.md).

It is Blackhole's (fma.py) but for three things, which Tenstorrent's model of both has (fma.cpp of
its simulator, "bit-perfect"); the page has the first, and of the last that bit 0 of a NaN is set:

- a result that is zero or below the smallest normal number is +0, whatever its sign; one that is
  below it by one exponent is normal if rounding carries out of its mantissa, which is not shifted
  for that;
- a product too large for FP32 is infinite also beside an infinite addend, so the two may be a NaN;
- a NaN is 0x7F800001 with a sign and with bits of the sum that would come out if infinities and
  NaNs were numbers with an exponent of 255.
"""

from tensix_gdb.core.numeric.fma import INFINITY, SIGN

HIDDEN = 0x800000
NAN_WORMHOLE = 0x7F800001


def mantissa_of(x: int) -> int:
    """24 bits; 0 of a denormal."""
    return x & 0x7FFFFF | HIDDEN if x & INFINITY else 0


def aligned(x: int, by: int) -> int:
    """x shifted right; its last bit collects what that drops, unless it drops everything."""
    shifted = x >> min(by, 63)
    return shifted | (1 if shifted and shifted << min(by, 63) != x else 0)


def not_finite_wormhole(x: int, y: int, z: int) -> int:
    """x * y + z where an operand is infinite or not a number."""
    x_size = x & 0x7FFFFFFF
    y_size = y & 0x7FFFFFFF
    z_size = z & 0x7FFFFFFF
    p_sign = (x ^ y) & SIGN
    z_sign = z & SIGN
    p_exponent = (x_size >> 23) + (y_size >> 23) - 127
    infinite = max(x_size, y_size) >= INFINITY or p_exponent >= 255
    zero_times = x_size < HIDDEN or y_size < HIDDEN
    nan = z_sign | NAN_WORMHOLE
    if max(x_size, y_size) > INFINITY or (zero_times and max(x_size, y_size) == INFINITY):
        nan = p_sign | NAN_WORMHOLE
    elif z_size == INFINITY:
        if not infinite or z_sign == p_sign:
            return z
        nan = p_sign | NAN_WORMHOLE
    elif z_size < INFINITY:
        return p_sign | INFINITY
    return nan | leaking(x, y, z, min(p_exponent, 255))


def leaking(x: int, y: int, z: int, p_exponent: int) -> int:
    """Return the bits below the sign of the sum, as if every operand were a number; 0 where it has
    no exponent from 1 to 254."""
    product = mantissa_of(x) * mantissa_of(y)
    p = product >> 20 | (1 if product & 0xFFFFF else 0)
    if p == 0 or p_exponent < 0:
        p = 0
        p_exponent = 0
    a = mantissa_of(z) << 3
    z_exponent = (z >> 23) & 0xFF
    exponent = max(p_exponent, z_exponent)
    p = aligned(p, exponent - p_exponent)
    a = aligned(a, exponent - z_exponent)
    total = abs(p + a if (x ^ y) & SIGN == z & SIGN else p - a)
    if total == 0:
        return 0
    up = int.bit_length(total) - 27
    exponent += up
    if exponent >= 255 or exponent < 0:
        return 0
    total = total >> up | (total & 1) if up > 0 else total << -up
    result = (exponent << 23) + ((total >> 3) & 0x7FFFFF)
    result += 1 if (total & 7) + (result & 1) > 4 else 0
    return result if result >= HIDDEN else 0
