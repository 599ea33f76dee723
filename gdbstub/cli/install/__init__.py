# SPDX-License-Identifier: Apache-2.0
"""What belongs to an installation: its versions, and completion in the shell."""
