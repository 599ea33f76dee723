# SPDX-License-Identifier: Apache-2.0
"""The links of a chip's NoCs and its channels of DRAM: when packets get there."""
