# SPDX-License-Identifier: Apache-2.0
"""More bugs of 2026, by a rule: every fix that LLK itself names.

Of the LLK of ttnn 0.81.1: each statement of which a comment in its headers for Blackhole names a
thread of 2026 as the reason, and each test of its suite that says that it is about a bug
("regression", "repro"); and of tt-llk's history from January to April 2026 each commit with "Bug
fix" ticked that changes what a kernel does. A fix is left out if it is in bugs.py or fixes.py, if
it takes more than a statement to undo, if no covered test compiles it, or if LLK has it no more.
"""

from __future__ import annotations

from scripts.llktests.bug import COMMON, LIB, METAL, SFPU, WORMHOLE, Bug, without
from scripts.llktests.scratch import Edit

_OF_VECTOR = METAL + "llk_sfpu/ckernel_sfpu_"
_COPY = LIB + "llk_math_eltwise_unary_datacopy.h"
_FP32 = ("ALU_ACC_CTRL_Fp32_enabled", "ALU_ACC_CTRL_SFPU_Fp32_enabled")
_T0_SETS_FP32 = "".join(f" alu_payload.f.{name} = is_fp32_dest_acc_en;" for name in _FP32)

# fmt: off
NAMED = (
    Bug(27, "tt-metal#53693",
        "ZEROACC clears the other half of Dst where row and block add up to 512, in a product that "
        "reuses Dst",
        (Edit(LIB + "llk_math_eltwise_binary.h",
              r"dest_row_offset \+ face_index >= DEST_ROWS_PER_BANK",
              "dest_row_offset + face_index >= 2 * DEST_ROWS_PER_BANK"),),
        "test_eltwise_binary.py::test_eltwise_binary_dest_reuse[reuse_dest_type:DEST_TO_SRCA-"
        "math_op:Elwmul-formats:Float16_b->Float16_b-dest_acc:No-dest_sync:Half-"
        "unpack_to_dest:False-math_fidelity:LoFi-tile_dimensions:[32, 32]-"
        "input_dimensions:[512, 32]-output_dimensions:[256, 32]]", ("test",)),
    Bug(28, "tt-metal#57509", "the average of a column of UInt32 is signed from bit 31 on",
        (Edit(_OF_VECTOR + "reduce.h", r"if constexpr \(is_signed_int\)",
              "if constexpr (is_signed_int || INSTRUCTION_MODE == InstrModLoadStore::INT32)",
              "perform_int_average"),),
        "test_sfpu_reduce.py", ("test",),
        words=("-k", "uint32_reduce_column_average_bit31"), variants=2),
    Bug(29, "tt-metal#44750, tt-metal#49803", "the smallest or largest of Int32 takes -2^31 for 0",
        (Edit(_OF_VECTOR + "reduce.h", r"TTI_SFP(SETCC|ENCC|SWAP)\((?![^;]*VEC_MIN_MAX)[^;]*;",
              "TTI_SFPNOP;", "_emit_int32_signed_cswap_"),),
        "test_sfpu_reduce.py", ("test",), words=("-k", "int32_reduce_extreme"), variants=4),
    Bug(30, "tt-metal#52997", "lcm loads from Dst while the Vector Unit computes",
        (without(_OF_VECTOR + "lcm.h", ""),), "test_eltwise_binary_sfpu.py",
        words=("-k", "SfpuLcm"), variants=2,
        why_not="no page has the hang of a card"),
    Bug(31, "tt-metal#53922", "0 to the power of NaN is 0",
        (Edit(_OF_VECTOR + "binary_pow.h", r"v_if\(sfpi::is_nan\(pow\)\)[^}]*}(\s*)v_endif;", r"\1",
              "_sfpu_binary_power_f32_"),),
        "test_sfpu_binary_pow_zero_base.py", ("test",), variants=2),
    Bug(32, "tt-metal#59247", "gelu of a negative NaN is 0",
        (Edit(_OF_VECTOR + "gelu.h", r"sfpi::vFloat result = x - x;",
              "sfpi::vFloat result = 0.0f;", "calculate_gelu"),),
        "test_eltwise_unary_sfpu.py", words=("-k", "edges and Gelu and Float32"), variants=4,
        why_not="the suite's probes have no negative NaN"),
    Bug(33, "tt-llk#1701", "addcdiv's init leaves the constant of its reciprocal as it was",
        (Edit(_OF_VECTOR + "addcdiv.h", r"sfpu_reciprocal_init<false /\*APPROXIMATE\*/>",
              "sfpu_reciprocal_init<true>", "init_addcdiv"),),
        "test_sfpu_ternary.py", ("test",), words=("-k", "approx_after_lreg_clobber and Addcdiv")),
    Bug(34, "tt-llk#1701", "snake_beta's init leaves it, too",
        (Edit(_OF_VECTOR + "snake_beta.h", r"sfpu_reciprocal_init<false /\*APPROXIMATE\*/>",
              "sfpu_reciprocal_init<true>", "snake_beta_init"),),
        "test_sfpu_ternary.py", ("test",), words=("-k", "approx_after_lreg_clobber and SnakeBeta")),
    Bug(35, "tt-metal#45127", "Wormhole's `_llk_unpack_bcastA_B_uninit_` leaves the Ystride",
        (Edit(WORMHOLE + "llk_lib/llk_unpack_AB.h",
              r"canonical_unpA_y_stride\(unpack_dst_format\)", "((void)unpack_dst_format, 32)",
              "_llk_unpack_bcastA_B_uninit_"),),
        "test_unpack_bcastA_B_uninit_restore.py", arch="wormhole",
        words=("-k", "restore_via_reconfig:False"),
        why_not="with the formats of the test, of 16 bits, both values are 32"),
    Bug(36, "tt-metal#45127", "Wormhole's reconfiguration of the format leaves the Ystride",
        (Edit(WORMHOLE + "llk_lib/llk_unpack_common.h",
              r"cfg_reg_rmw_tensix<UNP0_ADDR_CTRL_XY_REG_1_Ystride[^;]*\n[^;]*;", "\n",
              "_llk_unpack_reconfig_data_format_srca_impl_"),),
        "test_unpack_bcastA_B_uninit_restore.py", arch="wormhole",
        words=("-k", "restore_via_reconfig:True"),
        why_not="with the formats of the test, of 16 bits, both values are 32"),
    Bug(37, "tt-metal#55306", "sign of -0 is -1",
        (Edit(_OF_VECTOR + "sign.h", r"sfpi::abs\(v\) == 0", "v == 0"),),
        "test_eltwise_unary_sfpu.py", ("test",),
        words=("-k", "edges and Sign and not Signbit and Float32"), variants=8),
    Bug(38, "tt-metal#55306", "heaviside of -0 is not its value at 0",
        (Edit(_OF_VECTOR + "heaviside.h", r"sfpi::abs\(v\) == 0", "v == 0"),),
        "test_eltwise_unary_sfpu.py", ("test",),
        words=("-k", "edges and Heaviside and Float32"), variants=4),
    Bug(39, "tt-metal#56138", "the square root of -0 is NaN",
        (Edit(_OF_VECTOR + "sqrt.h",
              r"v_if\(_bits_without_sign_\(x\) == 0\) { y = x; }(\s*)v_elseif", r"\1v_if"),
         Edit(_OF_VECTOR + "sqrt.h", r"_bits_without_sign_\(x\) != 0", "x_bits != 0")),
        "test_eltwise_unary_sfpu.py", ("test",),
        words=("-k", "sqrt_family_negative_zero"), variants=4),
    Bug(40, "tt-metal#56138", "sqrt_custom of -infinity is -infinity",
        (Edit(_OF_VECTOR + "sqrt_custom.h", r"if constexpr \(NEGATIVE_INFINITY_SAFE\)",
              "if constexpr (false)"),),
        "test_eltwise_unary_sfpu.py", ("test",), words=("-k", "sqrt_custom_infinity")),
    Bug(41, "test_topk_const_leak.py", "topk's merge leaves its mask in LReg[11]",
        (Edit(SFPU + "ckernel_sfpu_topk.h", r"p_sfpu::LREG14", "p_sfpu::LCONST_neg1"),),
        "test_topk_const_leak.py", ("test", "K6"), variants=2),
    Bug(42, "test_topk_finalize_uint16.py",
        "Wormhole's topk names an ADDR_MOD that spills into the mode of SFPLOAD and SFPSTORE",
        (Edit(WORMHOLE + "common/inc/sfpu/ckernel_sfpu_topk.h", r"ADDR_MOD_3", "ADDR_MOD_7",
              "_topk_finalize_hi16_index_tile_"),),
        "test_topk_finalize_uint16.py", ("test",), arch="wormhole"),
    Bug(43, "test_sfpu_reduce_multidim.py",
        "a row's smallest or largest of Int32 takes the direction of SFPSWAP from the columns",
        (without(_OF_VECTOR + "reduce.h", "perform_reduce_row_max_min_int32",
                 r"set_sfpswap_direction<[^;]*;"),),
        "test_sfpu_reduce_multidim.py", ("test",), words=("-k", "Int32 and M"), variants=4),
    Bug(44, "tt-llk#1512",
        "a broadcast of 32 bits writes the high halves in Dst before it has read the low ones",
        (Edit(_COPY, r"(TT_MOVD2B\(p_mov::DEST_32B_LOW[^\n]*\n)([\s\S]*?)(// BH HW bug)",
              r"\2\1\3"),),
        "test_bcast.py", ("test",), words=("-k", "32"), variants=4),
    Bug(45, "tt-llk#1437", "UInt32 is taken for Int32, and the Matrix Unit's INT8 mode is on",
        (Edit(COMMON + "ckernel_defs.h", r"\(format == to_underlying\(DataFormat::Int32\)\)",
              "(masked_data_format(format) == to_underlying(DataFormat::Int32))",
              "is_int8_or_int32_format"),),
        "test_pack_rows.py", words=("-k", "UInt32"),
        why_not="UInt32 goes to Dst and from it, and the Matrix Unit computes nothing with it"),
    Bug(46, "tt-llk#1016", "T0, and not T1, sets the 32-bit mode of Dst, which T1 uses",
        (Edit(COMMON + "cunpack_common.h", r"(constexpr std::uint32_t alu_mask\s*=[^;]*);",
              r"\1 | " + " | ".join(f"{name}_MASK" for name in _FP32) + ";" + _T0_SETS_FP32),
         without(LIB + "llk_math_common.h", "_llk_math_hw_configure_",
                 r"cfg_reg_rmw_tensix<ALU_ACC_CTRL_(SFPU_)?Fp32_enabled_RMW>[^;]*;")),
        "test_eltwise_unary_sfpu.py", ("race",), words=("-k", "dest_acc:Yes and Square")),
    Bug(47, "tt-llk#914",
        "`_llk_unpack_AB_reduce_block_max_row_uninit_` does not wait for the unpackers",
        (without(LIB + "experimental/llk_unpack_AB_reduce_custom.h",
                 "_llk_unpack_AB_reduce_block_max_row_uninit_"),),
        "test_reduce_block_max.py",
        why_not="UNPACR has sampled both words when the WRCFG of its thread comes "
                "(UNPACR_Regular.md)"),
    Bug(48, "tt-metal#34499", "a reconfiguration away from UInt8 leaves SrcAUnsigned",
        (without(LIB + "llk_unpack_common.h", "_llk_unpack_reconfig_data_format_srca_impl_",
                 r"cfg_reg_rmw_tensix<ALU_FORMAT_SPEC_REG0_SrcAUnsigned_RMW>[^;]*;"),),
        "z_state/reconfig/test_unpack_reconfig.py", words=("-k", "Int8"), variants=4,
        why_not="the formats of its test are Int8, and none is UInt8"),
)
# fmt: on
