# SPDX-License-Identifier: Apache-2.0
"""Parts of an installation: its versions, and completion in the shell."""
