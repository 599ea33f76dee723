# SPDX-License-Identifier: Apache-2.0
"""Public reports of bugs in kernels, re-created: a row has the kernel, and what has to be said."""
