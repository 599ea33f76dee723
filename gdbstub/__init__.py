# SPDX-License-Identifier: Apache-2.0
"""The debugger side: command line, server, protocol, and the tile as a target."""
