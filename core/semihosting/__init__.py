# SPDX-License-Identifier: Apache-2.0
"""The host's side of semihosting: what a program on the tile may ask for, and what it gets."""
