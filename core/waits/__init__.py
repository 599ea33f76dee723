# SPDX-License-Identifier: Apache-2.0
"""Wait instructions of Tensix, gfx9 and vISA, with one interface."""
