// SPDX-License-Identifier: Apache-2.0
/** Unified diffs, as `tensix-gdb diagnose --patch` prints them, into edits of open documents. */

import * as path from 'path';
import * as vscode from 'vscode';
import { original } from './original';

export interface Patch {
    report: string; // that it ends, as `RACE 1`
    file: string;
    hunks: { at: number; lines: string[] }[]; // `at` counts from 0
}

const FILE = /^\+\+\+ (?:b\/)?(\S+)/;
const REPORT = /^(\S+ \d+): a diff;/;
const HUNK = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** Return the diffs in a text. */
export function patches(text: string): Patch[] {
    const found: Patch[] = [];
    let isInside = false;
    let report = '';
    for (const line of text.split('\n')) {
        report = REPORT.exec(line)?.[1] ?? report;
        const file = FILE.exec(line);
        const hunk = HUNK.exec(line);
        if (file) {
            found.push({ report, file: file[1], hunks: [] });
            isInside = false;
        } else if (hunk && found.length) {
            found[found.length - 1].hunks.push({ at: parseInt(hunk[1], 10) - 1, lines: [] });
            isInside = true;
        } else if (isInside && /^[-+ ]/.test(line)) {
            const { hunks } = found[found.length - 1];
            hunks[hunks.length - 1].lines.push(line);
        } else {
            isInside = false;
        }
    }
    return found;
}

/** Return the edit that diffs are; undefined if a source is another one than they were made from. */
export async function edit(patches: Patch[], folder: string, root: string): Promise<vscode.WorkspaceEdit | undefined> {
    const whole = new vscode.WorkspaceEdit();
    for (const patch of patches) {
        const uri = vscode.Uri.file(original(path.resolve(folder, patch.file), root));
        if (!add(whole, patch, await vscode.workspace.openTextDocument(uri))) return undefined;
    }
    return whole;
}

/** Add a diff to an edit; false if it does not fit. */
function add(whole: vscode.WorkspaceEdit, patch: Patch, document: vscode.TextDocument): boolean {
    const { uri } = document;
    for (const { at, lines } of patch.hunks) {
        let line = at;
        for (const text of lines) {
            const [kind, rest] = [text[0], text.slice(1)];
            if (kind === '+') {
                whole.insert(uri, new vscode.Position(line, 0), `${rest}\n`);
                continue;
            }
            if (line >= document.lineCount || document.lineAt(line).text !== rest) return false;
            if (kind === '-') whole.delete(uri, document.lineAt(line).rangeIncludingLineBreak);
            line++;
        }
    }
    return true;
}
