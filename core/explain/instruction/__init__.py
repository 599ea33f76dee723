# SPDX-License-Identifier: Apache-2.0
"""What one instruction of any of the machines means, in words and tables."""
