# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb ttnn --compare`: each operation beside torch, and where the first wrong datum is from

All but `wanted.py` runs in the Python of the program, which may be 3.10, and has torch and ttnn.
"""
