# SPDX-License-Identifier: Apache-2.0
"""Pairs of kernels that disturb each other by the state they leave (`tensix-gdb pollution`)."""
