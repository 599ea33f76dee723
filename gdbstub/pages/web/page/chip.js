// SPDX-License-Identifier: Apache-2.0
// The grid of a chip: tiles by what they do, requests of the NoC as arrows. A tile leads to its page.

/* global d3 */

import { state, on, send, connect } from './state.js';
import { control, element, themes } from './control.js';
import './play.js';

const WIDTH = 72;
const HEIGHT = 54;
const GAP = 10;
const HARTS = ['B', 'T0', 'T1', 'T2', 'NC'];
const KINDS = { K: 'kernel', f: 'firmware', '-': 'other', '.': 'reset', p: 'reset', w: 'waits', '!': 'fault' };
const NS = 'http://www.w3.org/2000/svg';
const tiles = new Map();
const sent = new Map(); // requests of a tile at the picture before
let grid = null;
let arrows = null;

const left = (x) => (x - grid.first.x) * (WIDTH + GAP) + GAP;
const top = (y) => (y - grid.first.y) * (HEIGHT + GAP) + GAP;
// Several chips are beside each other. A place has its chip in the column (core/chip/places.py), a name before a dot.
const ofChip = (chip, [x, y]) => [chip * (grid.columns + 1) + x, y];
const spread = ([x, y]) => ofChip(Math.max(Math.floor(x / 64) - 1, 0), [x % 64, y]);
const chipOf = (name) => (name.includes('.') ? Number(name.slice(1).split('.')[0]) : 0);
const placeOf = (name) => {
  const own = name.split('.').at(-1);
  return ofChip(chipOf(name), own[0] === 'e' ? grid.ethernet[own.slice(1)] : own.split('-').map(Number));
};

function make(parent, name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

// Only the part of the chip that has tiles, and what else is near.
function draw(names) {
  const places = names.map(placeOf);
  const chips = Math.max(...names.map(chipOf)) + 1;
  const [x0, x1] = d3.extent(places, ([x]) => x);
  const [y0, y1] = d3.extent(places, ([, y]) => y);
  grid.first = { x: Math.max(x0 - 1, 0), y: Math.max(y0 - 2, 0) };
  const last = { x: Math.min(x1 + 1, chips * (grid.columns + 1) - 2), y: Math.min(y1 + 1, grid.rows - 1) };
  const width = left(last.x) + WIDTH + GAP;
  const svg = make(element('floor'), 'svg', { viewBox: `0 0 ${width} ${top(last.y) + HEIGHT + GAP}`, role: 'group', 'aria-label': 'tiles' });
  svg.style.maxWidth = `${Math.min(width * 1.25, 1700)}px`;
  svg.style.minWidth = `${Math.min(width, 1000)}px`;
  const others = [...Array(chips).keys()].flatMap((chip) => grid.others.map(([x, y, what]) => [...ofChip(chip, [x, y]), what]));
  for (const [x, y, what] of others) {
    if (x < grid.first.x || x > last.x || y < grid.first.y || y > last.y) continue;
    make(svg, 'rect', { class: 'place', rx: 4, x: left(x), y: top(y), width: WIDTH, height: HEIGHT });
    make(svg, 'text', { class: 'quiet', x: left(x) + 6, y: top(y) + 15 }, what);
  }
  for (const name of names) tiles.set(name, tileOf(svg, name));
  const marks = make(svg, 'defs', {});
  for (const kind of ['read', 'write', 'atomic']) {
    const mark = make(marks, 'marker', { id: `end-${kind}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: 'userSpaceOnUse', orient: 'auto' });
    make(mark, 'path', { d: 'M0,0 L8,4 L0,8', class: `n-${kind}`, fill: 'none', 'stroke-width': 1.5 });
  }
  arrows = make(svg, 'g', { 'aria-hidden': 'true' });
}

function tileOf(svg, name) {
  const [x, y] = placeOf(name);
  const link = make(svg, 'a', { id: `tile-${name}`, href: `/tile/${name}/` });
  const rect = make(link, 'rect', { class: 'tile', rx: 5, x: left(x), y: top(y), width: WIDTH, height: HEIGHT });
  make(link, 'text', { class: 'title', x: left(x) + 6, y: top(y) + 15 }, name);
  const harts = HARTS.map((_, i) => {
    const at = { x: left(x) + 5 + i * 12.6, y: top(y) + 22 };
    const cell = make(link, 'rect', { rx: 2, width: 11.4, height: 16, ...at });
    const letter = make(link, 'text', { class: 'letter', x: at.x + 5.7, y: at.y + 12 }, '');
    return { cell, letter };
  });
  const bar = make(link, 'rect', { class: 'sent', x: left(x) + 5, y: top(y) + HEIGHT - 9, width: 0, height: 4 });
  return { link, rect, harts, bar, tip: make(link, 'title', {}) };
}

function show(name, cell) {
  const { link, rect, harts, tip } = tiles.get(name);
  rect.setAttribute('class', `tile ${cell.tone}`);
  tip.textContent = cell.tip;
  link.setAttribute('aria-label', cell.tip.replaceAll('\n', ', '));
  harts.forEach((hart, i) => {
    const kind = KINDS[cell.letters[i]];
    hart.cell.setAttribute('class', `t-${kind}`);
    hart.letter.textContent = cell.letters[i];
    hart.letter.setAttribute('class', ['kernel', 'fault', 'waits'].includes(kind) ? 'letter kernel-letter' : 'letter');
  });
}

function showSent() {
  const { cells } = state.frame;
  const deltas = Object.entries(cells).map(([name, { requests }]) => [name, Math.max(requests - (sent.get(name) ?? requests), 0)]);
  const scale = d3.scaleLinear([0, d3.max(deltas, ([, delta]) => delta) || 1], [0, WIDTH - 10]);
  for (const [name, delta] of deltas) {
    tiles.get(name).bar.setAttribute('width', scale(delta));
    sent.set(name, cells[name].requests);
  }
}

function showTraffic(traffic) {
  arrows.replaceChildren();
  const lines = [];
  for (const one of traffic) {
    if (one.under_way) lines.push(one.text);
    const [from, to, end] = [one.from, one.to, one.last].map(spread);
    const [x1, y1] = [left(from[0]) + WIDTH / 2, top(from[1]) + HEIGHT / 2];
    for (const [x, y] of to.join() === end.join() ? [to] : [to, end]) {
      const [x2, y2] = [left(x) + WIDTH / 2, top(y) + HEIGHT / 2];
      const bend = one.niu ? -14 : 14; // the two networks apart
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [mx, my] = [(x1 + x2) / 2 - (bend * (y2 - y1)) / length, (y1 + y2) / 2 + (bend * (x2 - x1)) / length];
      const path = `M${x1},${y1} Q${mx},${my} ${x2},${y2}`;
      make(arrows, 'path', { class: `arrow n-${one.kind} ${one.under_way ? 'under-way' : ''}`, d: path, 'marker-end': `url(#end-${one.kind})` });
    }
  }
  list('under-way', lines.length ? lines : ['nothing']);
}

function list(id, lines) {
  element(id).replaceChildren(...lines.map((text) => {
    const item = document.createElement('li');
    item.textContent = text;
    return item;
  }));
}

on('frame', (change) => {
  if (!tiles.size) draw(Object.keys(state.frame.cells));
  for (const [name, cell] of Object.entries(change.cells || {})) show(name, cell);
  if (change.cycle !== undefined) showSent();
  if (change.traffic) showTraffic(change.traffic);
  if (change.links) list('links', change.links);
});

themes();
control({
  continue: () => send({ do: 'continue' }),
  stop: () => send({ do: 'stop' }),
  record: () => send({ do: 'record', on: !(state.frame && state.frame.history) }),
}, { c: 'continue', ' ': 'stop' });
grid = await (await fetch('grid.json')).json();
element('letters').textContent = grid.legend;
connect();
