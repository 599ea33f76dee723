// SPDX-License-Identifier: Apache-2.0
/** Debug, Diagnose and Races above kernels, and Debug above the main program of a ttnn script. */

import * as vscode from 'vscode';

const ENTRY = /^\s*(?:extern\s+"C"\s+)?(?:static\s+|inline\s+)*(?:void|int)\s+(run_kernel|kernel_main|main|MAIN)\b\s*(?:\(|\{)/;
const KERNEL = /\bTTI?_?[A-Z]|\bTTINSN\b|\bLLK_TRISC_|\brun_kernel\b|\bkernel_main\b|tensix_by_name\.h|\bRUN:\s*tensix-gdb\b/;
const TTNN = /^\s*(?:import\b.*\bttnn\b|from\s+ttnn\b)/m;

/** True if a document is something that a tile runs. */
export function isKernel(document: vscode.TextDocument): boolean {
    const text = document.getText();
    if (document.languageId === 'python') return TTNN.test(text);
    return ['c', 'cpp'].includes(document.languageId) && KERNEL.test(text);
}

export class Lenses implements vscode.CodeLensProvider {
    provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
        const wanted = vscode.workspace.getConfiguration('tensix').get('codeLens', true);
        if (!wanted || !isKernel(document)) return [];
        const lenses: vscode.CodeLens[] = [];
        for (const at of entries(document)) {
            const offer = (title: string, command: string) =>
                lenses.push(new vscode.CodeLens(at, { title, command, arguments: [document.uri] }));
            offer('Debug on the emulated tile', 'tensix.debug');
            if (document.languageId !== 'python') {
                offer('Diagnose', 'tensix.diagnose');
                offer('Races', 'tensix.races');
            }
        }
        return lenses;
    }
}

/** Return the lines where programs begin; the first line of a script. */
function entries(document: vscode.TextDocument): vscode.Range[] {
    const found: vscode.Range[] = [];
    for (let line = 0; line < document.lineCount; line++) {
        const text = document.lineAt(line).text;
        const isEntry = document.languageId === 'python' ? TTNN.test(text) : ENTRY.test(text);
        if (isEntry) found.push(document.lineAt(line).range);
        if (isEntry && document.languageId === 'python') break;
    }
    return found;
}
