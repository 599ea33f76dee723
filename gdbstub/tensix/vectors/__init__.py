# SPDX-License-Identifier: Apache-2.0
"""Variables of SFPI's vector types, and `dst_reg[N]`, as lanes: `monitor print`.

held      which LReg has a variable at a pc
drained   the tile as it will be when what a thread has pushed has executed
monitor   the command
"""
