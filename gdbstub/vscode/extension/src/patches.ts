// SPDX-License-Identifier: Apache-2.0
/** Unified diffs, as `tensix-gdb diagnose --patch` prints them, into edits of open documents. */

import * as path from 'path';
import * as vscode from 'vscode';

export interface Patch {
    file: string;
    hunks: { at: number; lines: string[] }[]; // `at` counts from 0
}

const FILE = /^\+\+\+ (?:b\/)?(\S+)/;
const HUNK = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** Return the diffs in a text. */
export function patches(text: string): Patch[] {
    const found: Patch[] = [];
    let isInside = false;
    for (const line of text.split('\n')) {
        const file = FILE.exec(line);
        const hunk = HUNK.exec(line);
        if (file) {
            found.push({ file: file[1], hunks: [] });
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

/** Return the edit that a diff is; undefined if the source is another one than it was made from. */
export async function apply(patch: Patch, folder: string): Promise<vscode.WorkspaceEdit | undefined> {
    const uri = vscode.Uri.file(path.resolve(folder, patch.file));
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    for (const { at, lines } of patch.hunks) {
        let line = at;
        for (const text of lines) {
            const [kind, rest] = [text[0], text.slice(1)];
            const place = new vscode.Position(line, 0);
            if (kind === '+') {
                edit.insert(uri, place, `${rest}\n`);
                continue;
            }
            if (line >= document.lineCount || document.lineAt(line).text !== rest) return undefined;
            if (kind === '-') edit.delete(uri, document.lineAt(line).rangeIncludingLineBreak);
            line++;
        }
    }
    return edit;
}
