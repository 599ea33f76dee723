# SPDX-License-Identifier: Apache-2.0
"""What each kernel leaves changed and reads before it writes: pairs of kernels that disturb each
other (`tensix-gdb pollution`)."""
