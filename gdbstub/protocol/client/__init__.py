# SPDX-License-Identifier: Apache-2.0
"""A client: what it believes, which threads it sees, and what goes to it.

`protocol` is what handlers of packets may touch; the other modules are the members that it names.
"""
