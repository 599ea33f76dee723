# SPDX-License-Identifier: Apache-2.0
"""The harts: an instruction is a row and a function."""
