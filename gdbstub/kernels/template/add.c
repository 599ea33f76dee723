/* SPDX-License-Identifier: Apache-2.0
 * Add tiles of 32x32 BF16: T0 unpacks the left ones to SrcA and the right ones to SrcB, T1 adds
 * them into Dst, T2 packs Dst to L1. The file is compiled three times, once for each of them.
 *
 * `tensix-gdb manual kernel` explains it. A name in capitals is an instruction, one of its fields,
 * or a field of the configuration; `tensix-gdb explain` and `tensix cfg NAME` know them. */
#include "tensix_by_name.h"

#define LEFT 0x21000 /* where the tiles are in L1: change these with the test */
#define RIGHT 0x31000
#define SUM 0x41000
#define TILES 4
#define DATUMS 1024 /* of a tile: four faces of 16x16, one after another */
#define BYTES (DATUMS * 2)
#define ROWS 64 /* of a tile in SrcA, SrcB and Dst, 16 datums each */

#ifdef LLK_TRISC_UNPACK
/* One unpacker: 1024 datums of BF16, from the address in context 0 to row 0 of its bank. */
#define CONFIGURE_UNPACKER(section)                                              \
    configure(THCON_SEC##section##_REG0_TileDescriptor_in_data_format, BF16);    \
    configure(THCON_SEC##section##_REG0_TileDescriptor_uncompressed, 1);         \
    configure(THCON_SEC##section##_REG0_TileDescriptor_x_dim, DATUMS);           \
    configure(THCON_SEC##section##_REG0_TileDescriptor_y_dim, 1);                \
    configure(THCON_SEC##section##_REG0_TileDescriptor_z_dim, 1);                \
    configure(THCON_SEC##section##_REG0_TileDescriptor_w_dim, 1);                \
    configure(THCON_SEC##section##_REG2_Out_data_format, BF16);                  \
    configure(THCON_SEC##section##_REG2_Disable_zero_compress_cntx0, 1);         \
    configure(THCON_SEC##section##_REG2_Unpack_limit_address, 0x1ffff);          \
    configure(THCON_SEC##section##_REG5_Tile_x_dim_cntx0, DATUMS)

#define UNPACK (UNPACR_Regular | UNPACR_multi_context_mode(1) | UNPACR_flip_src(1))

static void unpack_tile(u32 tile)
{
    configure(THCON_SEC0_REG3_Base_address, L1_ADDRESS(LEFT + tile * BYTES));
    configure(THCON_SEC1_REG3_Base_address, L1_ADDRESS(RIGHT + tile * BYTES));
    wait_for_configuration(STALLWAIT_block_B3);
    TTINSN(UNPACK | UNPACR_which_unpacker_UNP0);
    TTINSN(UNPACK | UNPACR_which_unpacker_UNP1);
    wait_for_tensix(); /* the unpackers read these words until they have ended */
}

static void unpack_hw_configure(void)
{
    /* Fields that are not named begin at 0, whatever a kernel before this one has left there. */
    clear_words(WORD(UNP0_ADDR_CTRL_XY_REG_1_Xstride), WORD(UNP1_ADDR_CTRL_ZW_REG_1_Wstride));
    clear_words(WORD(THCON_SEC0_REG0_TileDescriptor_x_dim),
                WORD(THCON_SEC0_REG0_TileDescriptor_digest_size));
    clear_words(WORD(THCON_SEC0_REG1_Unp_LF8_4b_exp), WORD(THCON_SEC0_REG7_Offset_address));
    clear_words(WORD(THCON_SEC1_REG0_TileDescriptor_x_dim), WORD(THCON_SEC1_REG7_Offset_address));
    CONFIGURE_UNPACKER(0);
    CONFIGURE_UNPACKER(1);
    configure(THCON_SEC0_REG5_Dest_cntx0_address, 4 * 16); /* SrcA's row 0 is counted as row 4 */
    set_thread(WORD(SRCA_SET_SetOvrdWithAddr), FIELD(SRCA_SET_SetOvrdWithAddr, 1));
    /* The address counters: from datum 0 to the last, of the first row, face and tile. */
    TTINSN(SETADCXX | SETADCXX_u0(1) | SETADCXX_u1(1) | SETADCXX_x1_val(DATUMS - 1));
    TTINSN(SETADCZW | SETADCZW_u0(1) | SETADCZW_u1(1) | SETADCZW_z0(1) | SETADCZW_w0(1) |
           SETADCZW_z1(1) | SETADCZW_w1(1));
}

int main(void)
{
    unpack_hw_configure();
    for (u32 tile = 0; tile < TILES; tile++)
        unpack_tile(tile);
    TTINSN(SETADCXX | SETADCXX_u0(1) | SETADCXX_u1(1)); /* the counters are as they were before */
    wait_for_tensix();
    return 0;
}
#endif

/* Semaphore 1 counts the tiles in Dst: T1 waits while it is at its maximum, T2 while it is 0. */
#ifdef LLK_TRISC_MATH
static void add_tile(void)
{
    TTINSN(SEMWAIT | SEMWAIT_block_B6 | SEMWAIT_sem_S1 | SEMWAIT_wait_C1);
    for (u32 row = 0; row < ROWS; row += 8)
        TTINSN(ELWADD | ELWADD_addr_mod(0));
    /* Back to row 0, and both banks back to the unpackers. */
    TTINSN(SETRWC | SETRWC_src_a(1) | SETRWC_src_b(1) | SETRWC_dst(1) | SETRWC_flip_src_a(1) |
           SETRWC_flip_src_b(1));
    TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C4);
    TTINSN(SEMPOST | SEMPOST_sem_S1);
}

static void math_hw_configure(void)
{
    clear_words(WORD(ALU_ROUNDING_MODE_Fpu_srnd_en), WORD(ALU_ACC_CTRL_Zero_Flag_disabled_src));
    clear_words(WORD(DEST_REGW_BASE_Base), WORD(DEST_REGW_BASE_Base));
    configure(ALU_FORMAT_SPEC_REG2_Dstacc, BF16);
    wait_for_configuration(STALLWAIT_block_B6);
    /* ADDR_MOD 0: each ELWADD adds eight rows, and advances by eight. */
    set_thread(WORD(ADDR_MOD_AB_SEC0_SrcAIncr),
               FIELD(ADDR_MOD_AB_SEC0_SrcAIncr, 8) | FIELD(ADDR_MOD_AB_SEC0_SrcBIncr, 8));
    set_thread(WORD(ADDR_MOD_DST_SEC0_DestIncr), FIELD(ADDR_MOD_DST_SEC0_DestIncr, 8));
}

int main(void)
{
    math_hw_configure();
    TTINSN(SEMINIT | SEMINIT_new_max(1) | SEMINIT_new_value(0) | SEMINIT_sem_S1);
    for (u32 tile = 0; tile < TILES; tile++)
        add_tile();
    wait_for_tensix();
    return 0;
}
#endif

#ifdef LLK_TRISC_PACK
static void pack_tile(u32 tile)
{
    configure(THCON_SEC0_REG1_L1_Dest_addr, L1_ADDRESS(SUM + tile * BYTES));
    wait_for_configuration(STALLWAIT_block_B2);
    TTINSN(SEMWAIT | SEMWAIT_block_B2 | SEMWAIT_sem_S1 | SEMWAIT_wait_C0);
    for (u32 row = 0; row < ROWS - 4; row += 4)
        TTINSN(PACR | PACR_addr_mod(0));
    TTINSN(PACR | PACR_addr_mod(1) | PACR_last(1));
    TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C3);
    TTINSN(SEMGET | SEMGET_sem_S1);
    wait_for_tensix();
}

static void pack_hw_configure(void)
{
    clear_words(WORD(PCK0_ADDR_CTRL_XY_REG_0_Ystride), WORD(PCK0_ADDR_CTRL_ZW_REG_0_Zstride));
    clear_words(WORD(PCK_DEST_RD_CTRL_Read_32b_data), WORD(PCK_DEST_RD_CTRL_Read_32b_data));
    clear_words(WORD(PCK_EDGE_OFFSET_SEC0_mask), WORD(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane));
    clear_words(WORD(THCON_SEC0_REG1_Row_start_section_size), WORD(THCON_SEC0_REG1_In_data_format));
    clear_words(WORD(DEST_TARGET_REG_CFG_PACK_SEC0_Offset),
                WORD(DEST_TARGET_REG_CFG_PACK_SEC0_Offset));
    configure(THCON_SEC0_REG1_In_data_format, BF16);
    configure(THCON_SEC0_REG1_Out_data_format, BF16);
    configure(THCON_SEC0_REG1_Disable_zero_compress, 1);
    configure(PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 * 2); /* bytes of a row in Dst */
    configure(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
    configure(PCK_EDGE_OFFSET_SEC0_mask, 0xffff); /* no datum of a row is replaced */
    configure(PCK_EDGE_OFFSET_SEC1_mask, 0xffff);
    configure(PCK_EDGE_OFFSET_SEC2_mask, 0xffff);
    configure(PCK_EDGE_OFFSET_SEC3_mask, 0xffff);
    /* ADDR_MOD 0: each PACR packs four rows, and advances by four. ADDR_MOD 1: back to row 0. */
    set_thread(WORD(ADDR_MOD_PACK_SEC0_YsrcIncr), FIELD(ADDR_MOD_PACK_SEC0_YsrcIncr, 4));
    set_thread(WORD(ADDR_MOD_PACK_SEC1_YsrcClear), FIELD(ADDR_MOD_PACK_SEC1_YsrcClear, 1));
    TTINSN(SETADCXX | SETADCXX_pk(1) | SETADCXX_x1_val(15));
    TTINSN(SETADCXY | SETADCXY_pk(1) | SETADCXY_y0(1) | SETADCXY_y1(1));
    TTINSN(SETADCZW | SETADCZW_pk(1) | SETADCZW_z0(1) | SETADCZW_w0(1) | SETADCZW_z1(1) |
           SETADCZW_w1(1));
}

int main(void)
{
    pack_hw_configure();
    for (u32 tile = 0; tile < TILES; tile++)
        pack_tile(tile);
    TTINSN(SETADCXX | SETADCXX_pk(1)); /* the counters are as they were before */
    wait_for_tensix();
    return 0;
}
#endif

/* What F5 in an editor runs (`tensix-gdb manual vscode`):
 * RUN: @RUN@ */
