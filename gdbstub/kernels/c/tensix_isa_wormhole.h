/* SPDX-License-Identifier: Apache-2.0
 * Words of Tensix instructions: an instruction, its fields with a value, and fields
 * with a named value. `UNPACR_Regular | UNPACR_which_unpacker_UNP1` is a word.
 * Made by `python -m tensix_gdb.gdbstub.kernels.headers`. */
#pragma once

/* A constant that a field cannot hold is an error when it is compiled. */
#ifdef __cplusplus
extern "C"
#endif
unsigned tt_too_big(void) __attribute__((error("a value is too big for its field")));
#define TT_FIELD(value, width, shift) \
    ((__builtin_constant_p(value) && (unsigned)(value) >> (width) ? tt_too_big() \
                                                                  : (unsigned)(value)) \
     << (shift))

#define ADDDMAREG_Reg 0x58000000u
#define ADDDMAREG_Imm 0x58800000u
/* where the result goes to */
#define ADDDMAREG_result_reg(value) TT_FIELD(value, 6, 12)
/* right operand */
#define ADDDMAREG_right_reg(value) TT_FIELD(value, 6, 6)
/* left operand */
#define ADDDMAREG_left_reg(value) TT_FIELD(value, 6, 0)
/* right operand, a constant below 64 */
#define ADDDMAREG_right_imm6(value) TT_FIELD(value, 6, 6)

#define ADDRCRXY 0x53000000u
/* the packers' counters */
#define ADDRCRXY_pk(value) TT_FIELD(value, 1, 23)
/* Unpacker 1's counters */
#define ADDRCRXY_u1(value) TT_FIELD(value, 1, 22)
/* Unpacker 0's counters */
#define ADDRCRXY_u0(value) TT_FIELD(value, 1, 21)
/* the thread that has the counters */
#define ADDRCRXY_thread_override(value) TT_FIELD(value, 2, 18)
#define ADDRCRXY_thread_override_NONE 0x00000000u
#define ADDRCRXY_thread_override_T0 0x00040000u
#define ADDRCRXY_thread_override_T1 0x00080000u
#define ADDRCRXY_thread_override_T2 0x000c0000u
/* what to add to Y of channel 1 */
#define ADDRCRXY_y1_inc(value) TT_FIELD(value, 3, 15)
/* what to add to X of channel 1 */
#define ADDRCRXY_x1_inc(value) TT_FIELD(value, 3, 12)
/* what to add to Y of channel 0 */
#define ADDRCRXY_y0_inc(value) TT_FIELD(value, 3, 9)
/* what to add to X of channel 0 */
#define ADDRCRXY_x0_inc(value) TT_FIELD(value, 3, 6)
/* write Y of channel 1 */
#define ADDRCRXY_y1(value) TT_FIELD(value, 1, 3)
/* write X of channel 1 */
#define ADDRCRXY_x1(value) TT_FIELD(value, 1, 2)
/* write Y of channel 0 */
#define ADDRCRXY_y0(value) TT_FIELD(value, 1, 1)
/* write X of channel 0 */
#define ADDRCRXY_x0(value) TT_FIELD(value, 1, 0)

#define ADDRCRZW 0x56000000u
/* the packers' counters */
#define ADDRCRZW_pk(value) TT_FIELD(value, 1, 23)
/* Unpacker 1's counters */
#define ADDRCRZW_u1(value) TT_FIELD(value, 1, 22)
/* Unpacker 0's counters */
#define ADDRCRZW_u0(value) TT_FIELD(value, 1, 21)
/* the thread that has the counters */
#define ADDRCRZW_thread_override(value) TT_FIELD(value, 2, 18)
#define ADDRCRZW_thread_override_NONE 0x00000000u
#define ADDRCRZW_thread_override_T0 0x00040000u
#define ADDRCRZW_thread_override_T1 0x00080000u
#define ADDRCRZW_thread_override_T2 0x000c0000u
/* what to add to W of channel 1 */
#define ADDRCRZW_w1_inc(value) TT_FIELD(value, 3, 15)
/* what to add to Z of channel 1 */
#define ADDRCRZW_z1_inc(value) TT_FIELD(value, 3, 12)
/* what to add to W of channel 0 */
#define ADDRCRZW_w0_inc(value) TT_FIELD(value, 3, 9)
/* what to add to Z of channel 0 */
#define ADDRCRZW_z0_inc(value) TT_FIELD(value, 3, 6)
/* write W of channel 1 */
#define ADDRCRZW_w1(value) TT_FIELD(value, 1, 3)
/* write Z of channel 1 */
#define ADDRCRZW_z1(value) TT_FIELD(value, 1, 2)
/* write W of channel 0 */
#define ADDRCRZW_w0(value) TT_FIELD(value, 1, 1)
/* write Z of channel 0 */
#define ADDRCRZW_z0(value) TT_FIELD(value, 1, 0)

#define APOOL3S1 0x25000000u
/* hand the bank of SrcB back to the unpackers */
#define APOOL3S1_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define APOOL3S1_flip_src_a(value) TT_FIELD(value, 1, 22)
/* how the row counters advance */
#define APOOL3S1_addr_mod(value) TT_FIELD(value, 2, 15)
/* no effect is left */
#define APOOL3S1_index_en(value) TT_FIELD(value, 1, 14)
/* row of Dst, to which counters and offsets are added */
#define APOOL3S1_dst_row(value) TT_FIELD(value, 10, 0)

#define APOOL3S2 0x32000000u
/* hand the bank of SrcB back to the unpackers */
#define APOOL3S2_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define APOOL3S2_flip_src_a(value) TT_FIELD(value, 1, 22)
/* how the row counters advance */
#define APOOL3S2_addr_mod(value) TT_FIELD(value, 2, 15)
/* no effect is left */
#define APOOL3S2_index_en(value) TT_FIELD(value, 1, 14)
/* row of Dst, to which counters and offsets are added */
#define APOOL3S2_dst_row(value) TT_FIELD(value, 10, 0)

#define ATCAS 0x64000000u
/* value to write then */
#define ATCAS_set_val(value) TT_FIELD(value, 4, 18)
/* value to wait for */
#define ATCAS_cmp_val(value) TT_FIELD(value, 4, 14)
/* which word of the 16 bytes */
#define ATCAS_ofs(value) TT_FIELD(value, 2, 12)
/* address in L1 in units of 16 bytes */
#define ATCAS_addr_reg(value) TT_FIELD(value, 6, 0)

#define ATGETM 0xa0000000u
/* the mutex: 0, 2, 3 or 4, on Wormhole 0 and 2 to 7 */
#define ATGETM_index(value) TT_FIELD(value, 16, 0)

#define ATINCGET 0x61000000u
/* width of the integer that wraps around, see the page */
#define ATINCGET_int_width(value) TT_FIELD(value, 5, 14)
/* which word of the 16 bytes */
#define ATINCGET_ofs(value) TT_FIELD(value, 2, 12)
/* what is added, then the old value of the word */
#define ATINCGET_in_out_reg(value) TT_FIELD(value, 6, 6)
/* address in L1 in units of 16 bytes */
#define ATINCGET_addr_reg(value) TT_FIELD(value, 6, 0)

#define ATINCGETPTR 0x62000000u
/* do not add */
#define ATINCGETPTR_no_incr(value) TT_FIELD(value, 1, 22)
/* logarithm of what is added */
#define ATINCGETPTR_incr_log2(value) TT_FIELD(value, 4, 18)
/* width of the integer that wraps around, see the page */
#define ATINCGETPTR_int_width(value) TT_FIELD(value, 4, 14)
/* which word of the 16 bytes */
#define ATINCGETPTR_ofs(value) TT_FIELD(value, 2, 12)
/* where the result goes to */
#define ATINCGETPTR_result_reg(value) TT_FIELD(value, 6, 6)
/* address in L1 in units of 16 bytes */
#define ATINCGETPTR_addr_reg(value) TT_FIELD(value, 6, 0)

#define ATRELM 0xa1000000u
/* the mutex: 0, 2, 3 or 4, on Wormhole 0 and 2 to 7 */
#define ATRELM_index(value) TT_FIELD(value, 16, 0)

#define ATSWAP 0x63000000u
/* one GPR in its place of the 16 bytes, zeros elsewhere */
#define ATSWAP_single_data_reg(value) TT_FIELD(value, 1, 22)
/* which of the eight halves are written */
#define ATSWAP_mask(value) TT_FIELD(value, 8, 14)
/* what is written */
#define ATSWAP_data_reg(value) TT_FIELD(value, 6, 6)
/* address in L1 in units of 16 bytes */
#define ATSWAP_addr_reg(value) TT_FIELD(value, 6, 0)

#define BITWOPDMAREG_Reg 0x5b000000u
#define BITWOPDMAREG_Imm 0x5b800000u
/* the operation */
#define BITWOPDMAREG_mode(value) TT_FIELD(value, 3, 18)
#define BITWOPDMAREG_mode_AND 0x00000000u
#define BITWOPDMAREG_mode_OR 0x00040000u
#define BITWOPDMAREG_mode_XOR 0x00080000u
/* where the result goes to */
#define BITWOPDMAREG_result_reg(value) TT_FIELD(value, 6, 12)
/* right operand */
#define BITWOPDMAREG_right_reg(value) TT_FIELD(value, 6, 6)
/* left operand */
#define BITWOPDMAREG_left_reg(value) TT_FIELD(value, 6, 0)
/* right operand, a constant below 64 */
#define BITWOPDMAREG_right_imm6(value) TT_FIELD(value, 6, 6)

#define CLEARDVALID 0x36000000u
/* hand the bank of SrcB back to the unpackers */
#define CLEARDVALID_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define CLEARDVALID_flip_src_a(value) TT_FIELD(value, 1, 22)
/* the Matrix Unit stays at its bank */
#define CLEARDVALID_keep_reading_same_src(value) TT_FIELD(value, 1, 1)
/* clear all valid flags, start from bank 0 */
#define CLEARDVALID_reset(value) TT_FIELD(value, 1, 0)

#define CLREXPHIST 0x21000000u

#define CMPDMAREG_Reg 0x5d000000u
#define CMPDMAREG_Imm 0x5d800000u
/* the operation */
#define CMPDMAREG_mode(value) TT_FIELD(value, 3, 18)
#define CMPDMAREG_mode_GT 0x00000000u
#define CMPDMAREG_mode_LT 0x00040000u
#define CMPDMAREG_mode_EQ 0x00080000u
/* where the result goes to */
#define CMPDMAREG_result_reg(value) TT_FIELD(value, 6, 12)
/* right operand */
#define CMPDMAREG_right_reg(value) TT_FIELD(value, 6, 6)
/* left operand */
#define CMPDMAREG_left_reg(value) TT_FIELD(value, 6, 0)
/* right operand, a constant below 64 */
#define CMPDMAREG_right_imm6(value) TT_FIELD(value, 6, 6)

#define CONV3S1 0x22000000u
/* hand the bank of SrcB back to the unpackers */
#define CONV3S1_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define CONV3S1_flip_src_a(value) TT_FIELD(value, 1, 22)
/* no effect is left */
#define CONV3S1_rotate_weights(value) TT_FIELD(value, 1, 17)
/* how the row counters advance */
#define CONV3S1_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define CONV3S1_dst_row(value) TT_FIELD(value, 10, 0)

#define CONV3S2 0x23000000u
/* hand the bank of SrcB back to the unpackers */
#define CONV3S2_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define CONV3S2_flip_src_a(value) TT_FIELD(value, 1, 22)
/* no effect is left */
#define CONV3S2_rotate_weights(value) TT_FIELD(value, 1, 17)
/* how the row counters advance */
#define CONV3S2_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define CONV3S2_dst_row(value) TT_FIELD(value, 10, 0)

#define DMANOP 0x60000000u

#define DOTPV 0x29000000u
/* hand the bank of SrcB back to the unpackers */
#define DOTPV_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define DOTPV_flip_src_a(value) TT_FIELD(value, 1, 22)
/* how the row counters advance */
#define DOTPV_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define DOTPV_dst_row(value) TT_FIELD(value, 10, 0)

#define ELWADD 0x28000000u
/* hand the bank of SrcB back to the unpackers */
#define ELWADD_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define ELWADD_flip_src_a(value) TT_FIELD(value, 1, 22)
/* add to Dst instead of writing it */
#define ELWADD_add_dst(value) TT_FIELD(value, 1, 21)
/* one row of SrcB for all rows */
#define ELWADD_broadcast_src_b_row(value) TT_FIELD(value, 1, 20)
/* column 0 of SrcB for all columns */
#define ELWADD_broadcast_src_b_col0(value) TT_FIELD(value, 1, 19)
/* how the row counters advance */
#define ELWADD_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define ELWADD_dst_row(value) TT_FIELD(value, 10, 0)

#define ELWMUL 0x27000000u
/* hand the bank of SrcB back to the unpackers */
#define ELWMUL_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define ELWMUL_flip_src_a(value) TT_FIELD(value, 1, 22)
/* add to Dst instead of writing it */
#define ELWMUL_add_dst(value) TT_FIELD(value, 1, 21)
/* one row of SrcB for all rows */
#define ELWMUL_broadcast_src_b_row(value) TT_FIELD(value, 1, 20)
/* column 0 of SrcB for all columns */
#define ELWMUL_broadcast_src_b_col0(value) TT_FIELD(value, 1, 19)
/* how the row counters advance */
#define ELWMUL_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define ELWMUL_dst_row(value) TT_FIELD(value, 10, 0)

#define ELWSUB 0x30000000u
/* hand the bank of SrcB back to the unpackers */
#define ELWSUB_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define ELWSUB_flip_src_a(value) TT_FIELD(value, 1, 22)
/* add to Dst instead of writing it */
#define ELWSUB_add_dst(value) TT_FIELD(value, 1, 21)
/* one row of SrcB for all rows */
#define ELWSUB_broadcast_src_b_row(value) TT_FIELD(value, 1, 20)
/* column 0 of SrcB for all columns */
#define ELWSUB_broadcast_src_b_col0(value) TT_FIELD(value, 1, 19)
/* how the row counters advance */
#define ELWSUB_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define ELWSUB_dst_row(value) TT_FIELD(value, 10, 0)

#define FLUSHDMA 0x46000000u
/* what to wait for; 0 means all four */
#define FLUSHDMA_wait(value) TT_FIELD(value, 4, 0)
#define FLUSHDMA_wait_C0 0x00000001u
#define FLUSHDMA_wait_C1 0x00000002u
#define FLUSHDMA_wait_C2 0x00000004u
#define FLUSHDMA_wait_C3 0x00000008u

#define GAPOOL 0x34000000u
/* hand the bank of SrcB back to the unpackers */
#define GAPOOL_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define GAPOOL_flip_src_a(value) TT_FIELD(value, 1, 22)
/* LLK: how much of SrcA; GMPOOL.md has 16X16 */
#define GAPOOL_dimension(value) TT_FIELD(value, 1, 19)
#define GAPOOL_dimension_DIM_1X16 0x00000000u
#define GAPOOL_dimension_DIM_16X16 0x00080000u
/* how the row counters advance */
#define GAPOOL_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define GAPOOL_dst_row(value) TT_FIELD(value, 10, 0)

#define GATESRCRST 0x35000000u
/* forget the cached row of SrcB */
#define GATESRCRST_invalidate_src_b_cache(value) TT_FIELD(value, 1, 1)
/* LLK: reset clock gating of SrcA; on no page */
#define GATESRCRST_reset_srca_gate_control(value) TT_FIELD(value, 1, 0)

#define GMPOOL 0x33000000u
/* hand the bank of SrcB back to the unpackers */
#define GMPOOL_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define GMPOOL_flip_src_a(value) TT_FIELD(value, 1, 22)
/* LLK: how much of SrcA; GMPOOL.md has 16X16 */
#define GMPOOL_dimension(value) TT_FIELD(value, 1, 19)
#define GMPOOL_dimension_DIM_1X16 0x00000000u
#define GMPOOL_dimension_DIM_16X16 0x00080000u
/* how the row counters advance */
#define GMPOOL_addr_mod(value) TT_FIELD(value, 2, 15)
/* also keep the index of the maximum */
#define GMPOOL_arg_max(value) TT_FIELD(value, 1, 14)
/* row of Dst, to which counters and offsets are added */
#define GMPOOL_dst_row(value) TT_FIELD(value, 10, 0)

#define INCADCXY 0x52000000u
/* the packers' counters */
#define INCADCXY_pk(value) TT_FIELD(value, 1, 23)
/* Unpacker 1's counters */
#define INCADCXY_u1(value) TT_FIELD(value, 1, 22)
/* Unpacker 0's counters */
#define INCADCXY_u0(value) TT_FIELD(value, 1, 21)
/* the thread that has the counters */
#define INCADCXY_thread_override(value) TT_FIELD(value, 2, 18)
#define INCADCXY_thread_override_NONE 0x00000000u
#define INCADCXY_thread_override_T0 0x00040000u
#define INCADCXY_thread_override_T1 0x00080000u
#define INCADCXY_thread_override_T2 0x000c0000u
/* what to add to Y of channel 1 */
#define INCADCXY_y1_inc(value) TT_FIELD(value, 3, 15)
/* what to add to X of channel 1 */
#define INCADCXY_x1_inc(value) TT_FIELD(value, 3, 12)
/* what to add to Y of channel 0 */
#define INCADCXY_y0_inc(value) TT_FIELD(value, 3, 9)
/* what to add to X of channel 0 */
#define INCADCXY_x0_inc(value) TT_FIELD(value, 3, 6)

#define INCADCZW 0x55000000u
/* the packers' counters */
#define INCADCZW_pk(value) TT_FIELD(value, 1, 23)
/* Unpacker 1's counters */
#define INCADCZW_u1(value) TT_FIELD(value, 1, 22)
/* Unpacker 0's counters */
#define INCADCZW_u0(value) TT_FIELD(value, 1, 21)
/* the thread that has the counters */
#define INCADCZW_thread_override(value) TT_FIELD(value, 2, 18)
#define INCADCZW_thread_override_NONE 0x00000000u
#define INCADCZW_thread_override_T0 0x00040000u
#define INCADCZW_thread_override_T1 0x00080000u
#define INCADCZW_thread_override_T2 0x000c0000u
/* what to add to W of channel 1 */
#define INCADCZW_w1_inc(value) TT_FIELD(value, 3, 15)
/* what to add to Z of channel 1 */
#define INCADCZW_z1_inc(value) TT_FIELD(value, 3, 12)
/* what to add to W of channel 0 */
#define INCADCZW_w0_inc(value) TT_FIELD(value, 3, 9)
/* what to add to Z of channel 0 */
#define INCADCZW_z0_inc(value) TT_FIELD(value, 3, 6)

#define INCRWC 0x38000000u
/* relative to the carriage return value of Dst */
#define INCRWC_dst_cr(value) TT_FIELD(value, 1, 20)
/* relative to the carriage return value of SrcB */
#define INCRWC_src_b_cr(value) TT_FIELD(value, 1, 19)
/* relative to the carriage return value of SrcA */
#define INCRWC_src_a_cr(value) TT_FIELD(value, 1, 18)
/* added to the row counter of Dst */
#define INCRWC_dst_inc(value) TT_FIELD(value, 4, 14)
/* added to the row counter of SrcB */
#define INCRWC_src_b_inc(value) TT_FIELD(value, 4, 10)
/* added to the row counter of SrcA */
#define INCRWC_src_a_inc(value) TT_FIELD(value, 4, 6)

#define LOADIND 0x49000000u
/* how much is moved */
#define LOADIND_size(value) TT_FIELD(value, 2, 22)
#define LOADIND_size_BITS_128 0x00000000u
#define LOADIND_size_BITS_32 0x00400000u
#define LOADIND_size_BITS_16 0x00800000u
#define LOADIND_size_BITS_8 0x00c00000u
/* byte offset that is added to the address */
#define LOADIND_offset_half_reg(value) TT_FIELD(value, 7, 14)
/* what becomes of the offset afterwards */
#define LOADIND_offset_increment(value) TT_FIELD(value, 2, 12)
#define LOADIND_offset_increment_STAY 0x00000000u
#define LOADIND_offset_increment_BY_2 0x00001000u
#define LOADIND_offset_increment_BY_4 0x00002000u
#define LOADIND_offset_increment_BY_16 0x00003000u
/* where the result goes to */
#define LOADIND_result_reg(value) TT_FIELD(value, 6, 6)
/* address in L1 in units of 16 bytes */
#define LOADIND_addr_reg(value) TT_FIELD(value, 6, 0)

#define LOADREG 0x68000000u
/* where the result goes to */
#define LOADREG_result_reg(value) TT_FIELD(value, 6, 18)
/* word address: 0xFFB00000 + 4 * this */
#define LOADREG_addr_lo(value) TT_FIELD(value, 18, 0)

#define MFCONV3S1 0x3a000000u
/* hand the bank of SrcB back to the unpackers */
#define MFCONV3S1_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define MFCONV3S1_flip_src_a(value) TT_FIELD(value, 1, 22)
/* no effect is left */
#define MFCONV3S1_rotate_weights(value) TT_FIELD(value, 1, 17)
/* how the row counters advance */
#define MFCONV3S1_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define MFCONV3S1_dst_row(value) TT_FIELD(value, 10, 0)

#define MOP 0x01000000u
/* which of the two templates is expanded */
#define MOP_template(value) TT_FIELD(value, 1, 23)
#define MOP_template_MASK_LOOP 0x00000000u
#define MOP_template_DOUBLE_LOOP 0x00800000u
/* iterations of template 0, minus one; 0 with template 1 */
#define MOP_count1(value) TT_FIELD(value, 7, 16)
/* template 0: low half of the mask, a set bit skips */
#define MOP_mask_lo(value) TT_FIELD(value, 16, 0)

#define MOP_CFG 0x03000000u
/* high half of the mask of the next MOP */
#define MOP_CFG_mask_hi(value) TT_FIELD(value, 16, 0)

#define MOVA2D 0x12000000u
/* the low halves of 32-bit datums */
#define MOVA2D_use_dst_32b_lo(value) TT_FIELD(value, 1, 23)
/* row of the source */
#define MOVA2D_src_row(value) TT_FIELD(value, 6, 17)
/* how the row counters advance */
#define MOVA2D_addr_mod(value) TT_FIELD(value, 2, 15)
/* eight rows instead of one */
#define MOVA2D_move_8_rows(value) TT_FIELD(value, 1, 13)
/* row of Dst, to which counters and offsets are added */
#define MOVA2D_dst_row(value) TT_FIELD(value, 10, 0)

#define MOVB2A 0x0b000000u
/* row of SrcA */
#define MOVB2A_srca_row(value) TT_FIELD(value, 6, 17)
/* how the row counters advance */
#define MOVB2A_addr_mod(value) TT_FIELD(value, 2, 15)
/* four rows instead of one */
#define MOVB2A_move_4_rows(value) TT_FIELD(value, 1, 13)
/* row of SrcB */
#define MOVB2A_srcb_row(value) TT_FIELD(value, 6, 0)

#define MOVB2D 0x13000000u
/* the low halves of 32-bit datums */
#define MOVB2D_use_dst_32b_lo(value) TT_FIELD(value, 1, 23)
/* row of the source */
#define MOVB2D_src_row(value) TT_FIELD(value, 6, 17)
/* how the row counters advance */
#define MOVB2D_addr_mod(value) TT_FIELD(value, 2, 15)
/* four rows instead of one */
#define MOVB2D_move_4_rows(value) TT_FIELD(value, 1, 14)
/* one row to eight rows */
#define MOVB2D_broadcast_1_row_to_8(value) TT_FIELD(value, 1, 13)
/* column 0 to all columns */
#define MOVB2D_broadcast_col0(value) TT_FIELD(value, 1, 12)
/* row of Dst, to which counters and offsets are added */
#define MOVB2D_dst_row(value) TT_FIELD(value, 10, 0)

#define MOVD2A 0x08000000u
/* the low halves of 32-bit datums */
#define MOVD2A_use_dst_32b_lo(value) TT_FIELD(value, 1, 23)
/* row of the source */
#define MOVD2A_src_row(value) TT_FIELD(value, 6, 17)
/* how the row counters advance */
#define MOVD2A_addr_mod(value) TT_FIELD(value, 2, 15)
/* four rows instead of one */
#define MOVD2A_move_4_rows(value) TT_FIELD(value, 1, 13)
/* row of Dst, to which counters and offsets are added */
#define MOVD2A_dst_row(value) TT_FIELD(value, 10, 0)

#define MOVD2B 0x0a000000u
/* the low halves of 32-bit datums */
#define MOVD2B_use_dst_32b_lo(value) TT_FIELD(value, 1, 23)
/* row of the source */
#define MOVD2B_src_row(value) TT_FIELD(value, 6, 17)
/* how the row counters advance */
#define MOVD2B_addr_mod(value) TT_FIELD(value, 2, 15)
/* four rows instead of one */
#define MOVD2B_move_4_rows(value) TT_FIELD(value, 1, 13)
/* row of Dst, to which counters and offsets are added */
#define MOVD2B_dst_row(value) TT_FIELD(value, 10, 0)

#define MOVDBGA2D 0x09000000u
/* the low halves of 32-bit datums */
#define MOVDBGA2D_use_dst_32b_lo(value) TT_FIELD(value, 1, 23)
/* row of the source */
#define MOVDBGA2D_src_row(value) TT_FIELD(value, 6, 17)
/* how the row counters advance */
#define MOVDBGA2D_addr_mod(value) TT_FIELD(value, 2, 15)
/* eight rows instead of one */
#define MOVDBGA2D_move_8_rows(value) TT_FIELD(value, 1, 13)
/* row of Dst, to which counters and offsets are added */
#define MOVDBGA2D_dst_row(value) TT_FIELD(value, 10, 0)

#define MPOOL3S1 0x24000000u
/* hand the bank of SrcB back to the unpackers */
#define MPOOL3S1_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define MPOOL3S1_flip_src_a(value) TT_FIELD(value, 1, 22)
/* how the row counters advance */
#define MPOOL3S1_addr_mod(value) TT_FIELD(value, 2, 15)
/* no effect is left */
#define MPOOL3S1_index_en(value) TT_FIELD(value, 1, 14)
/* row of Dst, to which counters and offsets are added */
#define MPOOL3S1_dst_row(value) TT_FIELD(value, 10, 0)

#define MPOOL3S2 0x31000000u
/* hand the bank of SrcB back to the unpackers */
#define MPOOL3S2_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define MPOOL3S2_flip_src_a(value) TT_FIELD(value, 1, 22)
/* how the row counters advance */
#define MPOOL3S2_addr_mod(value) TT_FIELD(value, 2, 15)
/* no effect is left */
#define MPOOL3S2_index_en(value) TT_FIELD(value, 1, 14)
/* row of Dst, to which counters and offsets are added */
#define MPOOL3S2_dst_row(value) TT_FIELD(value, 10, 0)

#define MULDMAREG_Reg 0x5a000000u
#define MULDMAREG_Imm 0x5a800000u
/* where the result goes to */
#define MULDMAREG_result_reg(value) TT_FIELD(value, 6, 12)
/* right operand */
#define MULDMAREG_right_reg(value) TT_FIELD(value, 6, 6)
/* left operand */
#define MULDMAREG_left_reg(value) TT_FIELD(value, 6, 0)
/* right operand, a constant below 64 */
#define MULDMAREG_right_imm6(value) TT_FIELD(value, 6, 6)

#define MVMUL 0x26000000u
/* hand the bank of SrcB back to the unpackers */
#define MVMUL_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define MVMUL_flip_src_a(value) TT_FIELD(value, 1, 22)
/* one row of SrcB for all rows */
#define MVMUL_broadcast_src_b_row(value) TT_FIELD(value, 1, 19)
/* how the row counters advance */
#define MVMUL_addr_mod(value) TT_FIELD(value, 2, 15)
/* row of Dst, to which counters and offsets are added */
#define MVMUL_dst_row(value) TT_FIELD(value, 10, 0)

#define NOP 0x02000000u

#define PACR 0x41000000u
/* how the packers' address counters advance */
#define PACR_addr_mod(value) TT_FIELD(value, 2, 15)
/* write zeros */
#define PACR_zero_write(value) TT_FIELD(value, 1, 12)
/* which packers; 0 means packer 0 */
#define PACR_packer_mask(value) TT_FIELD(value, 4, 8)
#define PACR_packer_mask_P0 0x00000100u
#define PACR_packer_mask_P1 0x00000200u
#define PACR_packer_mask_P2 0x00000400u
#define PACR_packer_mask_P3 0x00000800u
/* do not use the issuing thread's address counters */
#define PACR_ovrd_thread_id(value) TT_FIELD(value, 1, 7)
/* the next PACR continues this row */
#define PACR_concat(value) TT_FIELD(value, 1, 4)
/* flush the buffers before L1; in PACR_SETREG: set it */
#define PACR_flush(value) TT_FIELD(value, 1, 1)
/* flush the buffers; the next PACR starts anew */
#define PACR_last(value) TT_FIELD(value, 1, 0)

#define PACR_SETREG 0x4a800f02u
/* which configured base address */
#define PACR_SETREG_addr_sel(value) TT_FIELD(value, 1, 22)
/* the value to write */
#define PACR_SETREG_value10(value) TT_FIELD(value, 10, 12)
/* bits 17:12 of the address */
#define PACR_SETREG_addr_mid(value) TT_FIELD(value, 6, 2)

#define RAREB 0x15000000u

#define RDCFG 0xb1000000u
/* where the value goes to */
#define RDCFG_result_reg(value) TT_FIELD(value, 6, 16)
/* word of configuration */
#define RDCFG_cfg_index(value) TT_FIELD(value, 11, 0)

#define REG2FLOP_ADC 0x48200000u
#define REG2FLOP_Configuration 0x48000000u
/* how much is written */
#define REG2FLOP_size_sel(value) TT_FIELD(value, 2, 22)
#define REG2FLOP_size_sel_BITS_128 0x00000000u
#define REG2FLOP_size_sel_BITS_32 0x00400000u
#define REG2FLOP_size_sel_BITS_16 0x00800000u
#define REG2FLOP_size_sel_BITS_8 0x00c00000u
/* the counters of thread_sel, not of the issuing thread */
#define REG2FLOP_override_thread(value) TT_FIELD(value, 1, 20)
/* shift the value right by this many bytes */
#define REG2FLOP_shift8(value) TT_FIELD(value, 2, 18)
/* the thread that has the counters */
#define REG2FLOP_thread_sel(value) TT_FIELD(value, 2, 16)
/* channel 0 or 1 */
#define REG2FLOP_channel(value) TT_FIELD(value, 1, 11)
/* the thread that has the counters */
#define REG2FLOP_adc_sel(value) TT_FIELD(value, 2, 9)
#define REG2FLOP_adc_sel_UNP0 0x00000000u
#define REG2FLOP_adc_sel_UNP1 0x00000200u
#define REG2FLOP_adc_sel_PACK 0x00000400u
/* the carriage return value instead of the counter */
#define REG2FLOP_cr(value) TT_FIELD(value, 1, 8)
/* which dimension */
#define REG2FLOP_xyzw(value) TT_FIELD(value, 2, 6)
#define REG2FLOP_xyzw_X 0x00000000u
#define REG2FLOP_xyzw_Y 0x00000040u
#define REG2FLOP_xyzw_Z 0x00000080u
#define REG2FLOP_xyzw_W 0x000000c0u
/* where the value comes from */
#define REG2FLOP_input_reg(value) TT_FIELD(value, 6, 0)
/* word of THCON configuration */
#define REG2FLOP_thcon_cfg_index(value) TT_FIELD(value, 7, 6)

#define REPLAY 0x04000000u
/* first entry of the replay buffer, modulo 32 */
#define REPLAY_index(value) TT_FIELD(value, 5, 14)
/* number of instructions, up to 32; 0: 32 */
#define REPLAY_count(value) TT_FIELD(value, 6, 4)
/* while recording, also execute */
#define REPLAY_exec(value) TT_FIELD(value, 1, 1)
/* 1: record the instructions that follow; 0: issue recorded ones */
#define REPLAY_load(value) TT_FIELD(value, 1, 0)

#define RMWCIB0 0xb3000000u
/* bits of the byte that are written */
#define RMWCIB0_mask(value) TT_FIELD(value, 8, 16)
/* the value to write */
#define RMWCIB0_new_value(value) TT_FIELD(value, 8, 8)
/* word of configuration */
#define RMWCIB0_index4(value) TT_FIELD(value, 8, 0)

#define RMWCIB1 0xb4000000u
/* bits of the byte that are written */
#define RMWCIB1_mask(value) TT_FIELD(value, 8, 16)
/* the value to write */
#define RMWCIB1_new_value(value) TT_FIELD(value, 8, 8)
/* word of configuration */
#define RMWCIB1_index4(value) TT_FIELD(value, 8, 0)

#define RMWCIB2 0xb5000000u
/* bits of the byte that are written */
#define RMWCIB2_mask(value) TT_FIELD(value, 8, 16)
/* the value to write */
#define RMWCIB2_new_value(value) TT_FIELD(value, 8, 8)
/* word of configuration */
#define RMWCIB2_index4(value) TT_FIELD(value, 8, 0)

#define RMWCIB3 0xb6000000u
/* bits of the byte that are written */
#define RMWCIB3_mask(value) TT_FIELD(value, 8, 16)
/* the value to write */
#define RMWCIB3_new_value(value) TT_FIELD(value, 8, 8)
/* word of configuration */
#define RMWCIB3_index4(value) TT_FIELD(value, 8, 0)

#define RSTDMA 0x44000000u

#define SEMGET 0xa5000000u
/* the semaphores that are meant */
#define SEMGET_sem(value) TT_FIELD(value, 8, 2)
#define SEMGET_sem_S0 0x00000004u
#define SEMGET_sem_S1 0x00000008u
#define SEMGET_sem_S2 0x00000010u
#define SEMGET_sem_S3 0x00000020u
#define SEMGET_sem_S4 0x00000040u
#define SEMGET_sem_S5 0x00000080u
#define SEMGET_sem_S6 0x00000100u
#define SEMGET_sem_S7 0x00000200u

#define SEMINIT 0xa3000000u
/* Max of the selected semaphores */
#define SEMINIT_new_max(value) TT_FIELD(value, 4, 20)
/* Value of the selected semaphores */
#define SEMINIT_new_value(value) TT_FIELD(value, 4, 16)
/* the semaphores that are meant */
#define SEMINIT_sem(value) TT_FIELD(value, 8, 2)
#define SEMINIT_sem_S0 0x00000004u
#define SEMINIT_sem_S1 0x00000008u
#define SEMINIT_sem_S2 0x00000010u
#define SEMINIT_sem_S3 0x00000020u
#define SEMINIT_sem_S4 0x00000040u
#define SEMINIT_sem_S5 0x00000080u
#define SEMINIT_sem_S6 0x00000100u
#define SEMINIT_sem_S7 0x00000200u

#define SEMPOST 0xa4000000u
/* the semaphores that are meant */
#define SEMPOST_sem(value) TT_FIELD(value, 8, 2)
#define SEMPOST_sem_S0 0x00000004u
#define SEMPOST_sem_S1 0x00000008u
#define SEMPOST_sem_S2 0x00000010u
#define SEMPOST_sem_S3 0x00000020u
#define SEMPOST_sem_S4 0x00000040u
#define SEMPOST_sem_S5 0x00000080u
#define SEMPOST_sem_S6 0x00000100u
#define SEMPOST_sem_S7 0x00000200u

#define SEMWAIT 0xa6000000u
/* what is held at the wait gate; 0 means B6 */
#define SEMWAIT_block(value) TT_FIELD(value, 9, 15)
#define SEMWAIT_block_ALL 0x00ff8000u
#define SEMWAIT_block_B0 0x00008000u
#define SEMWAIT_block_B1 0x00010000u
#define SEMWAIT_block_B2 0x00020000u
#define SEMWAIT_block_B3 0x00040000u
#define SEMWAIT_block_B4 0x00080000u
#define SEMWAIT_block_B5 0x00100000u
#define SEMWAIT_block_B6 0x00200000u
#define SEMWAIT_block_B7 0x00400000u
#define SEMWAIT_block_B8 0x00800000u
/* the semaphores that are meant */
#define SEMWAIT_sem(value) TT_FIELD(value, 8, 2)
#define SEMWAIT_sem_S0 0x00000004u
#define SEMWAIT_sem_S1 0x00000008u
#define SEMWAIT_sem_S2 0x00000010u
#define SEMWAIT_sem_S3 0x00000020u
#define SEMWAIT_sem_S4 0x00000040u
#define SEMWAIT_sem_S5 0x00000080u
#define SEMWAIT_sem_S6 0x00000100u
#define SEMWAIT_sem_S7 0x00000200u
/* what to wait for; 0 has no meaning on the newest page */
#define SEMWAIT_wait(value) TT_FIELD(value, 2, 0)
#define SEMWAIT_wait_C0 0x00000001u
#define SEMWAIT_wait_C1 0x00000002u

#define SETADC 0x50000000u
/* the packers' counters */
#define SETADC_pk(value) TT_FIELD(value, 1, 23)
/* Unpacker 1's counters */
#define SETADC_u1(value) TT_FIELD(value, 1, 22)
/* Unpacker 0's counters */
#define SETADC_u0(value) TT_FIELD(value, 1, 21)
/* channel 0 or 1 */
#define SETADC_channel(value) TT_FIELD(value, 1, 20)
/* which dimension */
#define SETADC_xyzw(value) TT_FIELD(value, 2, 18)
#define SETADC_xyzw_X 0x00000000u
#define SETADC_xyzw_Y 0x00040000u
#define SETADC_xyzw_Z 0x00080000u
#define SETADC_xyzw_W 0x000c0000u
/* value; bits 17:16 override the thread as ThreadOverride */
#define SETADC_new_value(value) TT_FIELD(value, 18, 0)

#define SETADCXX 0x5e000000u
/* the packers' counters */
#define SETADCXX_pk(value) TT_FIELD(value, 1, 23)
/* Unpacker 1's counters */
#define SETADCXX_u1(value) TT_FIELD(value, 1, 22)
/* Unpacker 0's counters */
#define SETADCXX_u0(value) TT_FIELD(value, 1, 21)
/* new value of X of channel 1 */
#define SETADCXX_x1_val(value) TT_FIELD(value, 10, 10)
/* new value of X of channel 0 */
#define SETADCXX_x0_val(value) TT_FIELD(value, 10, 0)

#define SETADCXY 0x51000000u
/* the packers' counters */
#define SETADCXY_pk(value) TT_FIELD(value, 1, 23)
/* Unpacker 1's counters */
#define SETADCXY_u1(value) TT_FIELD(value, 1, 22)
/* Unpacker 0's counters */
#define SETADCXY_u0(value) TT_FIELD(value, 1, 21)
/* the thread that has the counters */
#define SETADCXY_thread_override(value) TT_FIELD(value, 2, 18)
#define SETADCXY_thread_override_NONE 0x00000000u
#define SETADCXY_thread_override_T0 0x00040000u
#define SETADCXY_thread_override_T1 0x00080000u
#define SETADCXY_thread_override_T2 0x000c0000u
/* new value of Y of channel 1 */
#define SETADCXY_y1_val(value) TT_FIELD(value, 3, 15)
/* new value of X of channel 1 */
#define SETADCXY_x1_val(value) TT_FIELD(value, 3, 12)
/* new value of Y of channel 0 */
#define SETADCXY_y0_val(value) TT_FIELD(value, 3, 9)
/* new value of X of channel 0 */
#define SETADCXY_x0_val(value) TT_FIELD(value, 3, 6)
/* write Y of channel 1 */
#define SETADCXY_y1(value) TT_FIELD(value, 1, 3)
/* write X of channel 1 */
#define SETADCXY_x1(value) TT_FIELD(value, 1, 2)
/* write Y of channel 0 */
#define SETADCXY_y0(value) TT_FIELD(value, 1, 1)
/* write X of channel 0 */
#define SETADCXY_x0(value) TT_FIELD(value, 1, 0)

#define SETADCZW 0x54000000u
/* the packers' counters */
#define SETADCZW_pk(value) TT_FIELD(value, 1, 23)
/* Unpacker 1's counters */
#define SETADCZW_u1(value) TT_FIELD(value, 1, 22)
/* Unpacker 0's counters */
#define SETADCZW_u0(value) TT_FIELD(value, 1, 21)
/* the thread that has the counters */
#define SETADCZW_thread_override(value) TT_FIELD(value, 2, 18)
#define SETADCZW_thread_override_NONE 0x00000000u
#define SETADCZW_thread_override_T0 0x00040000u
#define SETADCZW_thread_override_T1 0x00080000u
#define SETADCZW_thread_override_T2 0x000c0000u
/* new value of W of channel 1 */
#define SETADCZW_w1_val(value) TT_FIELD(value, 3, 15)
/* new value of Z of channel 1 */
#define SETADCZW_z1_val(value) TT_FIELD(value, 3, 12)
/* new value of W of channel 0 */
#define SETADCZW_w0_val(value) TT_FIELD(value, 3, 9)
/* new value of Z of channel 0 */
#define SETADCZW_z0_val(value) TT_FIELD(value, 3, 6)
/* write W of channel 1 */
#define SETADCZW_w1(value) TT_FIELD(value, 1, 3)
/* write Z of channel 1 */
#define SETADCZW_z1(value) TT_FIELD(value, 1, 2)
/* write W of channel 0 */
#define SETADCZW_w0(value) TT_FIELD(value, 1, 1)
/* write Z of channel 0 */
#define SETADCZW_z0(value) TT_FIELD(value, 1, 0)

#define SETASHRMH 0x1e000000u
/* on no page */
#define SETASHRMH_reg_mask(value) TT_FIELD(value, 16, 1)
/* on no page */
#define SETASHRMH_halo_mask(value) TT_FIELD(value, 1, 0)

#define SETASHRMH0 0x1a000000u
/* on no page */
#define SETASHRMH0_reg_mask(value) TT_FIELD(value, 16, 1)
/* on no page */
#define SETASHRMH0_halo_mask(value) TT_FIELD(value, 1, 0)

#define SETASHRMH1 0x1b000000u
/* on no page */
#define SETASHRMH1_reg_mask(value) TT_FIELD(value, 16, 1)
/* on no page */
#define SETASHRMH1_halo_mask(value) TT_FIELD(value, 1, 0)

#define SETASHRMV 0x1c000000u
/* on no page */
#define SETASHRMV_reg_mask(value) TT_FIELD(value, 20, 0)

#define SETC16 0xb2000000u
/* word of this thread's ThreadConfig */
#define SETC16_cfg_index(value) TT_FIELD(value, 8, 16)
/* the value to write */
#define SETC16_new_value(value) TT_FIELD(value, 16, 0)

#define SETDMAREG_Immediate 0x45000000u
#define SETDMAREG_Special 0x45000080u
/* the value to write */
#define SETDMAREG_new_value(value) TT_FIELD(value, 16, 8)
/* where the value goes to */
#define SETDMAREG_result_half_reg(value) TT_FIELD(value, 7, 0)
/* how much is written */
#define SETDMAREG_result_size(value) TT_FIELD(value, 2, 22)
#define SETDMAREG_result_size_BITS_16 0x00000000u
#define SETDMAREG_result_size_BITS_32 0x00400000u
#define SETDMAREG_result_size_BITS_128 0x00800000u
#define SETDMAREG_result_size_HEADER 0x00c00000u
/* packers, as an index or a mask depending on the input */
#define SETDMAREG_which_packers(value) TT_FIELD(value, 4, 15)
/* what is read */
#define SETDMAREG_input_source(value) TT_FIELD(value, 4, 11)
#define SETDMAREG_input_source_TILE_SIZE 0x00000000u
#define SETDMAREG_input_source_ALL_ZERO 0x00000800u
#define SETDMAREG_input_source_HEADER0 0x00001000u
#define SETDMAREG_input_source_HEADER1 0x00001800u
#define SETDMAREG_input_source_HEADER2 0x00002000u
#define SETDMAREG_input_source_HEADER3 0x00002800u
#define SETDMAREG_input_source_HISTOGRAM0 0x00003000u
#define SETDMAREG_input_source_HISTOGRAM1 0x00003800u
#define SETDMAREG_input_source_CLEAR_SIZE 0x00004000u
#define SETDMAREG_input_source_MAX_EXP 0x00004800u
/* which 16 bits of the input */
#define SETDMAREG_input_half_reg(value) TT_FIELD(value, 3, 8)

#define SETDVALID 0x57000000u
/* hand Unpacker 1's bank of SrcB to the Matrix Unit */
#define SETDVALID_flip_src_b(value) TT_FIELD(value, 1, 1)
/* hand Unpacker 0's bank of SrcA to the Matrix Unit */
#define SETDVALID_flip_src_a(value) TT_FIELD(value, 1, 0)

#define SETIBRWC 0x39000000u
/* on no page */
#define SETIBRWC_rwc_cr(value) TT_FIELD(value, 6, 18)
/* on no page */
#define SETIBRWC_rwc_bias(value) TT_FIELD(value, 12, 6)
/* on no page */
#define SETIBRWC_set_inc_ctrl(value) TT_FIELD(value, 6, 0)

#define SETPKEDGOF 0x1d000000u
/* on no page */
#define SETPKEDGOF_y_end(value) TT_FIELD(value, 4, 12)
/* on no page */
#define SETPKEDGOF_y_start(value) TT_FIELD(value, 4, 8)
/* on no page */
#define SETPKEDGOF_x_end(value) TT_FIELD(value, 4, 4)
/* on no page */
#define SETPKEDGOF_x_start(value) TT_FIELD(value, 4, 0)

#define SETRWC 0x37000000u
/* hand the bank of SrcB back to the unpackers */
#define SETRWC_flip_src_b(value) TT_FIELD(value, 1, 23)
/* hand the bank of SrcA back to the unpackers */
#define SETRWC_flip_src_a(value) TT_FIELD(value, 1, 22)
/* the carriage return value of Dst becomes its counter */
#define SETRWC_dst_c_to_cr(value) TT_FIELD(value, 1, 21)
/* relative to the carriage return value of Dst */
#define SETRWC_dst_cr(value) TT_FIELD(value, 1, 20)
/* relative to the carriage return value of SrcB */
#define SETRWC_src_b_cr(value) TT_FIELD(value, 1, 19)
/* relative to the carriage return value of SrcA */
#define SETRWC_src_a_cr(value) TT_FIELD(value, 1, 18)
/* value for the row counter of Dst */
#define SETRWC_dst_val(value) TT_FIELD(value, 4, 14)
/* value for the row counter of SrcB */
#define SETRWC_src_b_val(value) TT_FIELD(value, 4, 10)
/* value for the row counter of SrcA */
#define SETRWC_src_a_val(value) TT_FIELD(value, 4, 6)
/* clear the fidelity phase */
#define SETRWC_fidelity(value) TT_FIELD(value, 1, 3)
/* set the counter of Dst */
#define SETRWC_dst(value) TT_FIELD(value, 1, 2)
/* set the counter of SrcB */
#define SETRWC_src_b(value) TT_FIELD(value, 1, 1)
/* set the counter of SrcA */
#define SETRWC_src_a(value) TT_FIELD(value, 1, 0)

#define SFPABS 0x7d000000u
/* third operand */
#define SFPABS_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPABS_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPABS_mod1(value) TT_FIELD(value, 4, 0)
#define SFPABS_mod1_FLOAT 0x00000001u

#define SFPADD 0x85000000u
/* first operand */
#define SFPADD_va(value) TT_FIELD(value, 4, 16)
/* second operand */
#define SFPADD_vb(value) TT_FIELD(value, 4, 12)
/* third operand */
#define SFPADD_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPADD_vd(value) TT_FIELD(value, 4, 4)
/* signs and indirection */
#define SFPADD_mod1(value) TT_FIELD(value, 4, 0)
#define SFPADD_mod1_INDIRECT_VA 0x00000004u
#define SFPADD_mod1_INDIRECT_VD 0x00000008u

#define SFPADDI 0x75000000u
/* constant */
#define SFPADDI_imm16(value) TT_FIELD(value, 16, 8)
/* where the result goes to */
#define SFPADDI_vd(value) TT_FIELD(value, 4, 4)
/* signs and indirection */
#define SFPADDI_mod1(value) TT_FIELD(value, 4, 0)
#define SFPADDI_mod1_INDIRECT_VD 0x00000008u

#define SFPAND 0x7e000000u
/* third operand */
#define SFPAND_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPAND_vd(value) TT_FIELD(value, 4, 4)

#define SFPCAST 0x90000000u
/* third operand */
#define SFPCAST_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPCAST_vd(value) TT_FIELD(value, 4, 4)
/* rounding */
#define SFPCAST_mod1(value) TT_FIELD(value, 4, 0)
#define SFPCAST_mod1_RND_STOCH 0x00000001u

#define SFPCOMPC 0x8b000000u
/* where the result goes to */
#define SFPCOMPC_vd(value) TT_FIELD(value, 4, 4)

#define SFPCONFIG 0x91000000u
/* constant */
#define SFPCONFIG_imm16(value) TT_FIELD(value, 16, 8)
/* what is configured */
#define SFPCONFIG_vd(value) TT_FIELD(value, 4, 4)
#define SFPCONFIG_vd_TEMPLATE0 0x00000000u
#define SFPCONFIG_vd_TEMPLATE1 0x00000010u
#define SFPCONFIG_vd_TEMPLATE2 0x00000020u
#define SFPCONFIG_vd_TEMPLATE3 0x00000030u
#define SFPCONFIG_vd_SEQUENCE0 0x00000040u
#define SFPCONFIG_vd_SEQUENCE1 0x00000050u
#define SFPCONFIG_vd_SEQUENCE2 0x00000060u
#define SFPCONFIG_vd_SEQUENCE3 0x00000070u
#define SFPCONFIG_vd_MISC 0x00000080u
#define SFPCONFIG_vd_L11 0x000000b0u
#define SFPCONFIG_vd_L12 0x000000c0u
#define SFPCONFIG_vd_L13 0x000000d0u
#define SFPCONFIG_vd_L14 0x000000e0u
#define SFPCONFIG_vd_LANE_CONFIG 0x000000f0u
/* how it is changed */
#define SFPCONFIG_mod1(value) TT_FIELD(value, 4, 0)
#define SFPCONFIG_mod1_BITWISE_XOR 0x00000006u
#define SFPCONFIG_mod1_IMM16_IS_VALUE 0x00000001u
#define SFPCONFIG_mod1_BITWISE_OR 0x00000002u
#define SFPCONFIG_mod1_BITWISE_AND 0x00000004u
#define SFPCONFIG_mod1_IMM16_IS_LANE_MASK 0x00000008u

#define SFPDIVP2 0x76000000u
/* constant */
#define SFPDIVP2_imm8(value) (((unsigned)(value) & 0xfffu) << 12)
/* third operand */
#define SFPDIVP2_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPDIVP2_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPDIVP2_mod1(value) TT_FIELD(value, 4, 0)
#define SFPDIVP2_mod1_ADD 0x00000001u

#define SFPENCC 0x8a000000u
/* constants for the flags */
#define SFPENCC_imm2(value) TT_FIELD(value, 2, 12)
#define SFPENCC_imm2_E 0x00001000u
#define SFPENCC_imm2_R 0x00002000u
/* where the result goes to */
#define SFPENCC_vd(value) TT_FIELD(value, 4, 4)
/* which of them are set */
#define SFPENCC_mod1(value) TT_FIELD(value, 4, 0)
#define SFPENCC_mod1_EC 0x00000001u
#define SFPENCC_mod1_EI 0x00000002u
#define SFPENCC_mod1_RI 0x00000008u

#define SFPEXEXP 0x77000000u
/* third operand */
#define SFPEXEXP_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPEXEXP_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPEXEXP_mod1(value) TT_FIELD(value, 4, 0)
#define SFPEXEXP_mod1_NODEBIAS 0x00000001u
#define SFPEXEXP_mod1_SET_CC_SGN_EXP 0x00000002u
#define SFPEXEXP_mod1_SET_CC_COMP_EXP 0x00000008u

#define SFPEXMAN 0x78000000u
/* third operand */
#define SFPEXMAN_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPEXMAN_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPEXMAN_mod1(value) TT_FIELD(value, 4, 0)
#define SFPEXMAN_mod1_PAD9 0x00000001u

#define SFPIADD 0x79000000u
/* constant */
#define SFPIADD_imm12(value) (((unsigned)(value) & 0xfffu) << 12)
/* third operand */
#define SFPIADD_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPIADD_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPIADD_mod1(value) TT_FIELD(value, 4, 0)
#define SFPIADD_mod1_ARG_IMM 0x00000001u
#define SFPIADD_mod1_ARG_2SCOMP_LREG_DST 0x00000002u
#define SFPIADD_mod1_CC_NONE 0x00000004u
#define SFPIADD_mod1_CC_GTE0 0x00000008u

#define SFPLOAD 0x70000000u
/* where the result goes to */
#define SFPLOAD_vd(value) TT_FIELD(value, 4, 20)
/* format of the datums in Dst */
#define SFPLOAD_mod0(value) TT_FIELD(value, 4, 16)
#define SFPLOAD_mod0_SRCB 0x00000000u
#define SFPLOAD_mod0_FP16 0x00010000u
#define SFPLOAD_mod0_BF16 0x00020000u
#define SFPLOAD_mod0_FP32 0x00030000u
#define SFPLOAD_mod0_INT32 0x00040000u
#define SFPLOAD_mod0_INT8 0x00050000u
#define SFPLOAD_mod0_UINT16 0x00060000u
#define SFPLOAD_mod0_HI16 0x00070000u
#define SFPLOAD_mod0_INT16 0x00080000u
#define SFPLOAD_mod0_LO16 0x00090000u
#define SFPLOAD_mod0_INT32_ALL 0x000a0000u
#define SFPLOAD_mod0_ZERO 0x000b0000u
#define SFPLOAD_mod0_INT32_SM 0x000c0000u
#define SFPLOAD_mod0_INT8_COMP 0x000d0000u
#define SFPLOAD_mod0_LO16_ONLY 0x000e0000u
#define SFPLOAD_mod0_HI16_ONLY 0x000f0000u
/* how the row counters advance */
#define SFPLOAD_addr_mod(value) TT_FIELD(value, 2, 14)
/* row of Dst, to which counters and offsets are added */
#define SFPLOAD_imm10(value) TT_FIELD(value, 10, 0)

#define SFPLOADI 0x71000000u
/* where the result goes to */
#define SFPLOADI_vd(value) TT_FIELD(value, 4, 20)
/* how the constant is widened */
#define SFPLOADI_mod0(value) TT_FIELD(value, 4, 16)
#define SFPLOADI_mod0_FLOATB 0x00000000u
#define SFPLOADI_mod0_FLOATA 0x00010000u
#define SFPLOADI_mod0_USHORT 0x00020000u
#define SFPLOADI_mod0_SHORT 0x00040000u
#define SFPLOADI_mod0_UPPER 0x00080000u
#define SFPLOADI_mod0_LOWER 0x000a0000u
/* constant */
#define SFPLOADI_imm16(value) TT_FIELD(value, 16, 0)

#define SFPLOADMACRO 0x93000000u
/* which sequence is scheduled */
#define SFPLOADMACRO_macro_index(value) TT_FIELD(value, 2, 22)
/* bits 1:0 of VD */
#define SFPLOADMACRO_vd_lo(value) TT_FIELD(value, 2, 20)
/* format of the datums in Dst */
#define SFPLOADMACRO_mod0(value) TT_FIELD(value, 4, 16)
#define SFPLOADMACRO_mod0_SRCB 0x00000000u
#define SFPLOADMACRO_mod0_FP16 0x00010000u
#define SFPLOADMACRO_mod0_BF16 0x00020000u
#define SFPLOADMACRO_mod0_FP32 0x00030000u
#define SFPLOADMACRO_mod0_INT32 0x00040000u
#define SFPLOADMACRO_mod0_INT8 0x00050000u
#define SFPLOADMACRO_mod0_UINT16 0x00060000u
#define SFPLOADMACRO_mod0_HI16 0x00070000u
#define SFPLOADMACRO_mod0_INT16 0x00080000u
#define SFPLOADMACRO_mod0_LO16 0x00090000u
#define SFPLOADMACRO_mod0_INT32_ALL 0x000a0000u
#define SFPLOADMACRO_mod0_ZERO 0x000b0000u
#define SFPLOADMACRO_mod0_INT32_SM 0x000c0000u
#define SFPLOADMACRO_mod0_INT8_COMP 0x000d0000u
#define SFPLOADMACRO_mod0_LO16_ONLY 0x000e0000u
#define SFPLOADMACRO_mod0_HI16_ONLY 0x000f0000u
/* how the row counters advance */
#define SFPLOADMACRO_addr_mod(value) TT_FIELD(value, 2, 14)
/* row of Dst, divided by two */
#define SFPLOADMACRO_imm9(value) TT_FIELD(value, 9, 1)
/* bit 2 of VD */
#define SFPLOADMACRO_vd_hi(value) TT_FIELD(value, 1, 0)

#define SFPLUT 0x73000000u
/* where the result goes to */
#define SFPLUT_vd(value) TT_FIELD(value, 4, 20)
/* sign and indirection */
#define SFPLUT_mod0(value) TT_FIELD(value, 4, 16)
#define SFPLUT_mod0_SGN_RETAIN 0x00040000u
#define SFPLUT_mod0_INDIRECT_VD 0x00080000u

#define SFPLUTFP32 0x95000000u
/* where the result goes to */
#define SFPLUTFP32_vd(value) TT_FIELD(value, 4, 4)
/* which table, sign, indirection */
#define SFPLUTFP32_mod1(value) TT_FIELD(value, 4, 0)
#define SFPLUTFP32_mod1_FP16_6ENTRY_TABLE2 0x00000003u
#define SFPLUTFP32_mod1_FP16_3ENTRY_TABLE 0x0000000au
#define SFPLUTFP32_mod1_FP16_6ENTRY_TABLE1 0x00000002u
#define SFPLUTFP32_mod1_SGN_RETAIN 0x00000004u
#define SFPLUTFP32_mod1_INDIRECT_VD 0x00000008u
#define SFPLUTFP32_mod1_FP32_3ENTRY_TABLE 0x00000000u

#define SFPLZ 0x81000000u
/* third operand */
#define SFPLZ_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPLZ_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPLZ_mod1(value) TT_FIELD(value, 4, 0)
#define SFPLZ_mod1_CC_NE0 0x00000002u
#define SFPLZ_mod1_NOSGN_MASK 0x00000004u
#define SFPLZ_mod1_CC_COMP 0x00000008u

#define SFPMAD 0x84000000u
/* first operand */
#define SFPMAD_va(value) TT_FIELD(value, 4, 16)
/* second operand */
#define SFPMAD_vb(value) TT_FIELD(value, 4, 12)
/* third operand */
#define SFPMAD_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPMAD_vd(value) TT_FIELD(value, 4, 4)
/* signs and indirection */
#define SFPMAD_mod1(value) TT_FIELD(value, 4, 0)
#define SFPMAD_mod1_INDIRECT_VA 0x00000004u
#define SFPMAD_mod1_INDIRECT_VD 0x00000008u

#define SFPMOV 0x7c000000u
/* third operand */
#define SFPMOV_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPMOV_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPMOV_mod1(value) TT_FIELD(value, 4, 0)
#define SFPMOV_mod1_NEGATE 0x00000001u
#define SFPMOV_mod1_ALL_LANES_ENABLED 0x00000002u
#define SFPMOV_mod1_FROM_SPECIAL 0x00000008u

#define SFPMUL 0x86000000u
/* first operand */
#define SFPMUL_va(value) TT_FIELD(value, 4, 16)
/* second operand */
#define SFPMUL_vb(value) TT_FIELD(value, 4, 12)
/* third operand */
#define SFPMUL_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPMUL_vd(value) TT_FIELD(value, 4, 4)
/* signs and indirection */
#define SFPMUL_mod1(value) TT_FIELD(value, 4, 0)
#define SFPMUL_mod1_INDIRECT_VA 0x00000004u
#define SFPMUL_mod1_INDIRECT_VD 0x00000008u

#define SFPMULI 0x74000000u
/* constant */
#define SFPMULI_imm16(value) TT_FIELD(value, 16, 8)
/* where the result goes to */
#define SFPMULI_vd(value) TT_FIELD(value, 4, 4)
/* signs and indirection */
#define SFPMULI_mod1(value) TT_FIELD(value, 4, 0)
#define SFPMULI_mod1_INDIRECT_VD 0x00000008u

#define SFPNOP 0x8f000000u

#define SFPNOT 0x80000000u
/* third operand */
#define SFPNOT_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPNOT_vd(value) TT_FIELD(value, 4, 4)

#define SFPOR 0x7f000000u
/* third operand */
#define SFPOR_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPOR_vd(value) TT_FIELD(value, 4, 4)

#define SFPPOPC 0x88000000u
/* where the result goes to */
#define SFPPOPC_vd(value) TT_FIELD(value, 4, 4)
/* 0: pop; else how the lane flags are changed */
#define SFPPOPC_mod1(value) TT_FIELD(value, 4, 0)

#define SFPPUSHC 0x87000000u
/* where the result goes to */
#define SFPPUSHC_vd(value) TT_FIELD(value, 4, 4)

#define SFPSETCC 0x7b000000u
/* constant */
#define SFPSETCC_imm1(value) TT_FIELD(value, 1, 12)
/* third operand */
#define SFPSETCC_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPSETCC_vd(value) TT_FIELD(value, 4, 4)
/* which comparison */
#define SFPSETCC_mod1(value) TT_FIELD(value, 4, 0)
#define SFPSETCC_mod1_LREG_EQ0 0x00000006u
#define SFPSETCC_mod1_IMM_BIT0 0x00000001u
#define SFPSETCC_mod1_LREG_NE0 0x00000002u
#define SFPSETCC_mod1_LREG_GTE0 0x00000004u
#define SFPSETCC_mod1_CLEAR 0x00000008u
#define SFPSETCC_mod1_LREG_LT0 0x00000000u

#define SFPSETEXP 0x82000000u
/* constant */
#define SFPSETEXP_imm8(value) TT_FIELD(value, 8, 12)
/* third operand */
#define SFPSETEXP_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPSETEXP_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPSETEXP_mod1(value) TT_FIELD(value, 4, 0)
#define SFPSETEXP_mod1_ARG_IMM 0x00000001u
#define SFPSETEXP_mod1_ARG_EXPONENT 0x00000002u

#define SFPSETMAN 0x83000000u
/* constant */
#define SFPSETMAN_imm12(value) TT_FIELD(value, 12, 12)
/* third operand */
#define SFPSETMAN_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPSETMAN_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPSETMAN_mod1(value) TT_FIELD(value, 4, 0)
#define SFPSETMAN_mod1_ARG_IMM 0x00000001u

#define SFPSETSGN 0x89000000u
/* constant */
#define SFPSETSGN_imm1(value) TT_FIELD(value, 1, 12)
/* third operand */
#define SFPSETSGN_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPSETSGN_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPSETSGN_mod1(value) TT_FIELD(value, 4, 0)
#define SFPSETSGN_mod1_ARG_IMM 0x00000001u

#define SFPSHFT 0x7a000000u
/* constant */
#define SFPSHFT_imm12(value) (((unsigned)(value) & 0xfffu) << 12)
/* third operand */
#define SFPSHFT_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPSHFT_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPSHFT_mod1(value) TT_FIELD(value, 4, 0)
#define SFPSHFT_mod1_ARG_IMM 0x00000001u

#define SFPSHFT2_Imm 0x94000006u
#define SFPSHFT2_Reg 0x94000000u
/* constant */
#define SFPSHFT2_imm12(value) (((unsigned)(value) & 0xfffu) << 12)
/* where the result goes to */
#define SFPSHFT2_vd(value) TT_FIELD(value, 4, 4)
/* second operand */
#define SFPSHFT2_vb(value) TT_FIELD(value, 4, 12)
/* third operand */
#define SFPSHFT2_vc(value) TT_FIELD(value, 4, 8)
/* what is done */
#define SFPSHFT2_mod1(value) TT_FIELD(value, 4, 0)
#define SFPSHFT2_mod1_COPY4 0x00000000u
#define SFPSHFT2_mod1_SUBVEC_CHAINED_COPY4 0x00000001u
#define SFPSHFT2_mod1_SUBVEC_SHFLROR1_AND_COPY4 0x00000002u
#define SFPSHFT2_mod1_SUBVEC_SHFLROR1 0x00000003u
#define SFPSHFT2_mod1_SUBVEC_SHFLSHR1 0x00000004u
#define SFPSHFT2_mod1_SHFT_LREG 0x00000005u

#define SFPSTORE 0x72000000u
/* where the result goes to */
#define SFPSTORE_vd(value) TT_FIELD(value, 4, 20)
/* format of the datums in Dst */
#define SFPSTORE_mod0(value) TT_FIELD(value, 4, 16)
#define SFPSTORE_mod0_SRCB 0x00000000u
#define SFPSTORE_mod0_FP16 0x00010000u
#define SFPSTORE_mod0_BF16 0x00020000u
#define SFPSTORE_mod0_FP32 0x00030000u
#define SFPSTORE_mod0_INT32 0x00040000u
#define SFPSTORE_mod0_INT8 0x00050000u
#define SFPSTORE_mod0_UINT16 0x00060000u
#define SFPSTORE_mod0_HI16 0x00070000u
#define SFPSTORE_mod0_INT16 0x00080000u
#define SFPSTORE_mod0_LO16 0x00090000u
#define SFPSTORE_mod0_INT32_ALL 0x000a0000u
#define SFPSTORE_mod0_ZERO 0x000b0000u
#define SFPSTORE_mod0_INT32_SM 0x000c0000u
#define SFPSTORE_mod0_INT8_COMP 0x000d0000u
#define SFPSTORE_mod0_LO16_ONLY 0x000e0000u
#define SFPSTORE_mod0_HI16_ONLY 0x000f0000u
/* how the row counters advance */
#define SFPSTORE_addr_mod(value) TT_FIELD(value, 2, 14)
/* row of Dst, to which counters and offsets are added */
#define SFPSTORE_imm10(value) TT_FIELD(value, 10, 0)

#define SFPSWAP 0x92000000u
/* third operand */
#define SFPSWAP_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPSWAP_vd(value) TT_FIELD(value, 4, 4)
/* what is done */
#define SFPSWAP_mod1(value) TT_FIELD(value, 4, 0)
#define SFPSWAP_mod1_SWAP 0x00000000u
#define SFPSWAP_mod1_VEC_MIN_MAX 0x00000001u
#define SFPSWAP_mod1_SUBVEC_MIN01_MAX23 0x00000002u
#define SFPSWAP_mod1_SUBVEC_MIN02_MAX13 0x00000003u
#define SFPSWAP_mod1_SUBVEC_MIN03_MAX12 0x00000004u
#define SFPSWAP_mod1_SUBVEC_MIN0_MAX123 0x00000005u
#define SFPSWAP_mod1_SUBVEC_MIN1_MAX023 0x00000006u
#define SFPSWAP_mod1_SUBVEC_MIN2_MAX013 0x00000007u
#define SFPSWAP_mod1_SUBVEC_MIN3_MAX012 0x00000008u

#define SFPTRANSP 0x8c000000u
/* where the result goes to */
#define SFPTRANSP_vd(value) TT_FIELD(value, 4, 4)

#define SFPXOR 0x8d000000u
/* third operand */
#define SFPXOR_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFPXOR_vd(value) TT_FIELD(value, 4, 4)

#define SFP_STOCH_RND 0x8e000000u
/* discarded bits are rounded at random */
#define SFP_STOCH_RND_stochastic_rounding(value) TT_FIELD(value, 1, 21)
/* constant shift amount */
#define SFP_STOCH_RND_imm5(value) TT_FIELD(value, 5, 16)
/* second operand */
#define SFP_STOCH_RND_vb(value) TT_FIELD(value, 4, 12)
/* third operand */
#define SFP_STOCH_RND_vc(value) TT_FIELD(value, 4, 8)
/* where the result goes to */
#define SFP_STOCH_RND_vd(value) TT_FIELD(value, 4, 4)
/* shift by imm5 instead of VB */
#define SFP_STOCH_RND_use_imm5(value) TT_FIELD(value, 1, 3)
/* from what to what */
#define SFP_STOCH_RND_mod1(value) TT_FIELD(value, 3, 0)
#define SFP_STOCH_RND_mod1_FP32_TO_FP16A 0x00000000u
#define SFP_STOCH_RND_mod1_FP32_TO_FP16B 0x00000001u
#define SFP_STOCH_RND_mod1_FP32_TO_UINT8 0x00000002u
#define SFP_STOCH_RND_mod1_FP32_TO_INT8 0x00000003u
#define SFP_STOCH_RND_mod1_INT32_TO_UINT8 0x00000004u
#define SFP_STOCH_RND_mod1_INT32_TO_INT8 0x00000005u
#define SFP_STOCH_RND_mod1_FP32_TO_UINT16 0x00000006u
#define SFP_STOCH_RND_mod1_FP32_TO_INT16 0x00000007u

#define SHIFTDMAREG_Reg 0x5c000000u
#define SHIFTDMAREG_Imm 0x5c800000u
/* the operation */
#define SHIFTDMAREG_mode(value) TT_FIELD(value, 3, 18)
#define SHIFTDMAREG_mode_LEFT 0x00000000u
#define SHIFTDMAREG_mode_RIGHT 0x00040000u
/* where the result goes to */
#define SHIFTDMAREG_result_reg(value) TT_FIELD(value, 6, 12)
/* right operand */
#define SHIFTDMAREG_right_reg(value) TT_FIELD(value, 6, 6)
/* left operand */
#define SHIFTDMAREG_left_reg(value) TT_FIELD(value, 6, 0)
/* how far; its bit 5 is ignored */
#define SHIFTDMAREG_right_imm6(value) TT_FIELD(value, 6, 6)

#define SHIFTXA 0x17000000u
/* which way */
#define SHIFTXA_direction(value) TT_FIELD(value, 2, 0)
#define SHIFTXA_direction_RIGHT 0x00000002u
#define SHIFTXA_direction_LEFT 0x00000003u

#define SHIFTXB 0x18000000u
/* how the row counters advance */
#define SHIFTXB_addr_mod(value) TT_FIELD(value, 2, 15)
/* shift a zero in instead of rotating */
#define SHIFTXB_shift_in_zero(value) TT_FIELD(value, 1, 10)
/* row of the source */
#define SHIFTXB_src_row(value) TT_FIELD(value, 6, 0)

#define STALLWAIT 0xa2000000u
/* what is held at the wait gate; 0 means B6 */
#define STALLWAIT_block(value) TT_FIELD(value, 9, 15)
#define STALLWAIT_block_ALL 0x00ff8000u
#define STALLWAIT_block_B0 0x00008000u
#define STALLWAIT_block_B1 0x00010000u
#define STALLWAIT_block_B2 0x00020000u
#define STALLWAIT_block_B3 0x00040000u
#define STALLWAIT_block_B4 0x00080000u
#define STALLWAIT_block_B5 0x00100000u
#define STALLWAIT_block_B6 0x00200000u
#define STALLWAIT_block_B7 0x00400000u
#define STALLWAIT_block_B8 0x00800000u
/* what to wait for; 0 means C0 to C6 */
#define STALLWAIT_wait(value) TT_FIELD(value, 15, 0)
#define STALLWAIT_wait_C0 0x00000001u
#define STALLWAIT_wait_C1 0x00000002u
#define STALLWAIT_wait_C2 0x00000004u
#define STALLWAIT_wait_C3 0x00000008u
#define STALLWAIT_wait_C4 0x00000010u
#define STALLWAIT_wait_C5 0x00000020u
#define STALLWAIT_wait_C6 0x00000040u
#define STALLWAIT_wait_C7 0x00000080u
#define STALLWAIT_wait_C8 0x00000100u
#define STALLWAIT_wait_C9 0x00000200u
#define STALLWAIT_wait_C10 0x00000400u
#define STALLWAIT_wait_C11 0x00000800u
#define STALLWAIT_wait_C12 0x00001000u
#define STALLWAIT_wait_C13 0x00002000u
#define STALLWAIT_wait_C14 0x00004000u

#define STOREIND_L1 0x66800000u
#define STOREIND_MMIO 0x66400000u
#define STOREIND_Src 0x66000000u
/* how much is moved */
#define STOREIND_size(value) TT_FIELD(value, 2, 21)
#define STOREIND_size_BITS_128 0x00000000u
#define STOREIND_size_BITS_32 0x00200000u
#define STOREIND_size_BITS_16 0x00400000u
#define STOREIND_size_BITS_8 0x00600000u
/* byte offset that is added to the address */
#define STOREIND_offset_half_reg(value) TT_FIELD(value, 7, 14)
/* what becomes of the offset afterwards */
#define STOREIND_offset_increment(value) TT_FIELD(value, 2, 12)
#define STOREIND_offset_increment_STAY 0x00000000u
#define STOREIND_offset_increment_BY_2 0x00001000u
#define STOREIND_offset_increment_BY_4 0x00002000u
#define STOREIND_offset_increment_BY_16 0x00003000u
/* what is written */
#define STOREIND_data_reg(value) TT_FIELD(value, 6, 6)
/* address in L1 in units of 16 bytes */
#define STOREIND_addr_reg(value) TT_FIELD(value, 6, 0)
/* SrcB instead of SrcA */
#define STOREIND_store_to_src_b(value) TT_FIELD(value, 1, 21)

#define STOREREG 0x67000000u
/* what is written */
#define STOREREG_data_reg(value) TT_FIELD(value, 6, 18)
/* word address: 0xFFB00000 + 4 * this */
#define STOREREG_addr_lo(value) TT_FIELD(value, 18, 0)

#define SUBDMAREG_Reg 0x59000000u
#define SUBDMAREG_Imm 0x59800000u
/* where the result goes to */
#define SUBDMAREG_result_reg(value) TT_FIELD(value, 6, 12)
/* right operand */
#define SUBDMAREG_right_reg(value) TT_FIELD(value, 6, 6)
/* left operand */
#define SUBDMAREG_left_reg(value) TT_FIELD(value, 6, 0)
/* right operand, a constant below 64 */
#define SUBDMAREG_right_imm6(value) TT_FIELD(value, 6, 6)

#define TBUFCMD 0x4b000000u

#define TRNSPSRCA 0x14000000u

#define TRNSPSRCB 0x16000000u

#define UNPACR_Regular 0x42000000u
#define UNPACR_IncrementContextCounter 0x42002000u
#define UNPACR_FlushCache 0x42000002u
/* which unpacker */
#define UNPACR_which_unpacker(value) TT_FIELD(value, 1, 23)
#define UNPACR_which_unpacker_UNP0 0x00000000u
#define UNPACR_which_unpacker_UNP1 0x00800000u
/* added to Y of channel 1 afterwards */
#define UNPACR_ch1_y_inc(value) TT_FIELD(value, 2, 21)
/* added to Z of channel 1 afterwards */
#define UNPACR_ch1_z_inc(value) TT_FIELD(value, 2, 19)
/* added to Y of channel 0 afterwards */
#define UNPACR_ch0_y_inc(value) TT_FIELD(value, 2, 17)
/* added to Z of channel 0 afterwards */
#define UNPACR_ch0_z_inc(value) TT_FIELD(value, 2, 15)
/* set of configuration, or what to add to the counter */
#define UNPACR_context_number(value) TT_FIELD(value, 3, 10)
/* thread that has the address counters */
#define UNPACR_context_adc(value) TT_FIELD(value, 2, 8)
/* use context_number and context_adc */
#define UNPACR_multi_context_mode(value) TT_FIELD(value, 1, 7)
/* hand the bank to the Matrix Unit when done */
#define UNPACR_flip_src(value) TT_FIELD(value, 1, 6)
/* LLK: rarefy SrcB; on no page */
#define UNPACR_rareb_en(value) TT_FIELD(value, 1, 5)
/* write zeros */
#define UNPACR_all_datums_are_zero(value) TT_FIELD(value, 1, 4)
/* take the context from the counter and count on */
#define UNPACR_use_context_counter(value) TT_FIELD(value, 1, 3)
/* look rows up in compressed data */
#define UNPACR_row_search(value) TT_FIELD(value, 1, 2)
/* LLK: last of a tile; on no page */
#define UNPACR_last(value) TT_FIELD(value, 1, 0)

#define UNPACR_NOP_OverlayClear0 0x43000000u
#define UNPACR_NOP_OverlayClear3 0x43000003u
#define UNPACR_NOP_ZEROSRC 0x43000001u
#define UNPACR_NOP_Nop 0x43000002u
#define UNPACR_NOP_SETREG 0x43000004u
#define UNPACR_NOP_SETDVALID 0x43000007u
/* which unpacker */
#define UNPACR_NOP_which_unpacker(value) TT_FIELD(value, 1, 23)
#define UNPACR_NOP_which_unpacker_UNP0 0x00000000u
#define UNPACR_NOP_which_unpacker_UNP1 0x00800000u
/* NoC overlay stream */
#define UNPACR_NOP_which_stream(value) TT_FIELD(value, 6, 16)
/* messages to clear */
#define UNPACR_NOP_clear_count(value) TT_FIELD(value, 11, 4)
/* wait for the unpacker's bank, not the Matrix Unit's */
#define UNPACR_NOP_wait_like_unpacr(value) TT_FIELD(value, 1, 4)
/* both banks, not only the unpacker's */
#define UNPACR_NOP_both_banks(value) TT_FIELD(value, 1, 3)
/* SrcA becomes negative infinity, not zero */
#define UNPACR_NOP_negative_inf_src_a(value) TT_FIELD(value, 1, 2)
/* which configured base address */
#define UNPACR_NOP_addr_sel(value) TT_FIELD(value, 1, 22)
/* bits 17:12 of the address */
#define UNPACR_NOP_addr_mid(value) TT_FIELD(value, 6, 16)
/* the value to write or add */
#define UNPACR_NOP_value11(value) TT_FIELD(value, 11, 4)
/* add to the accumulator and write that */
#define UNPACR_NOP_accumulate(value) TT_FIELD(value, 1, 3)

#define WRCFG 0xb0000000u
/* where the value comes from */
#define WRCFG_input_reg(value) TT_FIELD(value, 6, 16)
/* copy four GPRs to four words, both aligned to four */
#define WRCFG_is_128_bit(value) TT_FIELD(value, 1, 15)
/* word of configuration */
#define WRCFG_cfg_index(value) TT_FIELD(value, 11, 0)

#define XMOV 0x40000000u

#define ZEROACC 0x10000000u
/* rows of 32-bit datums */
#define ZEROACC_use_dst_32b(value) TT_FIELD(value, 1, 21)
/* how much is marked */
#define ZEROACC_clear_mode(value) TT_FIELD(value, 2, 19)
#define ZEROACC_clear_mode_ONE_ROW 0x00000000u
#define ZEROACC_clear_mode_ROWS_16 0x00080000u
#define ZEROACC_clear_mode_HALF_OF_DST 0x00100000u
#define ZEROACC_clear_mode_ALL_OF_DST 0x00180000u
/* mark as defined again */
#define ZEROACC_revert(value) TT_FIELD(value, 1, 18)
/* how the row counters advance */
#define ZEROACC_addr_mod(value) TT_FIELD(value, 2, 15)
/* row or group of rows, depending on the mode */
#define ZEROACC_imm10(value) TT_FIELD(value, 10, 0)

#define ZEROSRC 0x11000000u
/* SrcA becomes negative infinity, not zero */
#define ZEROSRC_negative_inf_src_a(value) TT_FIELD(value, 1, 4)
/* the Matrix Unit's bank, not the unpacker's */
#define ZEROSRC_single_bank_matrix_unit(value) TT_FIELD(value, 1, 3)
/* both banks */
#define ZEROSRC_both_banks(value) TT_FIELD(value, 1, 2)
/* SrcB */
#define ZEROSRC_clear_src_b(value) TT_FIELD(value, 1, 1)
/* SrcA */
#define ZEROSRC_clear_src_a(value) TT_FIELD(value, 1, 0)
