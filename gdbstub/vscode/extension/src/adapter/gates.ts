// SPDX-License-Identifier: Apache-2.0
/**
 * Gate breakpoints: an editor's breakpoint of the mode `gate`, or with a condition that begins with
 * that word, stops what its line pushes, when that is at the wait gate of its Tensix thread, and not the
 * hart.
 *
 * The rest of the condition is what follows the place in `monitor break gate`, as in
 * `gate PACR if last=1` or `gate thread T1`.
 * A hit count N stops from the Nth hit on.
 */

import { DebugProtocol } from '@vscode/debugprotocol';
import { basename } from 'path';
import { Console } from './console';
import { OfFiles } from './of_files';

export const GATE: DebugProtocol.BreakpointMode = {
    mode: 'gate',
    label: 'Gate: stop the instruction that the line pushes',
    description: 'Stops when the pushed instruction is at the wait gate of its Tensix thread',
    appliesTo: ['source'],
};
const WORD = /^\s*gate\b\s*/;
const SET = /^Gate breakpoint (\d+)/m;

/** True if a breakpoint is one of a gate. */
export function isGate(one: DebugProtocol.SourceBreakpoint): boolean {
    return one.mode === GATE.mode || WORD.test(one.condition ?? '');
}

/** Return the command that sets one. */
export function command(file: string, one: DebugProtocol.SourceBreakpoint): string {
    const wanted = (one.condition ?? '').replace(WORD, '');
    const condition = wanted ? ` ${wanted}` : '';
    return `tensix break gate ${basename(file)}:${one.line}${condition}`;
}

export class Gates extends OfFiles {
    constructor(private readonly console: Console) {
        super();
    }

    protected remove(number: string): Promise<unknown> {
        return this.console.ask(`tensix delete ${number}`);
    }

    protected async add(
        file: string,
        one: DebugProtocol.SourceBreakpoint,
    ): Promise<[string | undefined, DebugProtocol.Breakpoint]> {
        const said = await this.console.ask(command(file, one));
        const number = SET.exec(said)?.[1];
        const hits = parseInt((one.hitCondition ?? '').replace(/\D/g, ''), 10);
        if (number && hits > 1) await this.console.ask(`tensix ignore ${hits - 1} gate ${number}`);
        const verified = number !== undefined && !said.includes('stops nothing');
        return [number, { verified, line: one.line, message: said.trim() }];
    }
}
