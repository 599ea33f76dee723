# SPDX-License-Identifier: Apache-2.0
"""Fixes of LLK's history, and how each is undone: a statement of a function, by a short pattern.

All of them were made because a kernel went wrong on a card, or a review said that it could. `said`
and `between` say what has to be reported: a verdict or a check, and regular expressions for
`INSTRUCTION FILE:LINE FUNCTION` of both sides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scripts.llktests.scratch import Edit

_COMMON, _LIB = "tt_llk_blackhole/common/inc/", "tt_llk_blackhole/llk_lib/"
_ANY_STALL = r"TTI_STALLWAIT\([^;]*\);"


@dataclass(frozen=True, slots=True)
class Fix:
    """One of them. The test is a file of the suite, or a test's id; of a file, so many variants."""

    number: int
    links: str
    what: str
    edits: tuple[Edit, ...]
    test: str
    said: str = "race"
    between: tuple[str, str] = ("", "")
    variants: int = 1
    seed: str = "1"
    checks: tuple[str, ...] = ()
    strict: bool = False
    # The seed of `random` in which the run is observed; 0: in `latency`.
    observed_in: int = 0

    def is_said_by(self, kind: str, earlier: str, later: str) -> bool:
        """True if a report is about the bug."""
        sides = zip(self.between, (earlier, later), strict=True)
        return kind == self.said and all(re.search(one, text) for one, text in sides)


def _without(file: str, function: str, statement: str = _ANY_STALL) -> Edit:
    """Leave a statement out."""
    return Edit(file, statement, "", function)


# fmt: off
FIXES = (
    Fix(1, "tt-metal#14694",
        "UNPACR begins before the stores of its address are done, in `_llk_unpack_A_`",
        (_without(_LIB + "llk_unpack_A.h", "_llk_unpack_A_"),), "test_unpack_A.py",
        between=("^sw .*_llk_unpack_A_", "^UNPACR .*_llk_unpack_A_"), variants=2),
    Fix(2, "tt-metal#12855", "the same in `_llk_unpack_AB_matmul_`",
        (_without(_LIB + "llk_unpack_AB_matmul.h", "_llk_unpack_AB_matmul_",
                  r"TTI_STALLWAIT\([^;]*TRISC_CFG\);"),), "test_matmul.py",
        between=("^sw ", "^UNPACR .*_llk_unpack_AB_matmul_"), variants=2),
    Fix(3, "tt-metal#55108", "`mailbox_read` returns before the message is there",
        (Edit(_COMMON + "ckernel.h", r"load_blocking\(&(mailbox_base\[thread\]\[0\])\)", r"\1",
              "mailbox_read"),), "test_mailbox_read_completion.py",
        between=("^lw .*read_field", "^RMWCIB0 .*:81 ")),
    Fix(4, "tt-llk#1164", "`tensix_sync` does not use the value that it loads",
        (Edit(_COMMON + "ckernel.h", r"and x0, x0, %\[raw\]", "", "store_blocking"),),
        "test_tensix_sync_mop_drain.py", between=("reset_counter|read_counter", "_counter")),
    Fix(5, "tt-metal#55664, tt-metal#55807",
        "`_llk_set_fp32_dest_acc_` lets the other threads go before its RMWCIB are done",
        (Edit(_LIB + "llk_fp32_dest_acc.h", r"tensix_sync\(\);(?=\s+mailbox_write)", "",
              "_llk_set_fp32_dest_acc_"),), "test_fp32_dest_acc_release_order.py",
        between=("^RMWCIB0 ", "^lw .*dest_acc_field_set")),
    Fix(6, "tt-llk#1695, tt-llk#1061",
        "`configure_pack` stores to configuration while the packer packs",
        (_without(_COMMON + "cpack_common.h", "configure_pack", r"tensix_sync\(\);"),),
        "test_tilize_polluter_matmul.py", between=("^PACR ", "^sw .*set_packer_config"),
        variants=2),
    Fix(7, "tt-llk#359, tt-llk#367",
        "MOVD2B and MOVB2A of `transpose_dest` write banks that may be the unpackers'",
        (Edit(_LIB + "llk_math_transpose_dest.h", r"p_stall::SRCA_VLD \| p_stall::SRCB_VLD", "0",
              "_llk_math_transpose_dest_"),), "test_transpose_dest.py",
        between=("^UNPACR_NOP ", "^MOV(D2B|B2A) "), variants=2),
    Fix(8, "tt-metal#52256",
        "a wait for SRCA_VLD or SRCB_VLD tests the bank from before a flip, in dest reuse",
        (Edit(_COMMON + "cmath_common.h", r"p_stall::MATH \| p_stall::SRCA_VLD",
              "p_stall::SRCA_VLD", "move_d2a_fixed_face"),
         Edit(_COMMON + "cmath_common.h", r"p_stall::MATH \| p_stall::SRCB_VLD",
              "p_stall::SRCB_VLD", "move_d2b_fixed_face")),
        "test_eltwise_binary.py", said="S3", between=("", "^MOVD2[AB] "), variants=6,
        checks=("S3",)),
    Fix(9, "llk_math_hadamard.h", "MOVD2B reads what MVMUL has not written yet",
        (Edit(_LIB + "experimental/llk_math_hadamard.h",
              r"TTI_STALLWAIT\(p_stall::STALL_MATH, p_stall::MATH\);", "",
              "_llk_math_hadamard_h128_"),), "test_hadamard.py", between=("^MVMUL ", "^MOVD2B "),
        variants=2),
    Fix(10, "tt-llk#68", "the unpacker reads tiles that the packer is still writing",
        (Edit("tests/sources/tilize_calculate_untilize_L1.cpp",
              r"t6_semaphore_wait_on_zero<p_stall::STALL_SYNC>\(\s*semaphore::PACK_DONE\);",
              "\n"),
         # With many tiles the packer has to be done with one before the unpacker comes to it: Dst
         # and the banks are free for two at a time.
         Edit("tests/python_tests/test_tilize_calculate_untilize_L1.py", r"num_blocks = 32",
              "num_blocks = 1")),
        # In `latency` a semaphore that is posted for another reason orders the two.
        "test_tilize_calculate_untilize_L1.py", between=("^PACR ", "^UNPACR "), observed_in=1),
    Fix(11, "tt-metal#55107, tt-metal#53631",
        "the same as 8 in `_llk_math_sdpa_custom_mm_reuse_dest_srcb_`",
        (Edit(_LIB + "experimental/llk_math_sdpa_custom_mm_reuse_dest_srcb.h",
              r"p_stall::MATH \| p_stall::SRCB_VLD", "p_stall::SRCB_VLD"),),
        "test_sdpa_custom_mm_reuse_dest_srcb.py", said="S3", between=("", "^MOVD2B "), variants=2,
        checks=("S3",)),
    Fix(12, "tt-metal#55750",
        "the address of a tile is stored while UNPACR has not taken that of the tile before, in "
        "`_llk_unpack_hadamard_h128_`",
        (Edit(_LIB + "experimental/llk_unpack_hadamard.h", r"wait_for_next_context\(1\)",
              "wait_for_next_context(2)", "_llk_unpack_hadamard_h128_"),),
        "test_hadamard.py::test_hadamard_h128_dest_acc[num_tiles:4]",
        between=("^UNPACR ", "^sw .*_llk_unpack_configure_addresses_")),
)
# fmt: on
