// SPDX-License-Identifier: Apache-2.0
/** What one can do about a report in Problems: go to the other side, show the witness, apply the
 * remedy that was tried. */

import * as vscode from 'vscode';

export class Actions implements vscode.CodeActionProvider {
    provideCodeActions(
        document: vscode.TextDocument,
        _range: vscode.Range,
        context: vscode.CodeActionContext,
    ): vscode.CodeAction[] {
        const ours = context.diagnostics.filter((one) => one.source === 'tensix-gdb');
        return ours.flatMap((one) => {
            const actions: vscode.CodeAction[] = [];
            const offer = (title: string, command: string, ...args: unknown[]) => {
                const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
                action.command = { title, command, arguments: args };
                action.diagnostics = [one];
                actions.push(action);
            };
            for (const other of one.relatedInformation ?? []) {
                offer('Go to the other side', 'tensix.goTo', other.location);
            }
            offer('Apply the tried remedy', 'tensix.applyRemedy', document.uri);
            const number = /^(?:RACE|SAMPLING) (\d+)/.exec(one.message)?.[1];
            if (number && vscode.debug.activeDebugSession?.type === 'tensix') {
                offer('Show the witness', 'tensix.witness', number);
            }
            return actions;
        });
    }
}

/** Show a place in its file. */
export async function goTo(place: vscode.Location): Promise<void> {
    const editor = await vscode.window.showTextDocument(place.uri, { preview: false });
    editor.selection = new vscode.Selection(place.range.start, place.range.start);
    editor.revealRange(place.range, vscode.TextEditorRevealType.InCenter);
}
