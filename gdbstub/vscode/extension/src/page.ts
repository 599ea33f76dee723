// SPDX-License-Identifier: Apache-2.0
/** The page of `--web` in a panel: the server's own, with its token. */

import * as vscode from 'vscode';

const DARK = [vscode.ColorThemeKind.Dark, vscode.ColorThemeKind.HighContrast];
let panel: vscode.WebviewPanel | undefined;

/** Show the page at an address that the server has printed. */
export async function showPage(address: string): Promise<void> {
    const given = vscode.Uri.parse(address);
    const token = /\btoken=([\w-]+)/.exec(given.query)?.[1] ?? '';
    const there = await vscode.env.asExternalUri(given.with({ path: '/', query: '' }));
    const origin = `${there.scheme}://${there.authority}`;
    const base = `${origin}${there.path.replace(/\/$/, '')}/in/${token}/?theme=${theme()}`;
    panel ??= vscode.window.createWebviewPanel('tensix.page', 'Tensix tile', vscode.ViewColumn.Beside, {
        enableScripts: true,
        retainContextWhenHidden: true,
    });
    panel.onDidDispose(() => (panel = undefined));
    panel.webview.html = `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${origin}; style-src 'unsafe-inline'">
<style>html,body,iframe{margin:0;padding:0;border:0;width:100%;height:100%;overflow:hidden}</style></head>
<body><iframe title="Tensix tile" src="${base}"></iframe></body></html>`;
    panel.reveal(vscode.ViewColumn.Beside, true);
}

/** Return the page's theme that goes with the editor's. */
function theme(): string {
    return DARK.includes(vscode.window.activeColorTheme.kind) ? 'dark' : 'light';
}
