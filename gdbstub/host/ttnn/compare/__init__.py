# SPDX-License-Identifier: Apache-2.0
"""Each operation of a ttnn script beside torch, and the origin of the first wrong datum.

It is `tensix-gdb ttnn --compare`. All but `wanted.py` runs in the Python of the program, which may
be 3.10, and has torch and ttnn.
"""
