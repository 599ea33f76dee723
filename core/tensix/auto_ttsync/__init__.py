# SPDX-License-Identifier: Apache-2.0
"""Auto TTSync: which resources an instruction uses, and what waits for them."""
