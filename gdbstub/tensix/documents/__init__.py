# SPDX-License-Identifier: Apache-2.0
"""The objects that clients read by qXfer."""
