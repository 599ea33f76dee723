# SPDX-License-Identifier: Apache-2.0
"""The Matrix Unit (FPU)."""
