# SPDX-License-Identifier: Apache-2.0
"""The differences of the Matrix Unit between chips: tables that `S.tile.chip` indexes.

The pages of its instructions are Wormhole's. Blackhole differs from them where Tenstorrent's
engineers, LLK or cards say so; each sentence is beside the function that asks (formats.py,
moves.py, moves_from_dst.py, zeroacc.py).
"""

# 1: MOVB2D takes Dst for Dst32b while Fp32_enabled is set (tt-llk#449, of Blackhole).
MOVB2D_IN_32_BITS = (1, 0)
# 1: MOVA2D, MOVDBGA2D and MOVB2D of TF32 to low halves corrupt what they write (erratum TEN-4245).
# On Wormhole they have a result, which is "unlikely to be useful" (MOVA2D.md).
MOVES_CORRUPT_TF32_LOW = (1, 0)
# 1: MOVB2D drops bits that the format of SrcB has not, before that of SrcA counts: found in tests
# against the RTL of Wormhole and "fully removed" in Blackhole (ttsim#14).
MOVB2D_DROPS_BITS = (0, 1)
# 1: MOVD2B of TF32 from low halves gives zeros (tt-llk#449, of Blackhole). Wormhole's page has the
# bits that TF32 drops.
MOVD2B_LOSES_TF32_LOW = (1, 0)
# 1: MOVD2B may overlook a write of MVMUL under way (llk_math_hadamard.h of Blackhole). Dst.md has
# that it waits.
MOVD2B_OVERLOOKS = (1, 0)
# A sum of -1 in the last place of what accumulate.py adds up is normalised as if it had so many
# digits more: all bits are set when leading signs are counted. Tenstorrent's simulator has it so
# for Wormhole alone; its authors compare it with the RTL, and no page has it.
DIGITS_OF_MINUS_1 = (0, 27)
# Cycles after a write to a block of Dst in which nothing of the unit reads it (Dst.md; for
# Blackhole see pipeline.py).
DST_HOLD_OF_PAGE = 4
