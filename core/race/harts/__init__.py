# SPDX-License-Identifier: Apache-2.0
"""The harts' side: requests, their answers, pushes, polls, soft reset."""
