# SPDX-License-Identifier: Apache-2.0
"""The registers that an instruction may name, given vtype (V extension, 3.4.2, 5.2 and 5.3).

A group of n registers begins at a multiple of n. Source and destination may overlap where elements
have the same width; a narrower destination with the first registers of its source; a wider one with
the last of its source. The mask v0 is no destination of what it masks. Everything else is reserved:
UNSPECIFIED(BabyRISCV/InstructionSet.md): it stops.
"""

COLD = True  # little time of LLVM for it (core/engine/README.md)


def registers(lmul: int) -> int:
    """Registers of a group of LMUL `lmul` eighths."""
    return max(lmul >> 3, 1)


def is_group(register: int, lmul: int) -> int:
    """True if there is a group of this LMUL that begins there."""
    return 1 <= lmul <= 64 and register % registers(lmul) == 0


def overlap(a: int, a_lmul: int, b: int, b_lmul: int) -> int:
    """True if two groups share a register."""
    return a < b + registers(b_lmul) and b < a + registers(a_lmul)


def may_overlap(vd: int, vd_lmul: int, vd_width: int, vs: int, vs_lmul: int, vs_width: int) -> int:
    """True if the destination and a source may be where they are."""
    if vd_width == vs_width or not overlap(vd, vd_lmul, vs, vs_lmul):
        return 1
    if vd_width < vs_width:
        return vd == vs
    return vs_lmul >= 8 and vs + registers(vs_lmul) == vd + registers(vd_lmul)
