# SPDX-License-Identifier: Apache-2.0
"""The accesses to L1 from outside the harts and the coprocessor: the NIUs, the host."""
