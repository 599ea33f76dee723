# SPDX-License-Identifier: Apache-2.0
"""The debugger's side of the machine: breakpoints, conditions, registers, memory."""
