# SPDX-License-Identifier: Apache-2.0
"""Its instructions, by kind."""
