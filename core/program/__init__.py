# SPDX-License-Identifier: Apache-2.0
"""ELF files before they are in a tile."""
