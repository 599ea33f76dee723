// SPDX-License-Identifier: Apache-2.0
/** The debug adapter's program: Debug Adapter Protocol on standard input and output. */

import { TensixSession } from './session';

/** A session as `run` makes it: its own arguments mean other things than the base class's. */
class Session extends TensixSession {
    constructor() {
        super();
        process.on('SIGHUP', () => this.shutdown());
    }
}

// What cannot be said there is no problem to be said there.
process.stderr.on('error', () => undefined);
process.on('uncaughtException', (problem) => process.stderr.write(`${problem.stack ?? problem}\n`));
Session.run(Session);
