// SPDX-License-Identifier: Apache-2.0
/** What one can do about a report in Problems: go to the other side, show the witness, apply the
 * remedy that was tried. */

import * as vscode from 'vscode';

// A verdict or a check, and its number; of several tiles, and in a diagnosis, after another word.
const REPORT = /(?:^|: )(RACE|SAMPLING|PROMISED|[A-Z]\d+) (\d+)\b/m;
// What a report says of its other lines: of two accesses the earlier one, who has set a field that one of
// them obeys, the template of a MOP, a wait that looks as if it ordered the two, where a remedy goes.
const OTHERS = /^the (earlier side|setting|template|wait|remedy):? ?(\w*)/;

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
            // Besides these there are the calls on the way to both.
            const others = (one.relatedInformation ?? []).flatMap((each) => {
                const [, what, word] = OTHERS.exec(each.message) ?? [];
                return what ? [{ what, word, location: each.location }] : [];
            });
            for (const { what, word, location } of others) {
                const where = what === 'earlier side' ? 'other side' : what === 'setting' ? `setting ${word}` : what;
                offer(`Go to the ${where} of ${name}`, [one], 'tensix.goTo', location);
            }
            const isRace = kind === 'RACE' || kind === 'SAMPLING';
            const isInSession = vscode.debug.activeDebugSession?.type === 'tensix';
            if (isRace && isInSession && !others.some(({ what }) => what === 'earlier side')) {
                offer(`Go to the other side of ${name}`, [one], 'tensix.otherSide');
            }
            // A check is of one order of events: there is no run in which it goes the other way.
            if (isRace) offer(`Show the witness of ${name}`, [one], 'tensix.witness', number);
            if (kind) offer(`Apply the tried remedy of ${name}`, [one], 'tensix.applyRemedy', document.uri, name);
        }
        return actions;
    }
}

/** Show a place in its file. */
export async function goTo(place: vscode.Location): Promise<void> {
    const editor = await vscode.window.showTextDocument(place.uri, { preview: false });
    editor.selection = new vscode.Selection(place.range.start, place.range.start);
    editor.revealRange(place.range, vscode.TextEditorRevealType.InCenter);
}
