# SPDX-License-Identifier: Apache-2.0
"""The checks of stages: what each is, why it matters, what mends it, its page."""

from __future__ import annotations

import enum

from tensix_gdb.core.race.checks.rule import Rule

_TENSIX = "TensixCoprocessor/"


class Number(enum.IntEnum):
    """The checks by number, for the functions of the machine."""

    F1 = 1
    F2 = 2
    F3 = 3
    F4 = 4
    F5 = 5
    F6 = 6
    F7 = 7
    F8 = 8
    F9 = 9


# fmt: off
ROWS: tuple[Rule, ...] = (
    Rule(Number.F1, "Dst is written with datums of one width and read with another",
         "a unit reads rows of Dst as 16 bits that were written as 32, or the reverse",
         "A row of 32 bits lies in two rows of 16, eight apart: what is read is parts of others.",
         "the same width in all stages: fp32_dest_acc_en, or DST_ACCUM_MODE, of unpack, math and "
         "pack alike", _TENSIX + "Dst.md"),
    Rule(Number.F2, "Dst is written in one format and read in another",
         "a unit reads rows of Dst as floats with 8 bits of exponent that were written with 5, the "
         "reverse; or the packer takes floats of 16 bits for integers, or the reverse",
         "The bits mean another number.",
         "the format of Dst in the hw_configure or reconfig_data_format of the later stage",
         _TENSIX + "FormatConversion.md"),
    Rule(Number.F3, "a tile is packed in one format and unpacked in another",
         "an unpacker reads L1 that the packer has written in another format: another size of a "
         "datum, another size of exponents, or block float for plain datums",
         "The bits mean other numbers, and the tile has another size.",
         "the format of the tile in the hw_configure or reconfig_data_format of the unpacker",
         _TENSIX + "Unpackers/FormatConversion.md"),
    Rule(Number.F4, "an edge mask is left on",
         "the packer replaces datums that are not 0 by an edge mask, in rows that an element-wise "
         "instruction or a move has written; after a product, a pool or an SFPSTORE of the kernel "
         "only in a tile all rows of which are of an element-wise operation",
         "A reduction packs one row or one column; what packs next has to clear the mask.",
         "_llk_pack_reduce_mask_clear_, reduce_uninit, before the next operation",
         _TENSIX + "Packers/EdgeMasking.md"),
    Rule(Number.F5, "a source is unpacked in one format and computed with in another",
         "the Matrix Unit takes a bank of SrcA or SrcB for floats with 8 bits of exponent that was "
         "unpacked with 5, or the reverse, or floats for integers",
         "The bits mean another number.",
         "the same family of formats for both sources, and in the configuration of the Matrix Unit",
         _TENSIX + "SrcASrcB.md"),
    Rule(Number.F6, "integers are moved as floats that may be denormals",
         "MOVA2D or MOVB2D makes 0 of an integer of 16 bits that is not 0, because the bits of an "
         "exponent are 0 there",
         "While Zero_Flag_disabled_src is 0, a datum with those bits 0 counts as 0.",
         "ALU_ACC_CTRL_Zero_Flag_disabled_src = 1 for integers, as LLK's hw_configure of math "
         "sets it", _TENSIX + "MOVA2D.md"),
    Rule(Number.F7, "the packer steps through Dst by rows of another size",
         "Ystride of the packer is not 16 datums of its input format, and rows after the first are "
         "read by it",
         "Strides are bytes: those of another format skip rows, or read some twice.",
         "set_packer_strides, or a hw_configure or reconfig_data_format of the packer, with the "
         "format", _TENSIX + "Packers/InputAddressGenerator.md"),
    Rule(Number.F8, "an unpacker steps through its target by faces of another size",
         "Zstride of an unpacker is 256 datums of another size than its output format has, and a "
         "face is put there by it, to SrcA, SrcB or Dst",
         "Strides are bytes: faces lie one over the other, or apart.",
         "the hw_configure of the unpacker, with the format; reconfig_data_format with it",
         _TENSIX + "Unpackers/README.md"),
    Rule(Number.F9, "faces of a tile are packed that nothing has written",
         "the packer reads cleared rows of a tile in Dst, other faces of which element-wise "
         "instructions, moves or an unpacker have written, and nothing else",
         "What is cleared is 0, so a part of the tile in L1 is 0.",
         "the same number of faces, num_faces, in the init of unpacker, math and packer",
         _TENSIX + "Dst.md"),
)
# fmt: on
