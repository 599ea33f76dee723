# SPDX-License-Identifier: Apache-2.0
"""What is there and what is missing, and the compiled code that commands wait for: `doctor`."""
