# SPDX-License-Identifier: Apache-2.0
"""Tiles of data as arrays: formats of L1, faces, NumPy's files, comparison.

formats.py     every format of L1 by name: a number to the bits of a datum, and back
numbers.py     the arithmetic of that
layout.py      the order of an array's datums in L1: tiles, faces, or row by row
npy.py         NumPy's .npy files, without NumPy
tile.py        an array to the bytes of L1, and back; where a datum is
registers.py   the same for rows of Dst
comparison.py  two arrays: the first difference, and a map of all
configuration  the configuration words that a tile of each format needs

Neither layout.py nor npy.py imports anything of this project: GDB's Python imports them too.
"""
