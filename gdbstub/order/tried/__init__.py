# SPDX-License-Identifier: Apache-2.0
"""A remedy that was tried: put into a run by the emulator, and written as a diff of the source."""
