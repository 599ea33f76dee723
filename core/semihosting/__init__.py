# SPDX-License-Identifier: Apache-2.0
"""The host's side of semihosting: console, files, exit status."""
