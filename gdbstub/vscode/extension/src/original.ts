// SPDX-License-Identifier: Apache-2.0
/** Files of a copy that was compiled, as they are in the folder that was copied. */

import { existsSync } from 'fs';
import { join } from 'path';

/** Return the file of a folder that a copy of the folder, of whatever name, has at this path: that with the
 * longest end of the path. The path itself if there is none. */
export function original(path: string, root: string): string {
    if (!root || path.startsWith(`${root}/`)) return path;
    const parts = path.split('/');
    for (let at = 1; at < parts.length; at++) {
        const there = join(root, ...parts.slice(at));
        if (existsSync(there)) return there;
    }
    return path;
}
