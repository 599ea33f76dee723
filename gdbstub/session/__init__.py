# SPDX-License-Identifier: Apache-2.0
"""The protocol with one client, without I/O.

`client` has the session, `states` the table of what it does about each event, `channel` its bytes,
`shared` what it needs of the tile that clients share, `wishes` what it was told by the client.
"""

from tensix_gdb.gdbstub.session.client import Session

__all__ = ["Session"]
