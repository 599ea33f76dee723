# SPDX-License-Identifier: Apache-2.0
"""One tile for several clients: which one drives, which wait, which are told."""
