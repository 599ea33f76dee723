# SPDX-License-Identifier: Apache-2.0
"""The tile's registers and configuration as CMSIS-SVD, for the peripheral views of editors."""
