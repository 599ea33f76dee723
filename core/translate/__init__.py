# SPDX-License-Identifier: Apache-2.0
"""Translation: hot code of one hart as one function of machine code (README.md)"""
