# SPDX-License-Identifier: Apache-2.0
"""A tile of a card as a core file: through tt-exalens, from our own simulator."""
