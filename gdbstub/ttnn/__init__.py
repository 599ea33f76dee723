# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb ttnn`: a Python program that uses ttnn, on the emulated tile."""
