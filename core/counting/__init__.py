# SPDX-License-Identifier: Apache-2.0
"""Count how often each instruction was executed, and where the cycles went."""
