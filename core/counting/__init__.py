# SPDX-License-Identifier: Apache-2.0
"""How often everything was executed, and where the cycles went."""
