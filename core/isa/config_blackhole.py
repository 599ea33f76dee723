# SPDX-License-Identifier: Apache-2.0
"""Fields of the backend configuration of Blackhole: word, register, and the bits of each field.

Names, words and bits are those of `tt-1xx/blackhole/cfg_defines.h` in Tenstorrent's wheel ttnn
0.81.1. A line gives one word, or several with the same fields: their number replaces {first};
`.` is the register itself. `core.isa.config_words` reads this.
"""

FIELDS = """
[thread]
0       CFG_STATE_ID StateID=0
1       DEST_TARGET_REG_CFG_MATH Offset=0:11
2       DISABLE_IMPLIED_SRCA_FMT Base=0
3       DISABLE_IMPLIED_SRCB_FMT Base=0
4       SFPU_DEST_FMT Enable=0 Base=1:4
5       SRCA_SET Base=0:1 SetOvrdWithAddr=2
6       SRCB_SET Base=0:1
7       CLR_DVALID SrcA_Disable=0 SrcB_Disable=1
8       SCBD_BANK_MASK 32b_Enable=0
9       PACK_SCBD_BANK_MASK 32b_Enable=0
10      UNPACK_SCBD_BANK_MASK 32b_Enable=0
11      FIDELITY_BASE Phase=0:1
12-19   ADDR_MOD_AB_SEC{0} SrcAIncr=0:5 SrcACR=6 SrcAClear=7 SrcBIncr=8:13 SrcBCR=14 SrcBClear=15
20-27   ADDR_MOD_AB2_SEC{0} SrcAIncr=0 SrcBIncr=1
28-35   ADDR_MOD_DST_SEC{0} DestIncr=0:9 DestCR=10 DestClear=11 DestCToCR=12 FidelityIncr=13:14
          FidelityClear=15
36      SFPU_STACK Incr=0:9
37-40   ADDR_MOD_PACK_SEC{0} YsrcIncr=0:3 YsrcCR=4 YsrcClear=5 YdstIncr=6:9 YdstCR=10 YdstClear=11
          ZsrcIncr=12 ZsrcClear=13 ZdstIncr=14 ZdstClear=15
41      UNPACK_MISC_CFG CfgContextOffset_0=0:3 CfgContextCntReset_0=4 CfgContextCntInc_0=5
          CfgContextOffset_1=8:11 CfgContextCntReset_1=12 CfgContextCntInc_1=13
          CfgContextCntReset_metadata=14 CfgContextCntReset_metadata_zstart=15
42      NOC_OVERLAY_MSG_CLEAR StreamId_0=0:5 MsgNum_0=8:10
43      NOC_OVERLAY_MSG_CLEAR StreamId_1=0:5 MsgNum_1=8:10
44      PERF_CNT_CMD Cmd0Start=0 Cmd0Stop=1 Cmd1Start=2 Cmd1Stop=3 Cmd2Start=4 Cmd2Stop=5
          Cmd3Start=6 Cmd3Stop=7
45      ENABLE_ACC_STATS Enable=0
46      FPU_BIAS_SEL Pointer=0
47-54   ADDR_MOD_BIAS_SEC{0} BiasIncr=0:3 BiasClear=4
55      FP16A_FORCE Enable=0
56      TENSIX_TRISC_SYNC TrackGlobalCfg=0 EnSubdividedCfgForUnpacr=1 TrackGPR=2 TrackTDMARegs=3
          TrackTensixInstructions=4
57      STREAMWAIT_PHASE_HI Val=0:9
58      STREAMWAIT_NUM_MSGS_HI Val=0:6
59-62   STREAM_ID_SYNC_SEC{0} BankSel=0:5
63-66   STREAM_ID_TRISC_SEC{0} BankSel=0:5
67      TENSIX_CSR_CONFIG RawBusyStatus=0
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
3       RISC_DEST_ACCESS_CTRL_SEC0 no_swizzle=14 unsigned_int=15 fmt=16:18
3       RISC_DEST_ACCESS_CTRL_SEC1 no_swizzle=19 unsigned_int=20 fmt=21:23
3       RISC_DEST_ACCESS_CTRL_SEC2 no_swizzle=24 unsigned_int=25 fmt=26:28
4       STATE_RESET_EN .=0
5       DEST_OFFSET Enable=0
6       DEST_REGW_BASE Base=0:15
7       DEST_SP_BASE Base=0:15
8       INT_DESCALE Enable=0 Mode=1
[pack0]
12      PCK0_ADDR_CTRL_XY_REG_0 Xstride=0:15 Ystride=16:31
13      PCK0_ADDR_CTRL_ZW_REG_0 Zstride=0:15 Wstride=16:31
14      PCK0_ADDR_CTRL_XY_REG_1 Xstride=0:15 Ystride=16:31
15      PCK0_ADDR_CTRL_ZW_REG_1 Zstride=0:15 Wstride=16:31
16-17   PCK0_ADDR_BASE_REG_{0} Base=0:17
18      PCK_DEST_RD_CTRL Read_32b_data=0 Read_unsigned=1 Read_int8=2 Round_10b_mant=3
19      PCK_EDGE_TILE_FACE_SET_SELECT select=0:7 enable=8
20-23   TILE_ROW_SET_MAPPING_{0} row_set_mapping_0=0:1 row_set_mapping_1=2:3 row_set_mapping_2=4:5
          row_set_mapping_3=6:7 row_set_mapping_4=8:9 row_set_mapping_5=10:11
          row_set_mapping_6=12:13 row_set_mapping_7=14:15 row_set_mapping_8=16:17
          row_set_mapping_9=18:19 row_set_mapping_10=20:21 row_set_mapping_11=22:23
          row_set_mapping_12=24:25 row_set_mapping_13=26:27 row_set_mapping_14=28:29
          row_set_mapping_15=30:31
24      PCK_EDGE_OFFSET_SEC0 mask=0:15
24      PCK_EDGE_MODE mode=16
24      PCK_EDGE_TILE_ROW_SET_SELECT select=17:24
25-27   PCK_EDGE_OFFSET_SEC{1} mask=0:15
28-31   PACK_COUNTERS_SEC{0} pack_per_xy_plane=0:7 pack_reads_per_xy_plane=8:15
          pack_xys_per_tile=16:22 pack_yz_transposed=23 auto_ctxt_inc_xys_cnt=24:31
32-35   PACK_CONCAT_MASK_SEC{0} pack_concat_mask=0:15
36-39   TILE_FACE_SET_MAPPING_{0} face_set_mapping_0=0:1 face_set_mapping_1=2:3
          face_set_mapping_2=4:5 face_set_mapping_3=6:7 face_set_mapping_4=8:9
          face_set_mapping_5=10:11 face_set_mapping_6=12:13 face_set_mapping_7=14:15
          face_set_mapping_8=16:17 face_set_mapping_9=18:19 face_set_mapping_10=20:21
          face_set_mapping_11=22:23 face_set_mapping_12=24:25 face_set_mapping_13=26:27
          face_set_mapping_14=28:29 face_set_mapping_15=30:31
40      PACK_GLOBAL_CFG_CTL pack_disable_fast_tile_end_drain=0
[unpack0]
44      UNP0_ADDR_CTRL_XY_REG_0 Xstride=0:15 Ystride=16:31
45      UNP0_ADDR_CTRL_ZW_REG_0 Zstride=0:15 Wstride=16:31
46      UNP1_ADDR_CTRL_XY_REG_0 Xstride=0:15 Ystride=16:31
47      UNP1_ADDR_CTRL_ZW_REG_0 Zstride=0:15 Wstride=16:31
48-49   UNP0_ADDR_BASE_REG_{0} Base=0:17
50      UNP0_FORCED_SHARED_EXP shared_exp=0:7
50      UNP0_ADD_DEST_ADDR_CNTR add_dest_addr_cntr=8
51      UNP0_BLOBS_Y_START_CNTX_01 blobs_y_start=0:31
52      UNP0_BLOBS_Y_START_CNTX_23 blobs_y_start=0:31
53      UNP0_NOP_REG_CLR_VAL nop_reg_clr_val=0:31
[unpack1]
56      UNP0_ADDR_CTRL_XY_REG_1 Xstride=0:15 Ystride=16:31
57      UNP0_ADDR_CTRL_ZW_REG_1 Zstride=0:15 Wstride=16:31
58      UNP1_ADDR_CTRL_XY_REG_1 Xstride=0:15 Ystride=16:31
59      UNP1_ADDR_CTRL_ZW_REG_1 Zstride=0:15 Wstride=16:31
60-61   UNP1_ADDR_BASE_REG_{0} Base=0:17
62      UNP1_FORCED_SHARED_EXP shared_exp=0:7
62      UNP1_ADD_DEST_ADDR_CNTR add_dest_addr_cntr=8
63      UNP1_NOP_REG_CLR_VAL nop_reg_clr_val=0:31
[thcon]
64      THCON_SEC0_REG0 TileDescriptor=0:127
68      THCON_SEC0_REG1 Row_start_section_size=0:15 Exp_section_size=16:31
69      THCON_SEC0_REG1_L1 Dest_addr=0:31
70      THCON_SEC0_REG1 Disable_zero_compress=0 Add_l1_dest_addr_offset=1
          Disable_pack_zero_flags=2 ovrd_default_throttle_mode=3 Out_data_format=4:7
          In_data_format=8:11 Dis_shared_exp_assembler=12 Auto_set_last_pacr_intf_sel=13
          Enable_out_fifo=14 Sub_l1_tile_header_size=15 Source_interface_selection=16
          pack_start_intf_pos=17:20 All_pack_disable_zero_compress_ovrd=21 Add_tile_header_size=22
          pack_dis_y_pos_start_offset=23
70      THCON_SEC0_REG1_L1 source_addr=24:31
71      THCON_SEC0_REG1 Downsample_mask=0:15 Downsample_rate=16:18 Pack_L1_Acc=19
          Exp_threshold_en=20 Unp_LF8_4b_exp=22 Pac_LF8_4b_exp=23 Exp_threshold=24:31
72      THCON_SEC0_REG2 Out_data_format=0:3 Throttle_mode=4:5 Context_count=6:7 Haloize_mode=8
          Tileize_mode=9 Unpack_Src_Reg_Set_Upd=10 Unpack_If_Sel=11 Upsample_rate=12:13
          Ovrd_data_format=14 Upsample_and_interleave=15 Shift_amount_cntx0=16:19
          Shift_amount_cntx1=20:23 Shift_amount_cntx2=24:27 Shift_amount_cntx3=28:31
73      THCON_SEC0_REG2 Disable_zero_compress_cntx0=0 Disable_zero_compress_cntx1=1
          Disable_zero_compress_cntx2=2 Disable_zero_compress_cntx3=3 Unpack_if_sel_cntx0=4
          Unpack_if_sel_cntx1=5 Unpack_if_sel_cntx2=6 Unpack_if_sel_cntx3=7 Force_shared_exp=8
          Context_count_non_log2=9:11 Context_count_non_log2_en=12 Disable_zero_compress_cntx4=16
          Disable_zero_compress_cntx5=17 Disable_zero_compress_cntx6=18
          Disable_zero_compress_cntx7=19 Unpack_if_sel_cntx4=20 Unpack_if_sel_cntx5=21
          Unpack_if_sel_cntx6=22 Unpack_if_sel_cntx7=23 Metadata_x_end=24:31
74      THCON_SEC0_REG2 Unpack_limit_address=0:16
75      THCON_SEC0_REG2 Unpack_fifo_size=0:16
76      THCON_SEC0_REG3 Base_address=0:31
77      THCON_SEC0_REG3 Base_cntx1_address=0:31
78      THCON_SEC0_REG3 Base_cntx2_address=0:31
79      THCON_SEC0_REG3 Base_cntx3_address=0:31
80      THCON_SEC0_REG4 Base_cntx4_address=0:31
81      THCON_SEC0_REG4 Base_cntx5_address=0:31
82      THCON_SEC0_REG4 Base_cntx6_address=0:31
83      THCON_SEC0_REG4 Base_cntx7_address=0:31
84      THCON_SEC0_REG5 Dest_cntx0_address=0:15 Dest_cntx1_address=16:31
85      THCON_SEC0_REG5 Dest_cntx2_address=0:15 Dest_cntx3_address=16:31
86      THCON_SEC0_REG5 Tile_x_dim_cntx0=0:15 Tile_x_dim_cntx1=16:31
87      THCON_SEC0_REG5 Tile_x_dim_cntx2=0:15 Tile_x_dim_cntx3=16:31
88      THCON_SEC0_REG6 Source_address=0:31
89      THCON_SEC0_REG6 Destination_address=0:31
90      THCON_SEC0_REG6 Buffer_size=0:29 Transfer_direction=30:31
91      THCON_SEC0_REG6 Metadata_misc=0:31
92      THCON_SEC0_REG7 Offset_address=0:15 Unpack_data_format_cntx0=16:19
          Unpack_out_data_format_cntx0=20:23 Unpack_data_format_cntx4=24:27
          Unpack_out_data_format_cntx4=28:31
93      THCON_SEC0_REG7 Offset_cntx1_address=0:15 Unpack_data_format_cntx1=16:19
          Unpack_out_data_format_cntx1=20:23 Unpack_data_format_cntx5=24:27
          Unpack_out_data_format_cntx5=28:31
94      THCON_SEC0_REG7 Offset_cntx2_address=0:15 Unpack_data_format_cntx2=16:19
          Unpack_out_data_format_cntx2=20:23 Unpack_data_format_cntx6=24:27
          Unpack_out_data_format_cntx6=28:31
95      THCON_SEC0_REG7 Offset_cntx3_address=0:15 Unpack_data_format_cntx3=16:19
          Unpack_out_data_format_cntx3=20:23 Unpack_data_format_cntx7=24:27
          Unpack_out_data_format_cntx7=28:31
96      THCON_SEC0_REG8 Row_start_section_size=0:15 Exp_section_size=16:31
97      THCON_SEC0_REG8_L1 Dest_addr=0:31
98      THCON_SEC0_REG8 Disable_zero_compress=0 Add_l1_dest_addr_offset=1
          Disable_pack_zero_flags=2 Unused1=3 Out_data_format=4:7 In_data_format=8:11
          Dis_shared_exp_assembler=12 Auto_set_last_pacr_intf_sel=13 Enable_out_fifo=14
          Sub_l1_tile_header_size=15 Source_interface_selection=16 Add_tile_header_size=17
          pack_dis_y_pos_start_offset=18 unpack_tile_offset=19:23
98      THCON_SEC0_REG8_L1 source_addr=24:31
99      THCON_SEC0_REG8 Downsample_mask=0:15 Downsample_rate=16:18 Pack_L1_Acc=19
          Exp_threshold_en=20 Exp_threshold=24:31
100     THCON_SEC0_REG9 Pack_0_2_limit_address=0:16
101     THCON_SEC0_REG9 Pack_0_2_fifo_size=0:16
102     THCON_SEC0_REG9 Pack_1_3_limit_address=0:16
103     THCON_SEC0_REG9 Pack_1_3_fifo_size=0:16
104     THCON_SEC0_REG10 Unpack_limit_address=0:16
105     THCON_SEC0_REG10 Unpack_fifo_size=0:16 Unpack_limit_address_en=17
106     THCON_SEC0_REG10 Unpacker_Reg_Wr_Addr=0:23
107     THCON_SEC0_REG10 Packer_Reg_Wr_Addr=0:23
108     THCON_SEC0_REG11 Metadata_l1_addr=0:31
109     THCON_SEC0_REG11 Metadata_limit_addr=0:31
110     THCON_SEC0_REG11 Metadata_fifo_size=0:31
111     THCON_SEC0_REG11 Metadata_z_cntr_rst_unpacr_count=0:7
          Metadata_cntxt_switch_unpacr_count=8:15
112     THCON_SEC1_REG0 TileDescriptor=0:127
116     THCON_SEC1_REG1 Row_start_section_size=0:15 Exp_section_size=16:31
117     THCON_SEC1_REG1_L1 Dest_addr=0:31
118     THCON_SEC1_REG1 Disable_zero_compress=0 Add_l1_dest_addr_offset=1
          Disable_pack_zero_flags=2 ovrd_default_throttle_mode=3 Out_data_format=4:7
          In_data_format=8:11 Dis_shared_exp_assembler=12 Auto_set_last_pacr_intf_sel=13
          Enable_out_fifo=14 Sub_l1_tile_header_size=15 Source_interface_selection=16
          pack_start_intf_pos=17:20 All_pack_disable_zero_compress_ovrd=21 Add_tile_header_size=22
          pack_dis_y_pos_start_offset=23
118     THCON_SEC1_REG1_L1 source_addr=24:31
119     THCON_SEC1_REG1 Downsample_mask=0:15 Downsample_rate=16:18 Pack_L1_Acc=19
          Exp_threshold_en=20 Unp_LF8_4b_exp=22 Pac_LF8_4b_exp=23 Exp_threshold=24:31
120     THCON_SEC1_REG2 Out_data_format=0:3 Throttle_mode=4:5 Context_count=6:7 Haloize_mode=8
          Tileize_mode=9 Unpack_Src_Reg_Set_Upd=10 Unpack_If_Sel=11 Upsample_rate=12:13
          Ovrd_data_format=14 Upsample_and_interleave=15 Shift_amount_cntx0=16:19
          Shift_amount_cntx1=20:23 Shift_amount_cntx2=24:27 Shift_amount_cntx3=28:31
121     THCON_SEC1_REG2 Disable_zero_compress_cntx0=0 Disable_zero_compress_cntx1=1
          Disable_zero_compress_cntx2=2 Disable_zero_compress_cntx3=3 Unpack_if_sel_cntx0=4
          Unpack_if_sel_cntx1=5 Unpack_if_sel_cntx2=6 Unpack_if_sel_cntx3=7 Force_shared_exp=8
          Context_count_non_log2=9:11 Context_count_non_log2_en=12 Disable_zero_compress_cntx4=16
          Disable_zero_compress_cntx5=17 Disable_zero_compress_cntx6=18
          Disable_zero_compress_cntx7=19 Unpack_if_sel_cntx4=20 Unpack_if_sel_cntx5=21
          Unpack_if_sel_cntx6=22 Unpack_if_sel_cntx7=23 Metadata_x_end=24:31
122     THCON_SEC1_REG2 Unpack_limit_address=0:16
123     THCON_SEC1_REG2 Unpack_fifo_size=0:16
124     THCON_SEC1_REG3 Base_address=0:31
125     THCON_SEC1_REG3 Base_cntx1_address=0:31
126     THCON_SEC1_REG3 Base_cntx2_address=0:31
127     THCON_SEC1_REG3 Base_cntx3_address=0:31
128     THCON_SEC1_REG4 Base_cntx4_address=0:31
129     THCON_SEC1_REG4 Base_cntx5_address=0:31
130     THCON_SEC1_REG4 Base_cntx6_address=0:31
131     THCON_SEC1_REG4 Base_cntx7_address=0:31
132     THCON_SEC1_REG5 Dest_cntx0_address=0:15 Dest_cntx1_address=16:31
133     THCON_SEC1_REG5 Dest_cntx2_address=0:15 Dest_cntx3_address=16:31
134     THCON_SEC1_REG5 Tile_x_dim_cntx0=0:15 Tile_x_dim_cntx1=16:31
135     THCON_SEC1_REG5 Tile_x_dim_cntx2=0:15 Tile_x_dim_cntx3=16:31
136     THCON_SEC1_REG6 Source_address=0:31
137     THCON_SEC1_REG6 Destination_address=0:31
138     THCON_SEC1_REG6 Buffer_size=0:29 Transfer_direction=30:31
139     THCON_SEC1_REG6 Metadata_misc=0:31
140     THCON_SEC1_REG7 Offset_address=0:15 Unpack_data_format_cntx0=16:19
          Unpack_out_data_format_cntx0=20:23 Unpack_data_format_cntx4=24:27
          Unpack_out_data_format_cntx4=28:31
141     THCON_SEC1_REG7 Offset_cntx1_address=0:15 Unpack_data_format_cntx1=16:19
          Unpack_out_data_format_cntx1=20:23 Unpack_data_format_cntx5=24:27
          Unpack_out_data_format_cntx5=28:31
142     THCON_SEC1_REG7 Offset_cntx2_address=0:15 Unpack_data_format_cntx2=16:19
          Unpack_out_data_format_cntx2=20:23 Unpack_data_format_cntx6=24:27
          Unpack_out_data_format_cntx6=28:31
143     THCON_SEC1_REG7 Offset_cntx3_address=0:15 Unpack_data_format_cntx3=16:19
          Unpack_out_data_format_cntx3=20:23 Unpack_data_format_cntx7=24:27
          Unpack_out_data_format_cntx7=28:31
144     THCON_SEC1_REG8 Row_start_section_size=0:15 Exp_section_size=16:31
145     THCON_SEC1_REG8_L1 Dest_addr=0:31
146     THCON_SEC1_REG8 Disable_zero_compress=0 Add_l1_dest_addr_offset=1
          Disable_pack_zero_flags=2 Unused1=3 Out_data_format=4:7 In_data_format=8:11
          Dis_shared_exp_assembler=12 Auto_set_last_pacr_intf_sel=13 Enable_out_fifo=14
          Sub_l1_tile_header_size=15 Source_interface_selection=16 Add_tile_header_size=17
          pack_dis_y_pos_start_offset=18 unpack_tile_offset=19:23
146     THCON_SEC1_REG8_L1 source_addr=24:31
147     THCON_SEC1_REG8 Downsample_mask=0:15 Downsample_rate=16:18 Pack_L1_Acc=19
          Exp_threshold_en=20 Exp_threshold=24:31
148     THCON_SEC1_REG9 Pack_0_2_limit_address=0:16
149     THCON_SEC1_REG9 Pack_0_2_fifo_size=0:16
150     THCON_SEC1_REG9 Pack_1_3_limit_address=0:16
151     THCON_SEC1_REG9 Pack_1_3_fifo_size=0:16
152     THCON_SEC1_REG10 Unpack_limit_address=0:16
153     THCON_SEC1_REG10 Unpack_fifo_size=0:16 Unpack_limit_address_en=17
154     THCON_SEC1_REG10 Unpacker_Reg_Wr_Addr=0:23
155     THCON_SEC1_REG10 Packer_Reg_Wr_Addr=0:23
156     THCON_SEC1_REG11 Metadata_l1_addr=0:31
157     THCON_SEC1_REG11 Metadata_limit_addr=0:31
158     THCON_SEC1_REG11 Metadata_fifo_size=0:31
159     THCON_SEC1_REG11 Metadata_z_cntr_rst_unpacr_count=0:7
          Metadata_cntxt_switch_unpacr_count=8:15
[global]
180-183 DEST_TARGET_REG_CFG_PACK_SEC{0} Offset=0:11 ZOffset=12:17
184     CG_SRC_PIPELINE GateSrcAPipeEn=0 GateSrcBPipeEn=1
185     RISCV_IC_INVALIDATE InvalidateAll=0:4
186     PRNG_SEED Seed_Val=0:31
187-202 INT_DESCALE_VALUES_SEC{0} Value=0:31
203-205 TRISC_END_PC_SEC{0}_PC .=0:31
206     BRISC_END_PC_PC .=0:31
207     NOC_RISC_END_PC_PC .=0:31
208     RISC_PREFETCH_CTRL Enable_Trisc=0:2 Enable_Brisc=3 Enable_NocRisc=4 Max_Req_Count=5:12
209-211 SCRATCH_SEC{0} val=0:31
212     L1_CACHE_TAG_SEARCH_ACCEL Search_Enable=0 Start_Addr=1:17
213     L1_CACHE_TAG_SEARCH_ACCEL End_Addr=0:16
214     L1_CACHE_TAG_SEARCH_ACCEL Tag_Value_low=0:31
215     L1_CACHE_TAG_SEARCH_ACCEL Tag_Value_high=0:31
216     L1_CACHE_TAG_SEARCH_ACCEL Tag_Width=0:1 Valid_bit_section_start_addr=2:18
217     L1_CACHE_TAG_SEARCH_ACCEL Valid_bit_section_end_addr=0:16
218     L1_CACHE_TAG_SEARCH_ACCEL Data_Valid_bit_section_start_addr=0:16 Data_Valid_chk=17
219     L1_CACHE_TAG_SEARCH_ACCEL Data_Valid_offset=0:23 Tag_inv=24 Tag_inv_all=25 Tag_alloc=26
220     DEST_ACCESS_CFG swizzle_32b=0 remap_addrs=1 disable_full_write_dest_q_bypass=2
          zeroacc_absolute_tile_mode=3
221     SRC_ACCESS_CFG math_view_srca_as_one_bank=0 math_view_srcb_as_one_bank=1
          disable_contig_srca_dvalid_phase=2 disable_contig_srcb_dvalid_phase=3
222     CHICKEN_BITS sfpu_scbd_disable=0
"""

STATE_WORDS = 56 * 4
THREAD_WORDS = 68
GLOBAL_WORD = 180  # from here on both banks share the words
