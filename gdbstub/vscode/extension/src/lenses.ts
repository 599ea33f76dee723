// SPDX-License-Identifier: Apache-2.0
/** Debug, Diagnose and Races above kernels, and Debug above the main program of a ttnn script. */

import * as path from 'path';
import * as vscode from 'vscode';

const ENTRY = /^\s*(?:extern\s+"C"\s+)?(?:static\s+|inline\s+)*(?:void|int)\s+(run_kernel|kernel_main|main|MAIN)\b\s*(?:\(|\{)/;
const KERNEL = /\bTTI?_?[A-Z]|\bTTINSN\b|\bLLK_TRISC_|\brun_kernel\b|\bkernel_main\b|tensix_by_name\.h|\bRUN:\s*tensix-gdb\b/;
const LLK = /^\s*(?:from|import)\s+helpers\b/m;
const TEST = /^def (test_\w+)\s*\(/;
const TTNN = /^\s*(?:import\b.*\bttnn\b|from\s+ttnn\b)/m;

/** True if a document is something that a tile runs. */
export function isKernel(document: vscode.TextDocument): boolean {
    const text = document.getText();
    if (document.languageId === 'python') return TTNN.test(text) || isLlkTest(document);
    return ['c', 'cpp'].includes(document.languageId) && KERNEL.test(text);
}

/** True if a document is a test of Tenstorrent's LLK suite. */
function isLlkTest(document: vscode.TextDocument): boolean {
    return path.basename(document.fileName).startsWith('test_') && LLK.test(document.getText());
}

/** Return the file that is meant: the active editor's, or that of a tab without a text, as a core file's, or
 * beside a panel of ours the first kernel that is seen. */
export function openFile(): string | undefined {
    const active = vscode.window.activeTextEditor?.document.fileName;
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input as { uri?: vscode.Uri } | undefined;
    const seen = vscode.window.visibleTextEditors.find((one) => isKernel(one.document));
    return active ?? (tab?.uri?.scheme === 'file' ? tab.uri.fsPath : seen?.document.fileName);
}

export class Lenses implements vscode.CodeLensProvider {
    provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
        const wanted = vscode.workspace.getConfiguration('tensix').get('codeLens', true);
        if (!wanted || !isKernel(document)) return [];
        const lenses: vscode.CodeLens[] = [];
        const isLlk = document.languageId === 'python' && isLlkTest(document);
        for (const [at, test] of isLlk ? tests(document) : entries(document)) {
            const offer = (title: string, command: string) =>
                lenses.push(new vscode.CodeLens(at, { title, command, arguments: [document.uri, test] }));
            offer('Debug on the emulated tile', 'tensix.debug');
            if (isLlk || document.languageId !== 'python') {
                offer('Diagnose', 'tensix.diagnose');
                offer('Races', 'tensix.races');
            }
        }
        return lenses;
    }
}

type Entry = [at: vscode.Range, test?: string];

/** Return the lines where programs begin; the first line of a script. */
function entries(document: vscode.TextDocument): Entry[] {
    const found: Entry[] = [];
    for (let line = 0; line < document.lineCount; line++) {
        const text = document.lineAt(line).text;
        const isEntry = document.languageId === 'python' ? TTNN.test(text) : ENTRY.test(text);
        if (isEntry) found.push([document.lineAt(line).range]);
        if (isEntry && document.languageId === 'python') break;
    }
    return found;
}

/** Return the tests of a file, with their names. */
function tests(document: vscode.TextDocument): Entry[] {
    const found: Entry[] = [];
    for (let line = 0; line < document.lineCount; line++) {
        const name = TEST.exec(document.lineAt(line).text)?.[1];
        if (name) found.push([document.lineAt(line).range, name]);
    }
    return found;
}
