# SPDX-License-Identifier: Apache-2.0
"""Fields of the backend configuration of Wormhole: word, register, and the bits of each field.

Names, words and bits are those of `wormhole_b0_defines/cfg_defines.h` in Tenstorrent's wheel ttnn
0.81.1. A line gives one word, or several with the same fields: their number replaces {first};
`.` is the register itself. `core.isa.config_words` reads this.
"""

FIELDS = """
[thread]
0       CFG_STATE_ID StateID=0
1       DEST_TARGET_REG_CFG_MATH Offset=0:11
2       ADDR_MOD_SET Base=0
3       SRCA_SET Base=0:1 SetOvrdWithAddr=2
4       SRCB_SET Base=0:1
5       CLR_DVALID SrcA_Disable=0 SrcB_Disable=1
6       FIDELITY_BASE Phase=0:1
7       ADDR_MOD_AB_SEC0 SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
8       ADDR_MOD_AB_SEC0 BiasCntIncr=0:3 BiasCntClear=4
9       ADDR_MOD_AB_SEC1 SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
10      ADDR_MOD_AB_SEC1 BiasCntIncr=0:3 BiasCntClear=4
11      ADDR_MOD_AB_SEC2 SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
12      ADDR_MOD_AB_SEC2 BiasCntIncr=0:3 BiasCntClear=4
13      ADDR_MOD_AB_SEC3 SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
14      ADDR_MOD_AB_SEC3 BiasCntIncr=0:3 BiasCntClear=4
15      ADDR_MOD_AB_SEC4 SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
16      ADDR_MOD_AB_SEC4 BiasCntIncr=0:3 BiasCntClear=4
17      ADDR_MOD_AB_SEC5 SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
18      ADDR_MOD_AB_SEC5 BiasCntIncr=0:3 BiasCntClear=4
19      ADDR_MOD_AB_SEC6 SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
20      ADDR_MOD_AB_SEC6 BiasCntIncr=0:3 BiasCntClear=4
21      ADDR_MOD_AB_SEC7 SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
22      ADDR_MOD_AB_SEC7 BiasCntIncr=0:3 BiasCntClear=4
23-30   ADDR_MOD_DST_SEC{0} DestIncr=0:9 DestCR=10 DestClear=11 DestCToCR=12 FidelityIncr=13:14
          FidelityClear=15
31-38   ADDR_MOD_PACK_SEC{0} YsrcIncr=0:3 YsrcCR=4 YsrcClear=5 YdstIncr=6:9 YdstCR=10 YdstClear=11
          ZsrcIncr=12 ZsrcClear=13 ZdstIncr=14 ZdstClear=15
39      UNPACK_MISC_CFG CfgContextOffset_0=0:3 CfgContextCntReset_0=4 CfgContextCntInc_0=5
          CfgContextOffset_1=8:11 CfgContextCntReset_1=12 CfgContextCntInc_1=13
40      NOC_OVERLAY_MSG_CLEAR StreamId_0=0:5 MsgNum_0=8:10
41      NOC_OVERLAY_MSG_CLEAR StreamId_1=0:5 MsgNum_1=8:10
42      CG_CTRL_EN Regblocks=0 Fpu=1 Fpu_mtile=2 Fpu_sfpu=3 Move=4 Packer=5:8 Unpacker=9:10
          Xsearch=11 Thcon=12 Trisc=13 Retmux=14 Ithread=15
43      CG_CTRL_EN Hyst=2:8
44      CG_CTRL_KICK Regblocks=0 Fpu=1 Move=2 Packer=3:6 Unpacker=7:8 Xsearch=9 Thcon=10 Trisc=11
          Retmux=12 Ithread=13
45      PERF_CNT_CMD Cmd0Start=0 Cmd0Stop=1 Cmd1Start=2 Cmd1Stop=3 Cmd2Start=4 Cmd2Stop=5
          Cmd3Start=6 Cmd3Stop=7
46      ENABLE_ACC_STATS Enable=0
47      FPU_BIAS_SEL Pointer=0
48-55   ADDR_MOD_BIAS_SEC{0} BiasIncr=0:3 BiasClear=4
56      FP16A_FORCE Enable=0
[alu]
0       ALU_FORMAT_SPEC_REG SrcA_val=0:3 SrcA_override=4 SrcB_val=5:8 SrcB_override=9
          Dstacc_val=10:13 Dstacc_override=14
1       ALU_ROUNDING_MODE Fpu_srnd_en=0 Gasket_srnd_en=1 Packer_srnd_en=2 Padding=3:12
1       ALU_ROUNDING_MODE_GS_LF .=13
1       ALU_ROUNDING_MODE Bfp8_HF=14
1       ALU_FORMAT_SPEC_REG0 SrcAUnsigned=15 SrcBUnsigned=16 SrcA=17:20
1       ALU_FORMAT_SPEC_REG1 SrcB=21:24
1       ALU_FORMAT_SPEC_REG2 Dstacc=25:28
1       ALU_ACC_CTRL Fp32_enabled=29
1       ALU_ACC_CTRL_SFPU Fp32_enabled=30
1       ALU_ACC_CTRL_INT8 math_enabled=31
2       ALU_ACC_CTRL Zero_Flag_disabled_src=0 Zero_Flag_disabled_dst=1
2       STACC_RELU ApplyRelu=2:5 ReluThreshold=6:21
2       DISABLE_RISC_BP Disable_main=22 Disable_trisc=23:25 Disable_ncrisc=26
          Disable_bmp_clear_main=27 Disable_bmp_clear_trisc=28:30 Disable_bmp_clear_ncrisc=31
3       ECC_SCRUBBER Enable=0 Scrub_On_Error=1 Scrub_On_Error_Immediately=2 Delay=3:13
4       STATE_RESET_EN .=0
5       DEST_OFFSET Enable=0
6       DEST_REGW_BASE Base=0:15
7       INT_DESCALE Enable=0 Mode=1
[pack0]
8       PCK0_ADDR_CTRL_XY_REG_0 Xstride=0:11 Ystride=12:23
9       PCK0_ADDR_CTRL_ZW_REG_0 Zstride=0:11 Wstride=12:27
10      PCK0_ADDR_CTRL_XY_REG_1 Xstride=0:11 Ystride=12:23
11      PCK0_ADDR_CTRL_ZW_REG_1 Zstride=0:11 Wstride=12:27
12-13   PCK0_ADDR_BASE_REG_{0} Base=0:15
14      PCK_DEST_RD_CTRL Read_32b_data=0 Read_unsigned=1 Read_int8=2 Round_10b_mant=3
15      PCK_EDGE_TILE_FACE_SET_SELECT select=0:7 enable=8
16-19   TILE_ROW_SET_MAPPING_{0} row_set_mapping_0=0:1 row_set_mapping_1=2:3 row_set_mapping_2=4:5
          row_set_mapping_3=6:7 row_set_mapping_4=8:9 row_set_mapping_5=10:11
          row_set_mapping_6=12:13 row_set_mapping_7=14:15 row_set_mapping_8=16:17
          row_set_mapping_9=18:19 row_set_mapping_10=20:21 row_set_mapping_11=22:23
          row_set_mapping_12=24:25 row_set_mapping_13=26:27 row_set_mapping_14=28:29
          row_set_mapping_15=30:31
20      PCK_EDGE_OFFSET_SEC0 mask=0:15
20      PCK_EDGE_MODE mode=16
20      PCK_EDGE_TILE_ROW_SET_SELECT select=17:24
21-23   PCK_EDGE_OFFSET_SEC{1} mask=0:15
24-27   PACK_COUNTERS_SEC{0} pack_per_xy_plane=0:7 pack_reads_per_xy_plane=8:15
          pack_xys_per_tile=16:22 pack_yz_transposed=23 pack_per_xy_plane_offset=24:31
28-31   PACK_CONCAT_MASK_SEC{0} pack_concat_mask=0:15
32-35   TILE_FACE_SET_MAPPING_{0} face_set_mapping_0=0:1 face_set_mapping_1=2:3
          face_set_mapping_2=4:5 face_set_mapping_3=6:7 face_set_mapping_4=8:9
          face_set_mapping_5=10:11 face_set_mapping_6=12:13 face_set_mapping_7=14:15
          face_set_mapping_8=16:17 face_set_mapping_9=18:19 face_set_mapping_10=20:21
          face_set_mapping_11=22:23 face_set_mapping_12=24:25 face_set_mapping_13=26:27
          face_set_mapping_14=28:29 face_set_mapping_15=30:31
[unpack0]
36      UNP0_ADDR_CTRL_XY_REG_0 Xstride=0:11 Ystride=12:23
37      UNP0_ADDR_CTRL_ZW_REG_0 Zstride=0:11 Wstride=12:27
38      UNP1_ADDR_CTRL_XY_REG_0 Xstride=0:11 Ystride=12:23
39      UNP1_ADDR_CTRL_ZW_REG_0 Zstride=0:11 Wstride=12:27
40      UNP0_ADDR_BASE_REG_0 Base=0:15
40      UNP0_ADDR_BASE_REG_1 Base=16:31
41      UNP0_FORCED_SHARED_EXP shared_exp=0:7
41      UNP0_ADD_DEST_ADDR_CNTR add_dest_addr_cntr=8
42      UNP0_BLOBS_Y_START_CNTX_01 blobs_y_start=0:31
43      UNP0_BLOBS_Y_START_CNTX_23 blobs_y_start=0:31
[unpack1]
44      UNP0_ADDR_CTRL_XY_REG_1 Xstride=0:11 Ystride=12:23
45      UNP0_ADDR_CTRL_ZW_REG_1 Zstride=0:11 Wstride=12:27
46      UNP1_ADDR_CTRL_XY_REG_1 Xstride=0:11 Ystride=12:23
47      UNP1_ADDR_CTRL_ZW_REG_1 Zstride=0:11 Wstride=12:27
48      UNP1_ADDR_BASE_REG_0 Base=0:15
48      UNP1_ADDR_BASE_REG_1 Base=16:31
49      UNP1_FORCED_SHARED_EXP shared_exp=0:7
49      UNP1_ADD_DEST_ADDR_CNTR add_dest_addr_cntr=8
[thcon]
52      THCON_SEC0_REG0 TileDescriptor=0:127
56      THCON_SEC0_REG1 Row_start_section_size=0:15 Exp_section_size=16:31
57      THCON_SEC0_REG1_L1 Dest_addr=0:31
58      THCON_SEC0_REG1 Disable_zero_compress=0 Add_l1_dest_addr_offset=1 Addr_cnt_context=2:3
          Out_data_format=4:7 In_data_format=8:11 Dis_shared_exp_assembler=12
          Force_pack_per_max_xy_plane=13 Enable_out_fifo=14 Sub_l1_tile_header_size=15
          Source_interface_selection=16 All_pack_disable_zero_compress=17:20
          All_pack_disable_zero_compress_ovrd=21 Add_tile_header_size=22
58      THCON_SEC0_REG1_L1 source_addr=24:31
59      THCON_SEC0_REG1 Downsample_mask=0:15 Downsample_rate=16:18 Read_mode=19
          Exp_threshold_en=20 Pack_L1_Acc=21 Disable_pack_zero_flags=22 Exp_threshold=24:31
60      THCON_SEC0_REG2 Out_data_format=0:3 Throttle_mode=4:5 Context_count=6:7 Haloize_mode=8
          Tileize_mode=9 Unpack_Src_Reg_Set_Upd=10 Unpack_If_Sel=11 Upsample_rate=12:13
          Ovrd_data_format=14 Upsample_and_interleave=15 Shift_amount_cntx0=16:19
          Shift_amount_cntx1=20:23 Shift_amount_cntx2=24:27 Shift_amount_cntx3=28:31
61      THCON_SEC0_REG2 Disable_zero_compress_cntx0=0 Disable_zero_compress_cntx1=1
          Disable_zero_compress_cntx2=2 Disable_zero_compress_cntx3=3 Unpack_if_sel_cntx0=4
          Unpack_if_sel_cntx1=5 Unpack_if_sel_cntx2=6 Unpack_if_sel_cntx3=7 Force_shared_exp=8
          Disable_zero_compress_cntx4=16 Disable_zero_compress_cntx5=17
          Disable_zero_compress_cntx6=18 Disable_zero_compress_cntx7=19 Unpack_if_sel_cntx4=20
          Unpack_if_sel_cntx5=21 Unpack_if_sel_cntx6=22 Unpack_if_sel_cntx7=23
62      THCON_SEC0_REG2 Unpack_limit_address=0:16
63      THCON_SEC0_REG2 Unpack_fifo_size=0:16
64      THCON_SEC0_REG3 Base_address=0:31
65      THCON_SEC0_REG3 Base_cntx1_address=0:31
66      THCON_SEC0_REG3 Base_cntx2_address=0:31
67      THCON_SEC0_REG3 Base_cntx3_address=0:31
68      THCON_SEC0_REG4 Base_cntx4_address=0:31
69      THCON_SEC0_REG4 Base_cntx5_address=0:31
70      THCON_SEC0_REG4 Base_cntx6_address=0:31
71      THCON_SEC0_REG4 Base_cntx7_address=0:31
72      THCON_SEC0_REG5 Dest_cntx0_address=0:15 Dest_cntx1_address=16:31
73      THCON_SEC0_REG5 Dest_cntx2_address=0:15 Dest_cntx3_address=16:31
74      THCON_SEC0_REG5 Tile_x_dim_cntx0=0:15 Tile_x_dim_cntx1=16:31
75      THCON_SEC0_REG5 Tile_x_dim_cntx2=0:15 Tile_x_dim_cntx3=16:31
76      THCON_SEC0_REG6 Source_address=0:31
77      THCON_SEC0_REG6 Destination_address=0:31
78      THCON_SEC0_REG6 Buffer_size=0:29 Transfer_direction=30:31
80      THCON_SEC0_REG7 Offset_address=0:15 Unpack_data_format_cntx0=16:19
          Unpack_out_data_format_cntx0=20:23 Unpack_data_format_cntx4=24:27
          Unpack_out_data_format_cntx4=28:31
81      THCON_SEC0_REG7 Offset_cntx1_address=0:15 Unpack_data_format_cntx1=16:19
          Unpack_out_data_format_cntx1=20:23 Unpack_data_format_cntx5=24:27
          Unpack_out_data_format_cntx5=28:31
82      THCON_SEC0_REG7 Offset_cntx2_address=0:15 Unpack_data_format_cntx2=16:19
          Unpack_out_data_format_cntx2=20:23 Unpack_data_format_cntx6=24:27
          Unpack_out_data_format_cntx6=28:31
83      THCON_SEC0_REG7 Offset_cntx3_address=0:15 Unpack_data_format_cntx3=16:19
          Unpack_out_data_format_cntx3=20:23 Unpack_data_format_cntx7=24:27
          Unpack_out_data_format_cntx7=28:31
84      THCON_SEC0_REG8 Row_start_section_size=0:15 Exp_section_size=16:31
85      THCON_SEC0_REG8_L1 Dest_addr=0:31
86      THCON_SEC0_REG8 Disable_zero_compress=0 Add_l1_dest_addr_offset=1 Addr_cnt_context=2:3
          Out_data_format=4:7 In_data_format=8:11 Dis_shared_exp_assembler=12
          Force_pack_per_max_xy_plane=13 Enable_out_fifo=14 Sub_l1_tile_header_size=15
          Source_interface_selection=16 Add_tile_header_size=17
86      THCON_SEC0_REG8_L1 source_addr=24:31
87      THCON_SEC0_REG8 Downsample_mask=0:15 Downsample_rate=16:18 Read_mode=19
          Exp_threshold_en=20 Pack_L1_Acc=21 Disable_pack_zero_flags=22 Exp_threshold=24:31
88      THCON_SEC0_REG9 Pack_0_2_limit_address=0:16
89      THCON_SEC0_REG9 Pack_0_2_fifo_size=0:16
90      THCON_SEC0_REG9 Pack_1_3_limit_address=0:16
91      THCON_SEC0_REG9 Pack_1_3_fifo_size=0:16
92      THCON_SEC1_REG0 TileDescriptor=0:127
96      THCON_SEC1_REG1 Row_start_section_size=0:15 Exp_section_size=16:31
97      THCON_SEC1_REG1_L1 Dest_addr=0:31
98      THCON_SEC1_REG1 Disable_zero_compress=0 Add_l1_dest_addr_offset=1 Addr_cnt_context=2:3
          Out_data_format=4:7 In_data_format=8:11 Dis_shared_exp_assembler=12
          Force_pack_per_max_xy_plane=13 Enable_out_fifo=14 Sub_l1_tile_header_size=15
          Source_interface_selection=16 All_pack_disable_zero_compress=17:20
          All_pack_disable_zero_compress_ovrd=21 Add_tile_header_size=22
98      THCON_SEC1_REG1_L1 source_addr=24:31
99      THCON_SEC1_REG1 Downsample_mask=0:15 Downsample_rate=16:18 Read_mode=19
          Exp_threshold_en=20 Pack_L1_Acc=21 Disable_pack_zero_flags=22 Exp_threshold=24:31
100     THCON_SEC1_REG2 Out_data_format=0:3 Throttle_mode=4:5 Context_count=6:7 Haloize_mode=8
          Tileize_mode=9 Unpack_Src_Reg_Set_Upd=10 Unpack_If_Sel=11 Upsample_rate=12:13
          Ovrd_data_format=14 Upsample_and_interleave=15 Shift_amount_cntx0=16:19
          Shift_amount_cntx1=20:23 Shift_amount_cntx2=24:27 Shift_amount_cntx3=28:31
101     THCON_SEC1_REG2 Disable_zero_compress_cntx0=0 Disable_zero_compress_cntx1=1
          Disable_zero_compress_cntx2=2 Disable_zero_compress_cntx3=3 Unpack_if_sel_cntx0=4
          Unpack_if_sel_cntx1=5 Unpack_if_sel_cntx2=6 Unpack_if_sel_cntx3=7 Force_shared_exp=8
          Disable_zero_compress_cntx4=16 Disable_zero_compress_cntx5=17
          Disable_zero_compress_cntx6=18 Disable_zero_compress_cntx7=19 Unpack_if_sel_cntx4=20
          Unpack_if_sel_cntx5=21 Unpack_if_sel_cntx6=22 Unpack_if_sel_cntx7=23
102     THCON_SEC1_REG2 Unpack_limit_address=0:16
103     THCON_SEC1_REG2 Unpack_fifo_size=0:16
104     THCON_SEC1_REG3 Base_address=0:31
105     THCON_SEC1_REG3 Base_cntx1_address=0:31
106     THCON_SEC1_REG3 Base_cntx2_address=0:31
107     THCON_SEC1_REG3 Base_cntx3_address=0:31
108     THCON_SEC1_REG4 Base_cntx4_address=0:31
109     THCON_SEC1_REG4 Base_cntx5_address=0:31
110     THCON_SEC1_REG4 Base_cntx6_address=0:31
111     THCON_SEC1_REG4 Base_cntx7_address=0:31
112     THCON_SEC1_REG5 Dest_cntx0_address=0:15 Dest_cntx1_address=16:31
113     THCON_SEC1_REG5 Dest_cntx2_address=0:15 Dest_cntx3_address=16:31
114     THCON_SEC1_REG5 Tile_x_dim_cntx0=0:15 Tile_x_dim_cntx1=16:31
115     THCON_SEC1_REG5 Tile_x_dim_cntx2=0:15 Tile_x_dim_cntx3=16:31
116     THCON_SEC1_REG6 Source_address=0:31
117     THCON_SEC1_REG6 Destination_address=0:31
118     THCON_SEC1_REG6 Buffer_size=0:29 Transfer_direction=30:31
120     THCON_SEC1_REG7 Offset_address=0:15 Unpack_data_format_cntx0=16:19
          Unpack_out_data_format_cntx0=20:23 Unpack_data_format_cntx4=24:27
          Unpack_out_data_format_cntx4=28:31
121     THCON_SEC1_REG7 Offset_cntx1_address=0:15 Unpack_data_format_cntx1=16:19
          Unpack_out_data_format_cntx1=20:23 Unpack_data_format_cntx5=24:27
          Unpack_out_data_format_cntx5=28:31
122     THCON_SEC1_REG7 Offset_cntx2_address=0:15 Unpack_data_format_cntx2=16:19
          Unpack_out_data_format_cntx2=20:23 Unpack_data_format_cntx6=24:27
          Unpack_out_data_format_cntx6=28:31
123     THCON_SEC1_REG7 Offset_cntx3_address=0:15 Unpack_data_format_cntx3=16:19
          Unpack_out_data_format_cntx3=20:23 Unpack_data_format_cntx7=24:27
          Unpack_out_data_format_cntx7=28:31
124     THCON_SEC1_REG8 Row_start_section_size=0:15 Exp_section_size=16:31
125     THCON_SEC1_REG8_L1 Dest_addr=0:31
126     THCON_SEC1_REG8 Disable_zero_compress=0 Add_l1_dest_addr_offset=1 Addr_cnt_context=2:3
          Out_data_format=4:7 In_data_format=8:11 Dis_shared_exp_assembler=12
          Force_pack_per_max_xy_plane=13 Enable_out_fifo=14 Sub_l1_tile_header_size=15
          Source_interface_selection=16 Add_tile_header_size=17
126     THCON_SEC1_REG8_L1 source_addr=24:31
127     THCON_SEC1_REG8 Downsample_mask=0:15 Downsample_rate=16:18 Read_mode=19
          Exp_threshold_en=20 Pack_L1_Acc=21 Disable_pack_zero_flags=22 Exp_threshold=24:31
128     THCON_SEC1_REG9 Pack_0_2_limit_address=0:16
129     THCON_SEC1_REG9 Pack_0_2_fifo_size=0:16
130     THCON_SEC1_REG9 Pack_1_3_limit_address=0:16
131     THCON_SEC1_REG9 Pack_1_3_fifo_size=0:16
[global]
152-155 DEST_TARGET_REG_CFG_PACK_SEC{0} Offset=0:11 ZOffset=12:17
156     CG_SRC_PIPELINE GateSrcAPipeEn=0 GateSrcBPipeEn=1
157     RISCV_IC_INVALIDATE InvalidateAll=0:4
158-160 TRISC_RESET_PC_SEC{0}_PC .=0:31
161     TRISC_RESET_PC_OVERRIDE Reset_PC_Override_en=0:2
162     NCRISC_RESET_PC_PC .=0:31
163     NCRISC_RESET_PC_OVERRIDE Reset_PC_Override_en=0
164     PRNG_SEED Seed_Val=0:31
165-180 INT_DESCALE_VALUES_SEC{0} Value=0:31
181-183 TRISC_END_PC_SEC{0}_PC .=0:31
184     BRISC_END_PC_PC .=0:31
185     NOC_RISC_END_PC_PC .=0:31
186     RISC_PREFETCH_CTRL Enable_Trisc=0:2 Enable_Brisc=3 Enable_NocRisc=4 Max_Req_Count=5:12
"""

STATE_WORDS = 47 * 4
THREAD_WORDS = 57
GLOBAL_WORD = 152  # from here on both banks share the words
