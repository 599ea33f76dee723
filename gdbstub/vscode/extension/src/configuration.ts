// SPDX-License-Identifier: Apache-2.0
/** F5: from an open file to what the adapter starts. It builds first, so that errors are in Problems
 * before anything runs. */

import * as path from 'path';
import * as vscode from 'vscode';
import { openFile } from './lenses';
import { Problems } from './problems';
import { command, plan, Plan, run } from './tool';
import { warm } from './warm';

const START_MS = 120_000; // an engine that is not compiled yet takes a minute

/** What *Select and Start Debugging* offers without a launch.json. */
export function provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [{ type: 'tensix', request: 'launch', name: 'Kernel on the emulated tile', file: '${file}' }];
}

/** Each of these is asked for each session: there may be one only, or all is built twice. */
export class Configurations implements vscode.DebugConfigurationProvider {
    constructor(
        private readonly problems: Problems,
        private readonly log: vscode.OutputChannel,
    ) {}

    /** Without a launch.json the configuration is empty: the open file is meant. A script of Python comes here
     * by a type of its own, which is offered for scripts of tiles alone. */
    resolveDebugConfiguration(
        _folder: vscode.WorkspaceFolder | undefined,
        given: vscode.DebugConfiguration,
    ): vscode.DebugConfiguration {
        if (given.type === 'tensix') return given;
        return { type: 'tensix', request: 'launch', name: 'Tensix tile', file: openFile() ?? '${file}' };
    }

    async resolveDebugConfigurationWithSubstitutedVariables(
        _folder: vscode.WorkspaceFolder | undefined,
        given: vscode.DebugConfiguration,
    ): Promise<vscode.DebugConfiguration | undefined> {
        try {
            return given.request === 'attach' ? await this.attach(given) : await this.launch(given);
        } catch (problem) {
            void vscode.window.showErrorMessage(problem instanceof Error ? problem.message : String(problem));
            return undefined;
        }
    }

    private async launch(given: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
        const file = given.file ?? openFile();
        if (!file) throw new Error('open a kernel, or name one in the configuration as "file"');
        const usual = file.endsWith('.py') ? vscode.workspace.getConfiguration('tensix').get<string[]>('ttnn', []) : [];
        const wanted = await plan(file, given.arguments ?? usual, given.record ?? true);
        if (!(await built(wanted, this.problems, this.log))) return undefined;
        return {
            ...given,
            ...common(given, wanted),
            byTail: wanted.kind !== 'kernel', // compiled in another folder than the editor's
            sourceRoot: wanted.root,
            target: {
                server: command(),
                serverParameters: wanted.serve,
                serverPortRegExp: wanted.ready,
                portDetectionTimeout: START_MS,
                cwd: wanted.folder,
                ...(wanted.connect.length ? { connectCommands: wanted.connect } : {}),
            },
        };
    }

    private async attach(given: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration> {
        const port = Number(given.port);
        if (!Number.isInteger(port)) throw new Error('name the port of the server as "port"');
        const done = await run(['vscode', '--attach'], '/');
        if (done.status) throw new Error(done.err.trim());
        const wanted: Plan = JSON.parse(done.out);
        const target = { type: 'remote', host: given.host ?? '127.0.0.1', port: `${port}` };
        return { ...given, ...common(given, wanted), target };
    }
}

function common(given: vscode.DebugConfiguration, wanted: Plan): object {
    return {
        gdb: given.gdb ?? wanted.gdb,
        banner: given.gdb ? '' : wanted.banner,
        cwd: wanted.folder,
        gdbAsync: true,
        updateThreadInfo: 'when-requested',
        preConnectCommands: wanted.commands,
    };
}

/** Build what a plan builds, with progress; true if there are programs. Errors go to Problems. */
export async function built(wanted: Plan, problems: Problems, log: vscode.OutputChannel): Promise<boolean> {
    if (!wanted.build.length) return true;
    await vscode.workspace.saveAll(false);
    const name = path.basename(wanted.build.find((word) => /\.(c|cc|cpp|py)\b/.test(word)) ?? '');
    const done = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: `${wanted.build[0] === 'build' ? 'Building' : 'Running'} ${name}`, cancellable: true },
        (_progress, token) => run(wanted.build, wanted.folder, token),
    );
    const errors = problems.build(done.out + done.err, wanted.folder);
    const isTest = wanted.build[0] === 'llk';
    const isKept = isTest && done.status === 1; // a test that fails has run
    if (done.status === 0 || isKept) return true;
    log.append(done.out + done.err);
    const what = errors ? `${errors} error${errors > 1 ? 's' : ''}, in Problems` : done.err.trim();
    void vscode.window.showErrorMessage(`${name} ${isTest ? 'does not run' : 'does not compile'}: ${what}`);
    if (errors) void vscode.commands.executeCommand('workbench.actions.view.problems');
    return false;
}

/** The adapter: a program of Node, beside this file. The editor's own Node runs it. */
export class Adapters implements vscode.DebugAdapterDescriptorFactory {
    constructor(private readonly extension: vscode.Uri) {}

    createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
        const program = vscode.Uri.joinPath(this.extension, 'dist', 'adapter.js').fsPath;
        const env = { ELECTRON_RUN_AS_NODE: '1', ...warm.environment };
        return new vscode.DebugAdapterExecutable(process.execPath, [program], { env });
    }
}
