# SPDX-License-Identifier: Apache-2.0
"""x * y + z as Blackhole's harts and its Vector Unit compute it (Miscellaneous/FMA).

Neither two operations nor a fused one. The product keeps 28 bits, of which the last is set if
anything below it was (4 more than FP32 has), is aligned with the addend in the same way, and their
sum is rounded once, to the nearest, ties to even. Besides:

- a denormal operand is 0 with its sign, and so is a denormal result, after rounding;
- a product too large for FP32 is infinite whatever is added, one too small is exactly 0;
- what alignment shifts out completely leaves no trace, not even in the last bit;
- a result below the smallest normal number is shifted right by one more bit and not by as many as
  its exponent is short, so that one with all bits set may still be rounded to a normal number;
- every NaN that comes out is 0x7FC00000.

Mantissas fit 32 bits, the product 48; there is one branch, which ordinary numbers never take.
Compiled, a lane takes about 7 ns.
"""

NARROW = True  # in 32 bits where ranges allow it (core/engine/README.md): twice as many lanes

NAN = 0x7FC00000
INFINITY = 0x7F800000
SIGN = 0x80000000
ONE = 0x3F800000


def fma(x: int, y: int, z: int) -> int:
    """x * y + z in FP32."""
    if max((x >> 23) & 255, (y >> 23) & 255, (z >> 23) & 255) == 255:
        return not_finite(x, y, z)
    return finite(x, y, z, 23, 8, 0, 0)


def finite(
    x: int, y: int, z: int, MANTISSA: int, EXPONENT: int, TRUNCATED: int, FLUSHES: int
) -> int:
    """x * y + z of finite FP32 numbers, with a result of MANTISSA and EXPONENT bits.

    TRUNCATED: rounded toward zero; otherwise to the nearest. FLUSHES: as on Wormhole
    (fma_wormhole.py).
    """
    x_exponent = (x >> 23) & 255
    y_exponent = (y >> 23) & 255
    z_exponent = (z >> 23) & 255
    p_exponent = x_exponent + y_exponent - 127
    p_sign = ((x ^ y) >> 31) & 1
    z_sign = (z >> 31) & 1
    largest = ((1 << EXPONENT) - 1) << MANTISSA

    # Mantissas in 27 bits, of which the last three are there for rounding.
    product = ((x & 0x7FFFFF) | 0x800000) * ((y & 0x7FFFFF) | 0x800000)
    p = (product >> 20) | (((product & 0xFFFFF) + 0xFFFFF) >> 20)
    vanishes = (x_exponent == 0) | (y_exponent == 0) | (p_exponent < 0)
    p = 0 if vanishes else p
    p_exponent = 0 if vanishes else p_exponent
    a = 0 if z_exponent == 0 else ((z & 0x7FFFFF) | 0x800000) << 3

    # The one with the smaller exponent is shifted right; a last bit collects what that drops.
    distance = p_exponent - z_exponent
    large = p if distance >= 0 else a
    small = a if distance >= 0 else p
    sign = p_sign if distance >= 0 else z_sign
    shift = min(abs(distance), 28)
    aligned = small >> shift
    dropped = small & ((1 << shift) - 1)
    aligned = aligned | ((dropped != 0) & (aligned != 0))
    total = large + aligned if p_sign == z_sign else large - aligned
    magnitude = abs(total)
    sign = z_sign & p_sign if total == 0 else sign ^ (total < 0)

    # Normalise to 30 bits, the first MANTISSA + 1 of them to stay, and round. Both masks say what
    # is so in any case: without them LLVM takes twice the lanes' bits.
    length = int.bit_length(magnitude)
    exponent = max(p_exponent, z_exponent) + length - 27 - (128 - (1 << (EXPONENT - 1)))
    tiny = 0 if FLUSHES else exponent <= 0
    normal = (magnitude << ((30 - length - tiny) & 31)) & 0x3FFFFFFF
    drop = 29 - MANTISSA
    if not TRUNCATED:
        normal = normal + (1 << (drop - 1)) - 1 + ((normal >> drop) & 1)
    greatest = (1 << EXPONENT) - 2
    least = 0 if FLUSHES else 1
    result = ((min(max(exponent, least), greatest) - 1) << MANTISSA) + (normal >> drop)
    result = largest if (exponent > greatest) | (p_exponent >= 255) else result
    sign = p_sign if p_exponent >= 255 else sign
    result = 0 if (result < 1 << MANTISSA) | (total == 0) else result
    if FLUSHES:
        result = 0 if exponent < 0 and p_exponent < 255 else result
        sign = 0 if result == 0 else sign
    # The shift that is too short (above) is known of FP32; products of 16 bits would meet it often.
    if MANTISSA < 23 and exponent < 0:
        result = 0
    return (sign << (EXPONENT + MANTISSA)) | result


def not_finite(x: int, y: int, z: int) -> int:
    """x * y + z in FP32 where an operand is infinite or not a number."""
    x_size = x & 0x7FFFFFFF
    y_size = y & 0x7FFFFFFF
    z_size = z & 0x7FFFFFFF
    p_sign = (x ^ y) & SIGN
    if max(x_size, y_size, z_size) > INFINITY:
        return NAN
    if (x_size == INFINITY and y_size < 0x800000) or (y_size == INFINITY and x_size < 0x800000):
        return NAN
    if z_size == INFINITY:
        # A finite product that is too large does not count as infinite here.
        if max(x_size, y_size) == INFINITY and p_sign != z & SIGN:
            return NAN
        return z
    return p_sign | INFINITY


def add(x: int, y: int) -> int:
    """x + y in FP32: multiplied by one, x loses nothing before the sum."""
    return fma(x, ONE, y)


def subtract(x: int, y: int) -> int:
    """x - y in FP32."""
    return fma(x, ONE, y ^ SIGN)


def multiply(x: int, y: int) -> int:
    """x * y in FP32, as RISC-V has it: a zero of the product's sign is added, so signs stay right.

    The Vector Unit's multiplication adds its constant 0 instead: `fma(x, y, 0)`.
    """
    return fma(x, y, (x ^ y) & SIGN)


def is_nan(x: int) -> int:
    """True if FP32 `x` is not a number."""
    return x & 0x7FFFFFFF > INFINITY
