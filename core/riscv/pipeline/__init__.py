# SPDX-License-Identifier: Apache-2.0
"""A hart with time: issue, load/store unit, store queue, retirement."""
