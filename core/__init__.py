# SPDX-License-Identifier: Apache-2.0
"""The machine: the emulated tile, without sockets and without a word of the protocol."""
