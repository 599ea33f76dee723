// SPDX-License-Identifier: Apache-2.0
/** Values beside the lines of a stopped kernel: the Tensix thread's general purpose registers and the LRegs
 * that the instructions of a line use, and LRegs that a line names. */

import * as vscode from 'vscode';

const NAMES: [RegExp, (number: string) => string][] = [
    [/\bLREG(\d{1,2})\b/g, (number) => `lreg ${number}.0`],
    [/\bLReg\[(\d{1,2})\]/g, (number) => `lreg ${number}.0`],
];
const LINES = 40; // before the stop

interface LineValue {
    line: number;
    text: string;
}

export class InlineValues implements vscode.InlineValuesProvider {
    async provideInlineValues(
        document: vscode.TextDocument,
        view: vscode.Range,
        context: vscode.InlineValueContext,
    ): Promise<vscode.InlineValue[]> {
        if (!vscode.workspace.getConfiguration('tensix').get('inlineValues', true)) return [];
        const values: vscode.InlineValue[] = [];
        const used = await usedIn(context.frameId);
        for (const { line, text } of used) {
            if (line > document.lineCount) continue;
            values.push(new vscode.InlineValueText(document.lineAt(line - 1).range, text));
        }
        const known = new Set(used.map((one) => one.line - 1));
        const last = context.stoppedLocation.end.line;
        for (let line = Math.max(view.start.line, last - LINES); line <= last; line++) {
            if (known.has(line)) continue;
            const text = document.lineAt(line).text;
            for (const [pattern, place] of NAMES) {
                for (const found of text.matchAll(pattern)) {
                    const at = new vscode.Range(line, found.index, line, found.index + found[0].length);
                    values.push(new vscode.InlineValueEvaluatableExpression(at, place(found[1])));
                }
            }
        }
        return values;
    }
}

/** Return what the lines of a frame's function use; nothing of another debugger's session. */
async function usedIn(frameId: number): Promise<LineValue[]> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== 'tensix') return [];
    try {
        return (await session.customRequest('tensix/lines', { frameId }))?.lines ?? [];
    } catch {
        return []; // the tile runs
    }
}
