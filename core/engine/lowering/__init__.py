# SPDX-License-Identifier: Apache-2.0
"""From the syntax tree of a subset function to LLVM IR."""
