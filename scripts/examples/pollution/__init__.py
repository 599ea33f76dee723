# SPDX-License-Identifier: Apache-2.0
"""Two kernels of which one pollutes the other, and the session of the manual."""
