# SPDX-License-Identifier: Apache-2.0
"""More sessions at a real VS Code, each by hand: pictures of what they show are for eyes.

`python -m tests.dap.drives FOLDER NAME [ARGUMENT]` plays one and puts its pictures into the folder.
The names are those of DRIVES: `lenses` takes a tt-llk, and its tests run for some seconds at each
click; the others begin with the kernel of `new` or with an example. Each fails where what it waits
for is not shown.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.dap.drives.reports import agreed, checked, faulty, witness
from tests.dap.drives.starts import attached, lanes, lenses, pressed, ttnn
from tests.dap.drives.views import hexadecimal, tile

DRIVES = {
    each.__name__: each
    for each in (
        agreed,
        attached,
        checked,
        faulty,
        hexadecimal,
        lanes,
        lenses,
        pressed,
        tile,
        ttnn,
        witness,
    )
}

if __name__ == "__main__":
    DRIVES[sys.argv[2]](Path(sys.argv[1]), *sys.argv[3:])
