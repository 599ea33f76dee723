// SPDX-License-Identifier: Apache-2.0
/** The extension: F5 in a kernel, Diagnose, Races, and views of the stopped tile. */

import * as vscode from 'vscode';
import { Actions, goTo } from './actions';
import { Checks } from './checks';
import { Adapters, Configurations, provideDebugConfigurations } from './configuration';
import { DstPanel } from './dst_tiles';
import { InlineValues } from './inline_values';
import { isKernel, Lenses, openFile } from './lenses';
import { showPage, themePage } from './page';
import { Pages } from './pages';
import { Problems } from './problems';
import { Sessions } from './sessions';
import { TileTree } from './tile_tree';
import { command } from './tool';
import { warm } from './warm';

const KERNELS = [{ language: 'c' }, { language: 'cpp' }];
const LENSES = [...KERNELS, { language: 'python' }];

export function activate(context: vscode.ExtensionContext): void {
    const log = vscode.window.createOutputChannel('Tensix');
    const problems = new Problems();
    const pages = new Pages();
    const sessions = new Sessions(problems);
    const configurations = new Configurations(problems, log);
    const checks = new Checks(problems, log, pages);
    const dst = new DstPanel(sessions);
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
        warm,
        sessions,
        vscode.workspace.registerTextDocumentContentProvider(Pages.scheme, pages),
        vscode.debug.registerDebugConfigurationProvider('tensix', configurations),
        vscode.debug.registerDebugConfigurationProvider('tensix-script', configurations),
        vscode.debug.registerDebugConfigurationProvider('tensix', { provideDebugConfigurations }, debugs.Dynamic),
        vscode.debug.registerDebugAdapterDescriptorFactory('tensix', new Adapters(context.extensionUri)),
        vscode.debug.registerDebugAdapterTrackerFactory('tensix', sessions),
        vscode.languages.registerCodeLensProvider(LENSES, new Lenses()),
        vscode.languages.registerCodeActionsProvider(KERNELS, new Actions()),
        vscode.languages.registerInlineValuesProvider(KERNELS, new InlineValues()),
        vscode.window.registerTreeDataProvider('tensix.tile', new TileTree(sessions)),
        vscode.window.onDidChangeActiveTextEditor(noteKernel),
        vscode.window.onDidChangeActiveColorTheme(themePage),
        on('tensix.debug', (uri?: vscode.Uri, test?: string) => debug({ request: 'launch', file: fileOf(uri, test) })),
        on('tensix.attach', attach),
        on('tensix.diagnose', (uri?: vscode.Uri, test?: string) => checks.diagnose(fileOf(uri, test))),
        on('tensix.races', (uri?: vscode.Uri, test?: string) => checks.races(fileOf(uri, test))),
        on('tensix.applyRemedy', (uri?: vscode.Uri, report?: string) => checks.applyRemedy(fileOf(uri), report)),
        on('tensix.goTo', goTo),
        on('tensix.page', () => page(sessions)),
        on('tensix.why', () => say(sessions, log, 'tensix why')),
        on('tensix.witness', (number: string) => witness(sessions, checks, pages, number)),
        on('tensix.dst', (number: number) => dst.show(number)),
        on('tensix.goto', (cycle?: string) => goToCycle(sessions, cycle)),
        on('tensix.otherSide', () => otherSide(sessions)),
        on('tensix.gateBreakpoint', gateBreakpoint),
        on('tensix.watch', () => watch()),
    );
    noteKernel(vscode.window.activeTextEditor);
}

function noteKernel(editor: vscode.TextEditor | undefined): void {
    const is = editor !== undefined && isKernel(editor.document);
    const isScript = is && editor.document.languageId === 'python';
    if (is) warm.start(command());
    void vscode.commands.executeCommand('setContext', 'tensix.isKernel', is);
    void vscode.commands.executeCommand('setContext', 'tensix.isScript', isScript);
}

/** Return the file that a command is about, or FILE::TEST. */
function fileOf(uri?: vscode.Uri, test?: string): string {
    const file = uri?.fsPath ?? openFile();
    if (!file) throw new Error('open a kernel first');
    return typeof test === 'string' ? `${file}::${test}` : file;
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

/** Show a race that goes the other way: in the session, which is there then, or by a run of its own. */
async function witness(sessions: Sessions, checks: Checks, pages: Pages, number: string): Promise<void> {
    if (!sessions.session) return checks.witness(number);
    await pages.show(`witness-${number}.txt`, await sessions.said(`tensix races witness ${number}`));
    await sessions.moved('A race that goes the other way');
}

/** Put the tile to where it was at a cycle, or at a bookmark. */
async function goToCycle(sessions: Sessions, cycle?: string): Promise<void> {
    const wanted = cycle ?? (await vscode.window.showInputBox({ prompt: 'A cycle, or the name of a bookmark' }));
    if (!wanted) return;
    const said = await sessions.said(`tensix goto ${wanted}`);
    await sessions.moved(`Cycle ${wanted}`);
    if (/^error|^type |there is no/i.test(said)) throw new Error(said.trim());
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
    const said = await session?.customRequest('tensix/watch', { command: place });
    void vscode.window.showInformationMessage((said?.text ?? '').trim());
}
