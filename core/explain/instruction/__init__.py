# SPDX-License-Identifier: Apache-2.0
"""The meaning of one instruction of any of the machines, in words and tables."""
