# SPDX-License-Identifier: Apache-2.0
"""What a debugger arms and may see: breakpoints, conditions, registers, memory."""
