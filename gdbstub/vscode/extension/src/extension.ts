// SPDX-License-Identifier: Apache-2.0
/** The extension: F5 in a kernel, Diagnose, Races, and views of the stopped tile. */

import * as vscode from 'vscode';
import { Actions, goTo } from './actions';
import { Checks } from './checks';
import { Adapters, Configurations } from './configuration';
import { InlineValues } from './inline_values';
import { isKernel, Lenses } from './lenses';
import { showPage } from './page';
import { Pages } from './pages';
import { Problems } from './problems';
import { Sessions } from './sessions';
import { TileTree } from './tile_tree';

const KERNELS = [{ language: 'c' }, { language: 'cpp' }];
const LENSES = [...KERNELS, { language: 'python' }];

export function activate(context: vscode.ExtensionContext): void {
    const log = vscode.window.createOutputChannel('Tensix');
    const problems = new Problems();
    const pages = new Pages();
    const sessions = new Sessions(problems);
    const configurations = new Configurations(problems, log);
    const checks = new Checks(problems, log, pages);
    const on = (name: string, action: (...args: never[]) => unknown) =>
        vscode.commands.registerCommand(name, async (...args: never[]) => {
            try {
                return await action(...args);
            } catch (problem) {
                void vscode.window.showErrorMessage(problem instanceof Error ? problem.message : String(problem));
            }
        });
    const debugs = vscode.DebugConfigurationProviderTriggerKind;
    context.subscriptions.push(
        log,
        problems,
        sessions,
        vscode.workspace.registerTextDocumentContentProvider(Pages.scheme, pages),
        vscode.debug.registerDebugConfigurationProvider('tensix', configurations),
        vscode.debug.registerDebugConfigurationProvider('tensix', configurations, debugs.Dynamic),
        vscode.debug.registerDebugAdapterDescriptorFactory('tensix', new Adapters(context.extensionUri)),
        vscode.debug.registerDebugAdapterTrackerFactory('tensix', sessions),
        vscode.languages.registerCodeLensProvider(LENSES, new Lenses()),
        vscode.languages.registerCodeActionsProvider(KERNELS, new Actions()),
        vscode.languages.registerInlineValuesProvider(KERNELS, new InlineValues()),
        vscode.window.registerTreeDataProvider('tensix.tile', new TileTree(sessions)),
        vscode.window.onDidChangeActiveTextEditor(noteKernel),
        on('tensix.debug', (uri?: vscode.Uri) => debug({ request: 'launch', file: fileOf(uri) })),
        on('tensix.attach', attach),
        on('tensix.diagnose', (uri?: vscode.Uri) => checks.diagnose(fileOf(uri))),
        on('tensix.races', (uri?: vscode.Uri) => checks.races(fileOf(uri))),
        on('tensix.applyRemedy', (uri?: vscode.Uri) => checks.applyRemedy(fileOf(uri))),
        on('tensix.goTo', goTo),
        on('tensix.page', () => page(sessions)),
        on('tensix.why', () => say(sessions, log, 'tensix why')),
        on('tensix.witness', (number: string) => say(sessions, log, `tensix races witness ${number}`)),
        on('tensix.otherSide', () => otherSide(sessions)),
        on('tensix.gateBreakpoint', gateBreakpoint),
        on('tensix.watch', () => watch()),
    );
    noteKernel(vscode.window.activeTextEditor);
}

function noteKernel(editor: vscode.TextEditor | undefined): void {
    const is = editor !== undefined && isKernel(editor.document);
    void vscode.commands.executeCommand('setContext', 'tensix.isKernel', is);
}

function fileOf(uri?: vscode.Uri): string {
    const file = uri?.fsPath ?? vscode.window.activeTextEditor?.document.fileName;
    if (!file) throw new Error('open a kernel first');
    return file;
}

async function debug(more: object): Promise<void> {
    await vscode.debug.startDebugging(undefined, { type: 'tensix', name: 'Tensix tile', request: 'launch', ...more });
}

async function attach(): Promise<void> {
    const port = await vscode.window.showInputBox({ prompt: 'The port that the server has printed', value: '4555' });
    if (port) await debug({ request: 'attach', name: `Tensix tile at ${port}`, port: Number(port) });
}

async function page(sessions: Sessions): Promise<void> {
    if (!sessions.page) throw new Error('this server has no page: start it with --web');
    await showPage(sessions.page);
}

/** Show what a command of GDB says. */
async function say(sessions: Sessions, log: vscode.OutputChannel, command: string): Promise<void> {
    if (!sessions.session) throw new Error('no tile is debugged: press F5 in a kernel');
    log.append(`> ${command}\n${await sessions.ask(command)}`);
    log.show(true);
}

/** Go to the other side of the last race. Pressed again, it goes back. */
async function otherSide(sessions: Sessions): Promise<void> {
    const said = await sessions.ask('race-other');
    const found = /^race \d+: (.*)$/m.exec(said);
    const line = /^(\d+)\t/m.exec(said);
    const place = /\b([\w./+-]+):(\d+)/.exec(found?.[1] ?? '');
    if (!place) throw new Error(said.trim() || 'the tile runs, or no race is observed');
    const files = await vscode.workspace.findFiles(`**/${place[1].split('/').pop()}`, undefined, 1);
    if (!files.length) throw new Error(`${place[1]} is not in this folder`);
    const at = new vscode.Position(parseInt(place[2] ?? line?.[1] ?? '1', 10) - 1, 0);
    await goTo(new vscode.Location(files[0], at));
}

/** Stop what the line pushes when it is at its gate. */
function gateBreakpoint(at?: { lineNumber: number; uri: vscode.Uri }): void {
    const editor = vscode.window.activeTextEditor;
    const uri = at?.uri ?? editor?.document.uri;
    const line = at ? at.lineNumber - 1 : (editor?.selection.active.line ?? 0);
    if (!uri) throw new Error('open a kernel first');
    const place = new vscode.Location(uri, new vscode.Position(line, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(place, true, 'gate')]);
}

async function watch(): Promise<void> {
    const place = await vscode.window.showInputBox({ prompt: 'A place: dst 16.4, lreg 3.7, cfg NAME, sem 1, 0x21000:16' });
    if (!place) return;
    const session = vscode.debug.activeDebugSession;
    const said = await session?.customRequest('tensix/ask', { command: `tensix watch ${place}` });
    void vscode.window.showInformationMessage((said?.text ?? '').trim());
}
