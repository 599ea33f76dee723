# SPDX-License-Identifier: Apache-2.0
"""Why nothing moves, in words."""
