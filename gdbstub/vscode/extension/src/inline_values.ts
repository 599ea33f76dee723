// SPDX-License-Identifier: Apache-2.0
/** Values beside the lines of a stopped kernel: the LRegs and Tensix GPRs that a line names. */

import * as vscode from 'vscode';

const NAMES: [RegExp, (number: string) => string][] = [
    [/\bLREG(\d{1,2})\b/g, (number) => `lreg ${number}.0`],
    [/\bLReg\[(\d{1,2})\]/g, (number) => `lreg ${number}.0`],
];
const LINES = 40; // before the stop

export class InlineValues implements vscode.InlineValuesProvider {
    provideInlineValues(
        document: vscode.TextDocument,
        view: vscode.Range,
        context: vscode.InlineValueContext,
    ): vscode.InlineValue[] {
        if (!vscode.workspace.getConfiguration('tensix').get('inlineValues', true)) return [];
        const values: vscode.InlineValue[] = [];
        const last = context.stoppedLocation.end.line;
        for (let line = Math.max(view.start.line, last - LINES); line <= last; line++) {
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
