// SPDX-License-Identifier: Apache-2.0
/** The view of a stopped tile: threads and what they wait for, semaphores, circular buffers, mutexes,
 * Dst, and configuration by field. Each group is asked for when it is opened. */

import * as vscode from 'vscode';
import { Sessions } from './sessions';

interface Group {
    title: string;
    icon: string;
    command: string;
    keep: (line: string) => boolean; // of the lines that the command prints
}

interface Row {
    text: string;
    group?: Group;
    rows: Row[];
}

const anything = (line: string) => line.trim() !== '';
const GROUPS: Group[] = [
    { title: 'Waits', icon: 'watch', command: 'tensix why', keep: anything },
    { title: 'Semaphores', icon: 'symbol-number', command: 'tensix sem', keep: (line) => !/^\d+ +0 +0\s*$/.test(line) && anything(line) },
    { title: 'Circular buffers', icon: 'layers', command: 'tensix cb', keep: anything },
    { title: 'Mutexes', icon: 'lock', command: 'tensix mutex', keep: anything },
    { title: 'Instructions before the gates', icon: 'list-ordered', command: 'tensix fifo all', keep: anything },
    { title: 'Dst', icon: 'table', command: 'tensix dst', keep: anything },
    { title: 'Races', icon: 'git-compare', command: 'tensix races', keep: anything },
    { title: 'Configuration', icon: 'settings-gear', command: 'tensix cfg', keep: anything },
];

export class TileTree implements vscode.TreeDataProvider<Row> {
    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChangeTreeData = this.changed.event;

    constructor(private readonly sessions: Sessions) {
        sessions.onStop(() => this.changed.fire());
    }

    getTreeItem(row: Row): vscode.TreeItem {
        const isOpen = row.group !== undefined || row.rows.length > 0;
        const state = isOpen
            ? vscode.TreeItemCollapsibleState.Collapsed
            : vscode.TreeItemCollapsibleState.None;
        const item = new vscode.TreeItem(row.text, state);
        if (row.group) {
            item.id = row.group.title;
            item.iconPath = new vscode.ThemeIcon(row.group.icon);
        }
        item.tooltip = row.text;
        return item;
    }

    async getChildren(row?: Row): Promise<Row[]> {
        if (!this.sessions.session) return [];
        if (!row) return GROUPS.map((group) => ({ text: group.title, group, rows: [] }));
        if (!row.group) return row.rows;
        const said = await this.sessions.ask(row.group.command);
        const lines = said.split('\n').filter(row.group.keep);
        return lines.length ? nested(lines) : [{ text: 'nothing', rows: [] }];
    }
}

/** Lines that are indented belong to the line before them. */
function nested(lines: string[]): Row[] {
    const rows: Row[] = [];
    for (const line of lines) {
        const row = { text: line.trim(), rows: [] };
        if (/^\s/.test(line) && rows.length) rows[rows.length - 1].rows.push(row);
        else rows.push(row);
    }
    return rows;
}
