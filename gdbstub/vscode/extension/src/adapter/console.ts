// SPDX-License-Identifier: Apache-2.0
/** GDB's command line, asked from a program: what a command prints, as a string. */

import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';

/** What a server prints by itself, at any time. */
export const PAGE = /^the page is at /;

/** Return `text` as a string of MI. */
export function quoted(text: string): string {
    return `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
}

/** GDB's console. While a command is asked, `isAsking` says that its text is no user's. */
export class Console {
    private asked = 0;
    private turn: Promise<unknown> = Promise.resolve();

    constructor(private readonly gdb: () => IGDBBackend) {}

    get isAsking(): boolean {
        return this.asked > 0;
    }

    /** Return what a command prints, of the tile of a thread if one is named, or of a frame. Rejects with
     * GDB's message. Commands take turns. */
    ask(command: string, thread?: number, frame?: number): Promise<string> {
        const answer = this.turn.then(() => this.askNow(command, thread, frame));
        this.turn = answer.catch(() => undefined);
        return answer;
    }

    private async askNow(command: string, thread?: number, frame?: number): Promise<string> {
        const gdb = this.gdb();
        const lines: string[] = [];
        const listener = (text: string, category: string) => {
            if (category !== 'log' && !PAGE.test(text)) lines.push(text);
        };
        this.asked++;
        gdb.on('consoleStreamOutput', listener);
        try {
            const own = frame === undefined ? '' : `--frame ${frame} `;
            const of = thread === undefined ? '' : `--thread ${thread} ${own}`;
            await gdb.sendCommand(`-interpreter-exec ${of}console ${quoted(command)}`);
        } finally {
            gdb.removeListener('consoleStreamOutput', listener);
            this.asked--;
        }
        return lines.join('');
    }
}
