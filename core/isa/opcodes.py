# SPDX-License-Identifier: Apache-2.0
"""Opcodes that other parts of the machine look for, beside the rows of their instructions.

A store knows whether the word that it pushes is a SEMPOST before the coprocessor decodes it. What
is loaded before the table of instructions (core/tensix/table.py) has these names; all others ask
`table.opcode(MNEMONIC)`.
"""

MOP = 0x01
ADDDMAREG, CMPDMAREG = 0x58, 0x5D  # the first and the last of the Scalar Unit's ALU
SEMINIT, SEMPOST, SEMGET, SEMWAIT = 0xA3, 0xA4, 0xA5, 0xA6
WRCFG, RDCFG = 0xB0, 0xB1
RMWCIB0 = 0xB3  # to RMWCIB3, then STREAMWRCFG and
CFGSHIFTMASK = 0xB8
