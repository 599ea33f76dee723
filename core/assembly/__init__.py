# SPDX-License-Identifier: Apache-2.0
"""Text to words and back: programs of RISC-V and Tensix instructions, listings."""
