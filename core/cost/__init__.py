# SPDX-License-Identifier: Apache-2.0
"""The cost model: every number of time in the machine, with its source and how far to trust it."""
