# SPDX-License-Identifier: Apache-2.0
"""Orders beyond the pages: what kernels rely on, and pauses that break what nothing keeps."""
