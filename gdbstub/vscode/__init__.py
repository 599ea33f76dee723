# SPDX-License-Identifier: Apache-2.0
"""The extension for VS Code: F5 in a kernel. Its programs are in `extension`, in TypeScript."""
