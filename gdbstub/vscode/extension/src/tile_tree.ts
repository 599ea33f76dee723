// SPDX-License-Identifier: Apache-2.0
/** The view of a stopped tile: threads and what they wait for, semaphores, circular buffers, mutexes,
 * Dst by tiles, configuration by field, and the session's stops in time. Each group is asked for when it is opened, and so is who wrote a
 * value last. */

import * as vscode from 'vscode';
import { DstTile, dstTiles, heatMap, range } from './dst_tiles';
import { Sessions } from './sessions';

interface Group {
    title: string;
    icon: string;
    command: string;
    keep: (line: string) => boolean; // of the lines that the command prints
    place?: (line: string) => string | undefined; // what `tensix origin` calls a line's value
}

interface Row {
    text: string;
    group?: Group;
    place?: string;
    tile?: DstTile;
    cycle?: string; // where a click goes to
    rows: Row[];
}

const BOOKMARK = /^(\S+) +cycle (\d+)/gm;
const anything = (line: string) => line.trim() !== '';
const numbered = (kind: string) => (line: string) => {
    const number = /^ *(\d+) /.exec(line)?.[1];
    return number && `${kind} ${number}`;
};
/** A field of configuration, in a bank or of a thread. */
const field = (line: string) => {
    const found = /^(\w+) +word .* 0x[0-9a-f]+ +(?:bank (\d)|both banks|(T\d))/.exec(line);
    return found ? `cfg ${found[1]} ${found[2] ?? found[3] ?? 0}` : undefined;
};
const DST = 'Dst';
const TIMELINE = 'Timeline';
const ROWS = 64; // of Dst in a tile
const GROUPS: Group[] = [
    { title: 'Waits', icon: 'watch', command: 'tensix why', keep: anything },
    { title: 'Semaphores', icon: 'symbol-number', command: 'tensix sem', keep: (line) => !/^\d+ +0 +0\s*$/.test(line) && anything(line), place: numbered('sem') },
    { title: 'Circular buffers', icon: 'layers', command: 'tensix cb', keep: anything },
    { title: 'Mutexes', icon: 'lock', command: 'tensix mutex', keep: anything, place: numbered('mutex') },
    { title: 'Instructions before the gates', icon: 'list-ordered', command: 'tensix fifo all', keep: anything },
    { title: DST, icon: 'table', command: 'tensix dst', keep: anything, place: numbered('dst') },
    { title: 'Races', icon: 'git-compare', command: 'tensix races', keep: anything },
    { title: 'Configuration', icon: 'settings-gear', command: 'tensix cfg', keep: anything, place: field },
    { title: TIMELINE, icon: 'history', command: 'tensix record', keep: anything },
];

/** The value before the name of a field, which is long, and its owner. */
function valueFirst(line: string): string {
    const found = /^(\w+) +word .* (0x[0-9a-f]+) +(bank \d|both banks|T\d)/.exec(line);
    return found ? `${found[2]} ${found[1]}, ${found[3]}` : line.trim();
}

export class TileTree implements vscode.TreeDataProvider<Row> {
    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChangeTreeData = this.changed.event;

    constructor(private readonly sessions: Sessions) {
        sessions.onStop(() => this.changed.fire());
    }

    getTreeItem(row: Row): vscode.TreeItem {
        const isOpen = row.group || row.place || row.tile || row.rows.length > 0;
        const state = isOpen
            ? vscode.TreeItemCollapsibleState.Collapsed
            : vscode.TreeItemCollapsibleState.None;
        const item = new vscode.TreeItem(row.text, state);
        if (row.group) {
            item.id = row.group.title;
            item.iconPath = new vscode.ThemeIcon(row.group.icon);
        }
        item.tooltip = row.text;
        if (row.tile) {
            item.iconPath = heatMap(row.tile);
            item.command = { title: 'Show', command: 'tensix.dst', arguments: [row.tile.number] };
        }
        if (row.cycle) item.command = { title: 'Go there', command: 'tensix.goto', arguments: [row.cycle] };
        return item;
    }

    async getChildren(row?: Row): Promise<Row[]> {
        if (!this.sessions.session) return [];
        if (!row) return GROUPS.map((group) => ({ text: group.title, group, rows: [] }));
        if (row.place) return this.origin(row.place);
        if (row.tile) return this.rowsOf(row.tile);
        if (!row.group) return row.rows;
        const { title, command, keep, place } = row.group;
        if (title === DST) return this.tiles();
        const lines = (await this.sessions.said(command)).split('\n').filter(keep);
        if (title === TIMELINE) return [...lines.map((text) => ({ text, rows: [] })), ...(await this.stops())];
        if (place) return lines.map((line) => ({ text: valueFirst(line), place: place(line), rows: [] }));
        return lines.length ? nested(lines) : [{ text: 'nothing', rows: [] }];
    }

    /** Return the tiles of Dst that have something. */
    private async tiles(): Promise<Row[]> {
        const tiles = await dstTiles(this.sessions);
        if (!tiles.length) return [{ text: 'all zero', rows: [] }];
        return tiles.map((tile) => {
            const [least, largest] = range(tile);
            return { text: `tile ${tile.number}: ${least} to ${largest}`, tile, rows: [] };
        });
    }

    private async rowsOf({ number }: DstTile): Promise<Row[]> {
        const said = await this.sessions.ask(`tensix dst ${ROWS * number}-${ROWS * (number + 1) - 1}`);
        const of = numbered('dst');
        return said.split('\n').filter(anything).map((line) => ({ text: line.trim(), place: of(line), rows: [] }));
    }

    /** Return the stops of the session and the bookmarks, in the order of their cycles. */
    private async stops(): Promise<Row[]> {
        const marks = (await this.sessions.ask('tensix bookmark')).matchAll(BOOKMARK);
        const all = [...this.sessions.stops, ...Array.from(marks, (one) => ({ cycle: one[2], text: one[1] }))];
        all.sort((a, b) => Number(a.cycle) - Number(b.cycle));
        return all.map(({ cycle, text }) => ({ text: `cycle ${cycle}: ${text}`, cycle, rows: [] }));
    }

    /** Return who wrote a value last, and below that what it was made of. */
    private async origin(place: string): Promise<Row[]> {
        const said = (await this.sessions.said(`tensix origin ${place} --brief`)).split('\n').filter(anything);
        if (said.length) said[0] = said[0].replace(`${place}: `, '');
        return said.length ? nested(said) : [{ text: 'nothing is known', rows: [] }];
    }
}

/** Lines that are indented belong to the line before them, at any depth. */
function nested(lines: string[]): Row[] {
    const rows: Row[] = [];
    const above: [indent: number, row: Row][] = [];
    for (const line of lines) {
        const indent = line.length - line.trimStart().length;
        const row = { text: line.trim(), rows: [] };
        while (above.length && above[above.length - 1][0] >= indent) above.pop();
        (above.length ? above[above.length - 1][1].rows : rows).push(row);
        above.push([indent, row]);
    }
    return rows;
}
