# SPDX-License-Identifier: Apache-2.0
"""The reasons why nothing runs, in words."""
