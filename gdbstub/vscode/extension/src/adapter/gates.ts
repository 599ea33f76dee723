// SPDX-License-Identifier: Apache-2.0
/**
 * Gate breakpoints: an editor's breakpoint of the mode `gate`, or with a condition that begins with
 * that word, stops what its line pushes, when that is at the wait gate of its Tensix thread, and not the
 * hart.
 *
 * The rest of the condition is what follows the place in `monitor break gate`, as in
 * `gate PACR if last=1` or `gate thread T1`.
 * A hit count N stops from the Nth hit on.
 *
 * One in a program that is not loaded yet is kept by the tile, and set where each program that comes has
 * the line. Several tiles are processes of GDB: each has its own.
 */

import { DebugProtocol } from '@vscode/debugprotocol';
import { Console } from './console';
import { OfFiles } from './of_files';

export const GATE: DebugProtocol.BreakpointMode = {
    mode: 'gate',
    label: 'Gate: stop the instruction that the line pushes',
    description: 'Stops when the pushed instruction is at the wait gate of its Tensix thread',
    appliesTo: ['source'],
};
const WORD = /^\s*gate\b\s*/;
const PROCESS = /^\*?\s+(\d+)\s+process /gm;
const SET = /^Gate breakpoint (\d+)/m;
const WAITS = 'it is set when one comes';

/** True if a breakpoint is one of a gate. */
export function isGate(one: DebugProtocol.SourceBreakpoint): boolean {
    return one.mode === GATE.mode || WORD.test(one.condition ?? '');
}

/** Return the command that sets one. */
export function command(name: string, one: DebugProtocol.SourceBreakpoint): string {
    const wanted = (one.condition ?? '').replace(WORD, '');
    const condition = wanted ? ` ${wanted}` : '';
    return `tensix break gate ${name}:${one.line} pending${condition}`;
}

export class Gates extends OfFiles {
    /** `nameOf` is what the tile finds a file by. */
    constructor(
        private readonly console: Console,
        private readonly nameOf: (file: string) => string,
    ) {
        super();
    }

    protected async remove(numbers: string): Promise<void> {
        for (const one of numbers.split(',')) {
            const [tile, number] = one.split(' ');
            await this.console.ask(of(tile, `tensix delete ${number}`));
        }
    }

    protected async add(
        file: string,
        one: DebugProtocol.SourceBreakpoint,
    ): Promise<[string | undefined, DebugProtocol.Breakpoint]> {
        const hits = parseInt((one.hitCondition ?? '').replace(/\D/g, ''), 10);
        const numbers: string[] = [];
        let said = '';
        for (const tile of await this.tiles()) {
            said = await this.console.ask(of(tile, command(this.nameOf(file), one)));
            const number = SET.exec(said)?.[1];
            if (!number) continue;
            numbers.push(`${tile} ${number}`);
            if (hits > 1) await this.console.ask(of(tile, `tensix ignore ${hits - 1} gate ${number}`));
        }
        const verified = numbers.length > 0 && !said.includes('stops nothing') && !said.includes(WAITS);
        return [numbers.join(',') || undefined, { verified, line: one.line, message: said.trim() }];
    }

    /** Return a thread of each tile; of one alone nothing, and the selected thread is meant. */
    private async tiles(): Promise<string[]> {
        const rows = (await this.console.ask('info inferiors')).matchAll(PROCESS);
        const all = Array.from(rows, (row) => `${row[1]}.1`);
        return all.length > 1 ? all : [''];
    }
}

/** Return a command for the tile of a thread. */
function of(thread: string, command: string): string {
    return thread ? `thread apply ${thread} -q ${command}` : command;
}
