# SPDX-License-Identifier: Apache-2.0
"""Bugs of 2026 in LLK, and how the fix of each is undone: `scripts/llk lanes`.

They are from threads of tt-llk and tt-metal, and none is in fixes.py. `lanes` are those of the job
that find it: `test`, the verdict of a race, or a check.
"""

from __future__ import annotations

from dataclasses import dataclass

from scripts.llktests.scratch import Edit

_BLACKHOLE, _WORMHOLE = "tt_llk_blackhole/", "tt_llk_wormhole_b0/"
_COMMON, _LIB = _BLACKHOLE + "common/inc/", _BLACKHOLE + "llk_lib/"
_SFPU, _NEW = _COMMON + "sfpu/", _LIB + "experimental/"
_METAL = "../hw/ckernels/blackhole/metal/llk_api/"
_TILIZE = _LIB + "llk_unpack_tilize.h"
_ANY_STALL = r"TTI_STALLWAIT\([^;]*\);"
_CLR_MINUS_ONE = r"_restore_lconst_neg1_\(\);"


@dataclass(frozen=True, slots=True)
class Bug:
    """One of them. The test is a file of the suite or a test's id, with `words` for pytest; of a
    file, so many variants are run. `why_not` is why no lane finds it."""

    number: int
    links: str
    what: str
    edits: tuple[Edit, ...]
    test: str
    lanes: tuple[str, ...] = ()
    variants: int = 1
    words: tuple[str, ...] = ()
    arch: str = "blackhole"
    contents: bool = False  # look with other contents of what nothing writes, too
    why_not: str = ""


def _without(file: str, function: str, statement: str = _ANY_STALL) -> Edit:
    """Leave a statement out."""
    return Edit(file, statement, "", function)


# fmt: off
BUGS = (
    Bug(1, "tt-llk#1699, tt-metal#56333",
        "sinkhorn leaves its lane mask in LReg[11], which others read as -1.0",
        (_without(_SFPU + "experimental/ckernel_sfpu_sinkhorn.h", "", _CLR_MINUS_ONE),),
        "test_sinkhorn_lconst_neg1_regression.py", ("test", "K6")),
    Bug(2, "tt-metal#41594, tt-metal#43993", "the same in softmax_k",
        (_without(_SFPU + "experimental/ckernel_sfpu_softmax_k.h", "", _CLR_MINUS_ONE),),
        "test_sfpu_softmax_k.py", ("K6",), words=("-k", "k:15")),
    Bug(3, "tt-llk#1701", "a scalar compare converts the bits of its threshold to a float",
        (Edit(_SFPU + "ckernel_sfpu_comp.h", r"Converter::as_float\(value\)",
              "static_cast<float>(value)", "_calculate_comp_unary_"),),
        "test_sfpu_comp_unary_threshold.py", ("test",)),
    Bug(4, "tt-llk#1387",
        "accumulation in L1 is switched while the packer packs, in `reconfigure_packer_l1_acc`",
        (_without(_COMMON + "cpack_common.h", "reconfigure_packer_l1_acc"),),
        "test_fused.py::test_fuser[l1_accumulation]",
        why_not="its test passes and nothing is reported; the reason was not looked for"),
    Bug(5, "tt-llk#914", "`_llk_pack_untilize_uninit_` does not wait for the packer",
        (_without(_LIB + "llk_pack_untilize.h", "_llk_pack_untilize_uninit_"),),
        "test_pack_untilize.py",
        why_not="`_llk_pack_dest_section_done_` has waited for the packer before it"),
    Bug(6, "tt-llk#914", "`_llk_unpack_tilize_uninit_` does not wait for the unpackers",
        (_without(_TILIZE, "_llk_unpack_tilize_uninit_",
                  r"TTI_STALLWAIT\(p_stall::STALL_THCON[^;]*;"),),
        "test_unpack_tilize_uninit_restore.py",
        why_not="in its test a semaphore of the packer orders them"),
    Bug(7, "tt-llk#1274",
        "`_llk_math_mul_reduce_scalar_move_dest_to_src_` moves from the other half of Dst",
        (Edit(_NEW + "llk_math_mul_reduce_scalar.h", r"get_dest_buffer_base\(\)", "0",
              "_llk_math_mul_reduce_scalar_move_dest_to_src_"),),
        "test_mul_reduce_scalar.py",
        why_not="its test has one section, in the half with base 0"),
    Bug(8, "tt-metal#52727", "`_llk_pack_custom_mm_uninit_` leaves the packer's Wstride",
        (_without(_NEW + "llk_pack_custom_mm.h", "_llk_pack_custom_mm_uninit_",
                  r"cfg_reg_rmw_tensix<[^;]*;"),),
        "test_custom_mm_uninit_restore.py", ("test",), words=("-k", "restores_dense_wstride")),
    Bug(9, "tt-metal#45127", "`_llk_unpack_tilizeA_B_uninit_` leaves the Ystride of unpacker 0",
        (Edit(_TILIZE, r"cfg_reg_rmw_tensix<UNP0_ADDR_CTRL_XY_REG_1_Ystride[^;]*\n[^;]*;", "\n",
              "_llk_unpack_tilizeA_B_uninit_"),),
        "test_unpack_tilizeA_B_uninit_restore.py",
        variants=4,
        why_not="its test passes and nothing is reported; the reason was not looked for"),
    Bug(10, "tt-llk#1161",
        "a reconfiguration of the format leaves the Zstride of unpacker 0 as it was",
        (_without(_LIB + "llk_unpack_common.h", "_llk_unpack_reconfig_data_format_srca_impl_",
                  r"cfg_reg_rmw_tensix<UNP0_ADDR_CTRL_ZW_REG_1_Zstride_RMW>[^;]*;"),),
        "z_state/reconfig/test_unpack_stride_staleness_repro.py", variants=4,
        why_not="its test passes and nothing is reported; the reason was not looked for"),
    Bug(11, "tt-metal#34499",
        "a reconfiguration away from Int8 leaves the Matrix Unit's INT8 mode on",
        (Edit(_LIB + "llk_math_common.h",
              r"cfg_reg_rmw_tensix<ALU_ACC_CTRL_INT8_math_enabled_RMW>\(int8_math_enabled\);",
              "(void)int8_math_enabled;", "_llk_math_reconfig_data_format_srca_"),),
        "z_state/reconfig/test_math_reconfig.py", variants=6,
        why_not="the six variants that ran do not show it"),
    Bug(12, "tt-metal#45127",
        "`_llk_unpack_tilize_uninit_` restores Tile_x_dim for faces of 16 rows, whatever they have",
        (Edit(_TILIZE, r"canonical_unpA_tile_x_dim_cntx\(face_r_dim\)",
              "canonical_unpA_tile_x_dim_cntx((void(face_r_dim), FACE_R_DIM))",
              "_llk_unpack_tilize_uninit_"),),
        "test_unpack_tilize_uninit_restore_tiny.py", ("test", "K1", "U1")),
    Bug(13, "tt-llk#1163", "a datacopy of 32-bit integers clears the zero flags of 16-bit rows",
        (Edit(_LIB + "llk_math_eltwise_unary_datacopy.h",
              r"\|\| dst_format_masked == \(std::uint32_t\)DataFormat::Int32 \|\|\s*"
              r"dst_format_masked == \(std::uint32_t\)DataFormat::UInt32", "\n",
              "_llk_math_eltwise_unary_datacopy_"),),
        "test_pack_rows.py", words=("-k", "Int32"),
        
        why_not="two instructions have to meet in a cycle"),
    Bug(14, "tt-metal#52745", "sampling's reciprocal relies on a constant that another op may set",
        (_without(_METAL + "experimental/llk_sfpu/ckernel_sfpu_sampling.h", "sampling_recip_init",
                  r"sfpu_reciprocal_init<APPROX>\(\);"),),
        "test_sfpu_sampling.py", ("test",), words=("-k", "prgm0_hazard"), variants=4),
    Bug(15, "tt-llk#1565", "signbit's address modifier advances no row",
        (_without(_METAL + "llk_sfpu/ckernel_sfpu_signbit.h", "signbit_init",
                  r"addr_mod_t\{[^;]*;"),
         Edit(_LIB + "llk_math_eltwise_unary_sfpu.h", r"sfpu_op == SfpuType::signbit \|\|", "")),
        "test_eltwise_unary_sfpu.py", ("test", "race"), words=("-k", "Signbit")),
    Bug(16, "tt-metal#52709",
        "the product tiles of RMSNorm are cleared while the Vector Unit reads",
        (_without(_NEW + "llk_math_rmsnorm_bcast_scalar_dest_reuse.h", "",
                  r"TTI_STALLWAIT\(p_stall::STALL_MATH, p_stall::WAIT_SFPU\);"),),
        "test_rmsnorm_clear_product_tile.py",
        why_not="nothing in it is reported, and the result is right"),
    Bug(17, "tt-llk#1658", "`_llk_pack_relu_config_` writes a word that other threads have bits in",
        (Edit(_LIB + "llk_pack_common.h", r"0, hw_relu_mask>", "0, 0xffffffff>",
              "_llk_pack_relu_config_"),
         _without(_LIB + "llk_pack_common.h", "_llk_pack_relu_config_",
                  r"constexpr std::uint32_t hw_relu_mask[^;]*;"),
         _without(_LIB + "llk_pack_common.h", "_llk_pack_relu_config_",
                  r"t6_mutex_(acquire|release)\(mutex::REG_RMW\);")),
        "test_fused.py::test_fuser[pack_relu]", ("race", "K1")),
    Bug(18, "tt-metal#52930", "sqrt_custom of infinity is NaN, and what is made of it",
        (Edit(_METAL + "llk_sfpu/ckernel_sfpu_sqrt_custom.h", r"&& sfpi::is_finite\(val\)", ""),),
        "test_eltwise_unary_sfpu.py", words=("-k", "SqrtCustom"),
        why_not="no datum of the variant is infinite"),
    Bug(19, "tt-llk#1231", "the unpackers' wait for Dst holds back other instructions than theirs",
        (Edit(_COMMON + "cunpack_common.h", r"p_stall::STALL_UNPACK", "p_stall::UNPACK",
              "wait_for_dest_available"),),
        "test_pack_rows.py", words=("-k", "Int32"),
        why_not="its test passes and nothing is reported; the reason was not looked for"),
    Bug(20, "tt-metal#54806", "the tests' start leaves instruction gathering on",
        (Edit("tests/helpers/include/boot.h", r"configure_gathering\(\);", ""),),
        "test_gathering_config.py", ("test",), words=("-k", "all_risc_firmware")),
    Bug(21, "tt-llk#1342", "a kernel's configure leaves accumulation in L1 as the last one had it",
        (_without(_COMMON + "cpack_common.h", "set_packer_config",
                  r"reconfigure_packer_l1_acc\(0\);"),),
        "test_pack.py", contents=True,
        why_not="with other contents the result is the same"),
    Bug(22, "tt-llk#1346, tt-llk#1502",
        "a kernel's configure leaves the packer's exponent threshold as the last one had it",
        (_without(_COMMON + "cpack_common.h", "set_packer_config",
                  r"reconfigure_exp_threshold<[^;]*;"),),
        "test_pack.py", contents=True,
        why_not="with other contents the result is the same"),
    Bug(23, "tt-llk#1120",
        "Wormhole's relu_min reads its threshold in an LReg that it does not set",
        (_without(_WORMHOLE + "common/inc/sfpu/ckernel_sfpu_relu.h", "_relu_min_",
                  r"_sfpu_load_imm32_\(p_sfpu::LREG2, __builtin_bit_cast[^;]*;"),),
        "test_relu_min_lreg2_regression.py", ("test",), arch="wormhole"),
    Bug(24, "tt-metal#56807", "a test ends without the uninit of its mode: tilize stays on",
        (Edit("tests/sources/unpack_tilize_test.cpp", r"_llk_unpack_tilize_uninit_wrapper_\([^;]*;",
              ""),),
        "test_unpack_tilize.py", ("K1",)),
    Bug(25, "tt-llk#1701", "gelu's derivative of NaN is 1 or 0",
        (Edit(_METAL + "llk_sfpu/ckernel_sfpu_gelu.h",
              r"is_fp32_dest_acc_en \? sfpi::vBool\(neg_x <= -GELU_DERIV_SAT_ONE\) : ", "",
              "calculate_gelu_derivative_simple"),),
        "test_gelu_derivative_specials.py", ("test",)),
    Bug(26, "tt-metal#56076", "the table of tanh exceeds 1 between two neighbours of bfloat16",
        (Edit(_METAL + "llk_sfpu/ckernel_sfpu_tanh.h", r"vLut16ss\(0\.0390625f, 0\.0f\)",
              "vLut16ss(0.039123535f, 0.0f)"),),
        "test_tanh_specials.py", ("test",), words=("-k", "fp32_bound")),
)
# fmt: on
