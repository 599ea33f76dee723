# SPDX-License-Identifier: Apache-2.0
"""The commands about instructions: asm, disasm, explain, isa."""
