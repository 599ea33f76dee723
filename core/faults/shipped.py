# SPDX-License-Identifier: Apache-2.0
"""Shipped kernels at each fault: those of LLK and ttnn, and tt-metal's firmware.

A fault that stops them would stop right programs. So each code for which they come near it has a
sentence here, by its name (core/faults/codes.py). Of all others NONE holds, which is no proof: they
did not come in the files of LLK that gdbstub/manual/llk-files.md lists, in ttnn's operations of
tests/ttnn and in the firmware, which run with every fault stopping.
"""

NONE = "not seen"

# fmt: off
SHIPPED = {
    "MOP_OVERRIDE":
        "none stops; LLK's counts are 0 with the template that has its own",
    "RDCFG_DROPPED":
        "never stops",
    "TENSIX_MATRIX_MODE":
        "none stops; no kernel of LLK has GMPOOL's mode for one row",
    "TENSIX_MODE":
        "LLK uses ZEROACC with Revert for 16 rows on Blackhole; this runs, and other modes stop",
    "TENSIX_MOVE_TF32_LOW":
        "none stops; LLK clears Fp32_enabled before it writes low halves",
    "TENSIX_MOVER":
        "none stops; no kernel of LLK has XMOV",
    "TENSIX_REG2FLOP":
        "none stops; LLK has it in a comment for Blackhole, and for the packer's addresses on "
        "Wormhole",
    "UNPACK_FORMAT":
        "LLK's matmul_custom_compressed unpacks BFP4 and BFP2 with an output format of BFP8; this "
        "runs, and no other pair of block floats",
    "VECTOR_HAZARD":
        "LLK's _calculate_reciprocal_fast_24b_5c_ compares in SFPSWAP before the result of SFPMAD "
        "is there; this runs where both comparisons come out alike",
    "VECTOR_INDEX":
        "none stops; LLK's topk sets the bit, and writes there with loads, SFPSWAP and SFPTRANSP",
    "VECTOR_UNDEFINED":
        "softmax, layer_norm and rms_norm of ttnn load rows that a reduction has not written, and "
        "LLK's reciprocals have conditions on them; this runs. None lets them decide more",
    "VECTOR_WRITES":
        "LLK's maximum of columns (init_reduce_max_min) loads an LReg that a scheduled SFPSWAP is "
        "just writing; this runs, the load stays",
}
# fmt: on
