# SPDX-License-Identifier: Apache-2.0
"""The address map, memories, and requests on their way to regions."""
