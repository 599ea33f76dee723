// SPDX-License-Identifier: Apache-2.0
/** What one can do about a report in Problems: go to the other side, show the witness, apply the
 * remedy that was tried. */

import * as vscode from 'vscode';

// A verdict or a check, and its number; of several tiles, and in a diagnosis, after another word.
const REPORT = /(?:^|: )(RACE|SAMPLING|PROMISED|[A-Z]\d+) (\d+)\b/m;
const OTHER_SIDE = /^the (earlier|other) side/;

export class Actions implements vscode.CodeActionProvider {
    provideCodeActions(
        document: vscode.TextDocument,
        _range: vscode.Range,
        context: vscode.CodeActionContext,
    ): vscode.CodeAction[] {
        const ours = context.diagnostics.filter((one) => one.source === 'tensix-gdb');
        const actions: vscode.CodeAction[] = [];
        const offer = (title: string, of: vscode.Diagnostic[], command: string, ...args: unknown[]) => {
            const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
            action.command = { title, command, arguments: args };
            action.diagnostics = of;
            actions.push(action);
        };
        for (const one of ours) {
            const [, kind, number] = REPORT.exec(one.message) ?? [];
            const name = kind ? `${kind} ${number}` : 'this';
            // Besides it there are the calls on the way to both.
            const others = (one.relatedInformation ?? []).filter((each) => OTHER_SIDE.test(each.message));
            for (const other of others) {
                offer(`Go to the other side of ${name}`, [one], 'tensix.goTo', other.location);
            }
            const isRace = kind === 'RACE' || kind === 'SAMPLING';
            const isInSession = vscode.debug.activeDebugSession?.type === 'tensix';
            if (isRace && isInSession && !others.length) {
                offer(`Go to the other side of ${name}`, [one], 'tensix.otherSide');
            }
            // A check is of one order of events: there is no run in which it goes the other way.
            if (isRace) offer(`Show the witness of ${name}`, [one], 'tensix.witness', number);
        }
        if (ours.length) offer('Apply the tried remedy', ours, 'tensix.applyRemedy', document.uri);
        return actions;
    }
}

/** Show a place in its file. */
export async function goTo(place: vscode.Location): Promise<void> {
    const editor = await vscode.window.showTextDocument(place.uri, { preview: false });
    editor.selection = new vscode.Selection(place.range.start, place.range.start);
    editor.revealRange(place.range, vscode.TextEditorRevealType.InCenter);
}
