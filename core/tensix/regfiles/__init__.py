# SPDX-License-Identifier: Apache-2.0
"""Dst, SrcA and SrcB, and the counters that address them."""
