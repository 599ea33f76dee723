# SPDX-License-Identifier: Apache-2.0
"""Each launch of kernels is a run: a line of it, what began it, its races."""
