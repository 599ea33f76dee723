// SPDX-License-Identifier: Apache-2.0
/**
 * The reason of a stop, as an editor shows it: GDB's signal and the sentence of the tile that came
 * with it.
 */

import { DebugProtocol } from '@vscode/debugprotocol';

/** Exceptions that a person wants to stop at, or not. */
export const FILTERS: DebugProtocol.ExceptionBreakpointsFilter[] = [
    {
        filter: 'fault',
        label: 'Faults',
        description: 'Stop where a program does what no page allows; otherwise it is counted',
        default: true,
    },
    {
        filter: 'race',
        label: 'Races',
        description: 'Stop at the second access of each new report: nothing orders the two',
    },
];

/** A stop, in the words of the protocol. `text` is the whole sentence. */
export interface Stop {
    reason: string;
    description: string;
    text: string;
}

// The sentence of the tile, the protocol's reason, and what stands in the call stack. Of several tiles
// each says its name first.
const SENTENCES: [RegExp, string, string][] = [
    [/^(\d+-\d+: )?(RACE|SAMPLING)\b/m, 'exception', 'Race'],
    [/^(\d+-\d+: )?Gate breakpoint \d+/m, 'breakpoint', 'Gate breakpoint'],
    [/^(\d+-\d+: )?Watch \d+ /m, 'data breakpoint', 'A watched place has changed'],
    [/: its program has ended/m, 'exception', 'The program has ended'],
    [/^No more reverse-execution history/m, 'step', 'The beginning of the history'],
    [/\bfault\b|^error:/im, 'exception', 'Fault'],
];
const REASONS: Record<string, [string, string]> = {
    SIGINT: ['pause', 'Paused'],
    'watchpoint-trigger': ['data breakpoint', 'Data breakpoint'],
    'read-watchpoint-trigger': ['data breakpoint', 'Data breakpoint'],
    'access-watchpoint-trigger': ['data breakpoint', 'Data breakpoint'],
};
const FAULTS = new Set(['SIGILL', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGABRT', 'SIGSYS', 'SIGEMT']);
const NOTHING = /^(Thread [\d.]+|\[Switching|Reading .* from remote target|Program received|Continuing|$)/;

/** Return the stop that GDB's reason (or signal) and the console's text since the resume mean. */
export function stop(gdbReason: string, console: string): Stop {
    const lines = console.split('\n').filter((line) => !NOTHING.test(line));
    const text = lines.join('\n').trim();
    if (gdbReason === 'breakpoint' || gdbReason === 'function breakpoint' || gdbReason === 'step') {
        return { reason: gdbReason, description: '', text };
    }
    const known = REASONS[gdbReason];
    for (const [pattern, reason, description] of SENTENCES) {
        if (!known && pattern.test(text)) return { reason, description, text };
    }
    if (known) return { reason: known[0], description: known[1], text };
    if (FAULTS.has(gdbReason)) return { reason: 'exception', description: 'Fault', text };
    return { reason: gdbReason === 'SIGTRAP' ? 'breakpoint' : 'exception', description: gdbReason, text };
}
