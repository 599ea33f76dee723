# SPDX-License-Identifier: Apache-2.0
"""The mover, and the commands of TDMA-RISC."""
