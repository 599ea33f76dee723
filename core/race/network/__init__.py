# SPDX-License-Identifier: Apache-2.0
"""What reaches L1 from outside the harts and the coprocessor: the NIUs, the host."""
