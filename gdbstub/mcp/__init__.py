# SPDX-License-Identifier: Apache-2.0
"""The tile for AI assistants: `tensix-gdb mcp`, a server of the Model Context Protocol."""
