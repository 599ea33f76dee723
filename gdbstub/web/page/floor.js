// SPDX-License-Identifier: Apache-2.0
// The floor plan: boxes by their ids, Dst as a heat map. Every box is a button.

import { state, on, look } from './state.js';

const NS = 'http://www.w3.org/2000/svg';
const TILE_ROWS = 64;
const COLOURS = { '?': '#8a8f98', '!': '#c9a227', N: '#d7263d', I: '#ff7a00', 0: '#c8d0da' };
const WORDS = { '?': 'without a value', '!': 'partly without', N: 'with NaN', I: 'infinite', 0: 'zero' };
const groups = new Map();
let dst = null;

function make(parent, name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

function button(parent, id, label) {
  const group = make(parent, 'g', { id, role: 'button', tabindex: '0', 'aria-label': label });
  group.addEventListener('click', () => look(id));
  group.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') look(id);
  });
  return group;
}

export function draw(plan) {
  state.plan = plan;
  const svg = make(document.getElementById('floor'), 'svg', {
    viewBox: `0 ${plan.boxes[0].y - 12} ${plan.width} ${plan.height - plan.boxes[0].y + 12}`,
    role: 'group', 'aria-label': 'parts of the tile',
  });
  for (const arrow of plan.arrows) make(svg, 'line', { class: 'edge', ...arrow });
  for (const box of plan.boxes) {
    const group = button(svg, box.id, box.title);
    const rect = make(group, 'rect', {
      class: 'box', rx: 4, x: box.x, y: box.y, width: box.width, height: box.height,
    });
    make(group, 'text', { class: 'title', x: box.x + 8, y: box.y + 15 }, box.title);
    groups.set(box.id, { group, rect, box, lines: [], tip: make(group, 'title', {}) });
  }
  dst = make(svg, 'g', { id: 'dst' });
}

function show(id, cell) {
  const entry = groups.get(id);
  if (!entry) return;
  const { group, rect, box, tip } = entry;
  rect.setAttribute('class', `box ${cell.tone}`);
  tip.textContent = cell.tip;
  group.setAttribute('aria-label', `${box.title}: ${cell.lines.join(', ')}`);
  for (const line of entry.lines) line.remove();
  entry.lines = cell.lines.map((line, i) => make(
    group, 'text', { x: box.x + 8, y: box.y + 15 + state.plan.line * (i + 1) }, line));
}

function colour(letter) {
  if (COLOURS[letter]) return COLOURS[letter];
  const part = (letter.charCodeAt(0) - 97) / 25;
  const mix = (from, to) => Math.round(from + (to - from) * part);
  return `rgb(${mix(190, 8)},${mix(220, 48)},${mix(255, 140)})`;
}

function about(rows) {
  const found = Object.entries(WORDS)
    .map(([letter, words]) => [rows.split(letter).length - 1, words])
    .filter(([count]) => count).map(([count, words]) => `${count} rows ${words}`);
  const values = [...rows].filter((letter) => letter >= 'a' && letter <= 'z').length;
  if (values) found.push(`${values} rows of values`);
  return found.join(', ');
}

function showDst({ format, rows }) {
  const at = state.plan.dst;
  const focused = document.activeElement && document.activeElement.id;
  dst.replaceChildren();
  const tiles = rows.length / TILE_ROWS;
  make(dst, 'text', { class: 'title', x: at.x, y: at.y - 8 }, `Dst, ${tiles} tiles of ${format}`);
  for (let tile = 0; tile < tiles; tile += 1) {
    const mine = rows.slice(tile * TILE_ROWS, (tile + 1) * TILE_ROWS);
    const x = at.x + tile * (at.width + 1);
    const column = button(dst, `dst-${tile}`, `Dst tile ${tile}: ${about(mine)}`);
    make(column, 'title', {}, `tile ${tile}: ${about(mine)}`);
    for (let start = 0, end = 1; end <= TILE_ROWS; end += 1) {
      if (end === TILE_ROWS || mine[end] !== mine[start]) {
        make(column, 'rect', {
          x, y: at.y + start * at.row, width: at.width, height: (end - start) * at.row,
          fill: colour(mine[start]),
        });
        start = end;
      }
    }
    make(column, 'text', { class: 'quiet', x: x + 3, y: at.y + TILE_ROWS * at.row + 14 }, `${tile}`);
  }
  if (focused && focused.startsWith('dst-')) document.getElementById(focused)?.focus();
}

on('frame', (change) => {
  for (const [id, cell] of Object.entries(change.cells || {})) show(id, cell);
  if (change.dst) showDst(change.dst);
});
on('box', (id) => {
  for (const [name, { group }] of groups) group.classList.toggle('shown', name === id);
});
