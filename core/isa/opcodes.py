# SPDX-License-Identifier: Apache-2.0
"""Opcodes that other parts of the machine look for, beside the rows of their instructions.

A store knows whether the word that it pushes is a SEMPOST before the coprocessor decodes it. What
is loaded before the table of instructions (core/tensix/table.py) has these names; all others ask
`table.opcode(MNEMONIC)`.
"""

MOP, NOP, MOP_CFG, REPLAY = 0x01, 0x02, 0x03, 0x04
RESOURCEDECL = 0x05
ZEROACC = 0x10
PACR, UNPACR, PACR_SETREG = 0x41, 0x42, 0x4A
ADDDMAREG, CMPDMAREG = 0x58, 0x5D  # the first and the last of the Scalar Unit's ALU
SEMINIT, SEMPOST, SEMGET, SEMWAIT = 0xA3, 0xA4, 0xA5, 0xA6
WRCFG, RDCFG, SETC16 = 0xB0, 0xB1, 0xB2
RMWCIB0 = 0xB3  # to RMWCIB3, then STREAMWRCFG and
CFGSHIFTMASK = 0xB8
