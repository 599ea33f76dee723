// SPDX-License-Identifier: Apache-2.0
// The grid of a chip: tiles by what they do, requests of the NoC as arrows. A tile leads to its page.

/* global d3 */

import { state, on, send, connect } from './state.js';
import { control, element, themes } from './control.js';
import { make, tipped } from './drawing.js';
import './play.js';

const WIDTH = 72;
const HEIGHT = 54;
const GAP = 10;
const HARTS = ['B', 'T0', 'T1', 'T2', 'NC'];
const KINDS = { K: 'kernel', f: 'firmware', '-': 'other', '.': 'reset', p: 'reset', w: 'waits', '!': 'fault' };
const tiles = new Map();
const sent = new Map(); // requests of a tile at the picture before
const arrows = new Map(); // by class: one drawing of many is much cheaper than many
const HEAD = 6;
const BENDS = { write: 12, read: 20, atomic: 28 };
const FEW_ARROWS = 12; // that are bold
const MOST_LINES = 60; // of requests under way
let grid = null;
let traffic = null;
let own = null; // the arrows of one tile
let ofTile = null; // its place

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
  const others = [...Array(chips).keys()]
    .flatMap((chip) => grid.others.map(([x, y, what]) => [...ofChip(chip, [x, y]), what]))
    .filter(([x, y]) => x >= grid.first.x && x <= last.x && y >= grid.first.y && y <= last.y);
  for (const [x, y] of others) make(svg, 'rect', { class: 'place', rx: 4, x: left(x), y: top(y), width: WIDTH, height: HEIGHT });
  // Arrows are over the grounds of tiles, and below their letters and names.
  const grounds = make(svg, 'g', { 'aria-hidden': 'true' });
  traffic = make(svg, 'g', { 'aria-hidden': 'true' });
  for (const name of names) tiles.set(name, tileOf(svg, grounds, name));
  own = make(svg, 'path', { class: 'of-tile', 'aria-hidden': 'true' });
  // Names are read through the arrows: over them, each with an edge.
  const named = make(svg, 'g', { class: 'names', 'aria-hidden': 'true' });
  const write = (kind, [x, y], text) => make(named, 'text', { class: kind, x: left(x) + 6, y: top(y) + 15 }, text);
  for (const [x, y, what] of others) write('quiet', [x, y], what);
  for (const name of names) write('title', placeOf(name), grid.followed && isFollowed(name) ? `${name} \u25cf` : name);
}

function tileOf(svg, grounds, name) {
  const [x, y] = placeOf(name);
  const box = { rx: 5, x: left(x), y: top(y), width: WIDTH, height: HEIGHT };
  const rect = make(grounds, 'rect', { class: 'tile', ...box });
  const link = make(svg, 'a', { id: `tile-${name}`, href: `/tile/${name}/` });
  make(link, 'rect', { class: 'reach', ...box });
  const harts = HARTS.map((_, i) => {
    const at = { x: left(x) + 5 + i * 12.6, y: top(y) + 22 };
    const cell = make(link, 'rect', { rx: 2, width: 11.4, height: 16, ...at });
    const letter = make(link, 'text', { class: 'letter', x: at.x + 5.7, y: at.y + 12 }, '');
    return { cell, letter };
  });
  const bar = make(link, 'rect', { class: 'sent', x: left(x) + 5, y: top(y) + HEIGHT - 9, width: 0, height: 4 });
  const tile = { link, rect, harts, bar, tip: '', letters: '', tone: '' };
  tipped(link, () => tile.tip);
  for (const event of ['pointerenter', 'focus']) link.addEventListener(event, () => showOwn([x, y]));
  for (const event of ['pointerleave', 'blur']) link.addEventListener(event, () => showOwn(null));
  return tile;
}

// A shared file has the events of some tiles: `followed`; of the others their end.
const isFollowed = (name) => !grid.followed || grid.followed.includes(name);
const tipOf = (name, { tip }) => (isFollowed(name) ? tip : `${tip}\nthis file has only the end of this tile`);

function show(name, cell) {
  const tile = tiles.get(name);
  if (tile.tone !== cell.tone) tile.rect.setAttribute('class', `tile ${cell.tone}`);
  tile.link.dataset.tone = cell.tone;
  if (tile.tip !== tipOf(name, cell)) tile.link.setAttribute('aria-label', tipOf(name, cell).replaceAll('\n', ', '));
  tile.harts.forEach((hart, i) => {
    if (tile.letters[i] === cell.letters[i]) return;
    const kind = KINDS[cell.letters[i]];
    hart.cell.setAttribute('class', `t-${kind}`);
    hart.letter.textContent = cell.letters[i];
    hart.letter.setAttribute('class', ['kernel', 'fault', 'waits'].includes(kind) ? 'letter kernel-letter' : 'letter');
  });
  Object.assign(tile, { tone: cell.tone, tip: tipOf(name, cell), letters: cell.letters });
}

function showSent() {
  const { cells } = state.frame;
  const deltas = Object.entries(cells).map(([name, { requests }]) => [name, Math.max(requests - (sent.get(name) ?? requests), 0)]);
  const scale = d3.scaleLinear([0, d3.max(deltas, ([, delta]) => delta) || 1], [0, WIDTH - 10]);
  for (const [name, delta] of deltas) {
    const { bar } = tiles.get(name);
    const width = scale(delta).toFixed(1);
    if (bar.getAttribute('width') !== width) bar.setAttribute('width', width);
    sent.set(name, cells[name].requests);
  }
}

// An arrow as a path: a curve, so that networks and kinds are apart, and its head.
function arrowOf([x1, y1], [x2, y2], { kind, niu }) {
  const bend = niu ? -BENDS[kind] : BENDS[kind];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [mx, my] = [(x1 + x2) / 2 - (bend * (y2 - y1)) / length, (y1 + y2) / 2 + (bend * (x2 - x1)) / length];
  const back = Math.atan2(my - y2, mx - x2);
  const side = (turn) => `${(x2 + HEAD * Math.cos(back + turn)).toFixed(1)},${(y2 + HEAD * Math.sin(back + turn)).toFixed(1)}`;
  return `M${x1},${y1} Q${mx.toFixed(1)},${my.toFixed(1)} ${x2},${y2} M${side(0.5)} L${x2},${y2} L${side(-0.5)}`;
}

// The arrows of the tile where the pointer or the focus is: to it and from it.
function showOwn(place) {
  ofTile = place;
  const is = (one) => place && spread(one).join() === place.join();
  const mine = (state.frame.traffic || []).filter((one) => [one.from, one.to, one.last].some(is));
  own.setAttribute('d', mine.flatMap(arrowsOf).join(' '));
}

const middle = ([x, y]) => [left(x) + WIDTH / 2, top(y) + HEIGHT / 2];

function arrowsOf(one) {
  const [from, to, end] = [one.from, one.to, one.last].map(spread);
  return (to.join() === end.join() ? [to] : [to, end]).map((each) => arrowOf(middle(from), middle(each), one));
}

function showTraffic(requests) {
  const paths = new Map([...arrows.keys()].map((kind) => [kind, []]));
  for (const one of requests) {
    const kind = `arrow n-${one.kind}${one.under_way ? ' under-way' : ''}`;
    if (!paths.has(kind)) paths.set(kind, []);
    paths.get(kind).push(...arrowsOf(one));
  }
  for (const [kind, parts] of paths) {
    if (!arrows.has(kind)) arrows.set(kind, make(traffic, 'path', { class: kind }));
    arrows.get(kind).setAttribute('d', parts.join(' '));
  }
  const lines = requests.filter((one) => one.under_way).map((one) => one.text);
  // Many are thin and light: what they lie over is read first.
  const many = Math.max(lines.length / FEW_ARROWS, 1);
  traffic.style.setProperty('--bold', `${Math.max(2.5 / Math.sqrt(many), 0.6).toFixed(2)}px`);
  traffic.style.setProperty('--light', Math.max(1 / Math.sqrt(many), 0.25).toFixed(2));
  showOwn(ofTile);
  const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
  list('under-way', lines.length ? [...lines.slice(0, MOST_LINES), ...more] : ['nothing']);
}

// Only what is new is written: lists stand, and many of their lines.
function list(id, lines) {
  const items = element(id);
  while (items.childElementCount > lines.length) items.lastElementChild.remove();
  while (items.childElementCount < lines.length) items.append(document.createElement('li'));
  lines.forEach((text, i) => {
    if (items.children[i].textContent !== text) items.children[i].textContent = text;
  });
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
element('letters').textContent = grid.followed ? `${grid.legend} A point: this file has the last events of that tile, and of the others their end.` : grid.legend;
connect();
