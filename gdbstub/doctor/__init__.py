# SPDX-License-Identifier: Apache-2.0
"""The check of the installation, and the compiled code that commands wait for: `doctor`."""
