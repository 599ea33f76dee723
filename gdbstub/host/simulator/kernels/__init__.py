# SPDX-License-Identifier: Apache-2.0
"""The kernels that a host has compiled: its files, and which of them is in L1."""
