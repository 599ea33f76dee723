# SPDX-License-Identifier: Apache-2.0
"""What harts do: requests, their answers, pushes, polls, soft reset."""
