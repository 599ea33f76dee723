// SPDX-License-Identifier: Apache-2.0
/**
 * Gate breakpoints: an editor's breakpoint whose mode is `gate`, or whose condition begins with that
 * word, stops what its line pushes, when that is at the wait gate of its Tensix thread, and not the
 * hart.
 *
 * The rest of the condition is what follows the place in `monitor break gate`, as in
 * `gate PACR if last=1` or `gate thread T1`.
 * A hit count N stops at the Nth of each push.
 */

import { DebugProtocol } from '@vscode/debugprotocol';
import { basename } from 'path';
import { Console } from './console';

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
    const count = one.hitCondition ? ` nth ${one.hitCondition.replace(/\D/g, '')}` : '';
    return `tensix break gate ${basename(file)}:${one.line}${condition}${count}`;
}

export class Gates {
    private readonly set = new Map<string, string[]>(); // numbers, by file

    constructor(private readonly console: Console) {}

    /** True if the file has some. */
    has(file: string): boolean {
        return (this.set.get(file) ?? []).length > 0;
    }

    /** Make these the gate breakpoints of a file; return what became of each. */
    async replace(
        file: string,
        wanted: DebugProtocol.SourceBreakpoint[],
    ): Promise<DebugProtocol.Breakpoint[]> {
        const old = this.set.get(file) ?? [];
        if (old.length) await this.console.ask(`tensix delete ${old.join(' ')}`);
        const numbers: string[] = [];
        this.set.set(file, numbers);
        const made: DebugProtocol.Breakpoint[] = [];
        for (const one of wanted) {
            try {
                const said = await this.console.ask(command(file, one));
                const number = SET.exec(said)?.[1];
                if (number) numbers.push(number);
                const isIdle = said.includes('stops nothing');
                made.push({
                    verified: number !== undefined && !isIdle,
                    line: one.line,
                    message: said.trim(),
                });
            } catch (problem) {
                made.push({ verified: false, line: one.line, message: String(problem) });
            }
        }
        return made;
    }
}
