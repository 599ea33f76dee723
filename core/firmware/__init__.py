# SPDX-License-Identifier: Apache-2.0
"""Tenstorrent's firmware on the tile, and the host's part beside it.

folder.py      which file of a folder is for which hart
facts.py       where things are, from the DWARF of the files
image.py       a checked firmware: five ELFs, the mailboxes, the places for initialised data
host.py        load it, let it boot, launch kernels, and the states that it goes through
"""
