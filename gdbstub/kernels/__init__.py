# SPDX-License-Identifier: Apache-2.0
"""Build kernels of one's own: compilers, LLK's headers, C headers of our own, new projects."""
