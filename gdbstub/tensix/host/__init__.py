# SPDX-License-Identifier: Apache-2.0
"""What programs ask of their host in a session."""
