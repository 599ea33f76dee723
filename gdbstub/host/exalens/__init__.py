# SPDX-License-Identifier: Apache-2.0
"""A tile of a card as a core file, read through tt-exalens' Python API (an optional extra)."""
