// SPDX-License-Identifier: Apache-2.0
/** What tensix-gdb prints, as documents that are read only. */

import * as vscode from 'vscode';

export class Pages implements vscode.TextDocumentContentProvider {
    static readonly scheme = 'tensix';
    private readonly texts = new Map<string, string>();
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    readonly onDidChange = this.changed.event;

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.path) ?? '';
    }

    /** Show a text beside the editor; the one of the same name before it goes. */
    async show(name: string, text: string): Promise<void> {
        const uri = vscode.Uri.from({ scheme: Pages.scheme, path: name });
        this.texts.set(uri.path, text);
        this.changed.fire(uri);
        const document = await vscode.workspace.openTextDocument(uri);
        const options = { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true };
        await vscode.window.showTextDocument(document, options);
    }
}
