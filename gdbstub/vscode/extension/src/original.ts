// SPDX-License-Identifier: Apache-2.0
/** Files of a copy that was compiled, as they are in the folder that was copied. */

import { existsSync } from 'fs';
import { basename, dirname, join } from 'path';

/** Return the file of a folder that a copy of the folder has under this path; the path itself if there is
 * none. */
export function original(path: string, root: string): string {
    const inside = path.lastIndexOf(`/${basename(root)}/`);
    if (!root || inside < 0) return path;
    const there = join(dirname(root), path.slice(inside + 1));
    return existsSync(there) ? there : path;
}
