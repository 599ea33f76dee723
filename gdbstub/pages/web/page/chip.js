// SPDX-License-Identifier: Apache-2.0
// The grid of a chip: tiles by what they do, requests of the NoC as arrows. A tile leads to its page.

/* global d3 */

import { state, on, send, connect } from './state.js';
import { addArrow } from './arrows.js';
import { control, element, themes } from './control.js';
import { tipped } from './drawing.js';
import { GridCanvas } from './grid_canvas.js';
import { GAP, HEIGHT, WIDTH } from './grid_drawing.js';
import './play.js';

const tiles = new Map();
let sent = []; // requests of the tiles at the picture before
const LISTED = 1000; // milliseconds between two writings of the lists while it runs
let grid = null;
let drawing = null; // all that is seen of the grid, on a canvas
let listed = 0; // when the lists were written
const seen = new Set(); // those in the window
let ofTile = null; // the place of the tile of which the arrows are drawn apart

const left = (x) => (x - grid.first.x) * (WIDTH + GAP) + GAP;
const top = (y) => (y - grid.first.y) * (HEIGHT + GAP) + GAP;
// Several chips are beside each other. A place has its chip in the column, and more in the row of an Ethernet tile
// (core/chip/places.py); a name has the chip before a dot.
const ofChip = (chip, [x, y]) => [chip * (grid.columns + 1) + x, y];
const spread = ([x, y]) => ofChip(Math.max(Math.floor(x / 64) - 1, 0), [x % 64, y % 64]);
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
  const height = top(last.y) + HEIGHT + GAP;
  const layers = document.createElement('div');
  layers.className = 'layers';
  layers.style.maxWidth = `${Math.min(width * 1.25, 1700)}px`;
  layers.style.minWidth = `${Math.min(width, 1000)}px`;
  layers.style.aspectRatio = `${width} / ${height}`;
  layers.setAttribute('role', 'group');
  layers.setAttribute('aria-label', 'tiles');
  element('floor').append(layers);
  const others = [...Array(chips).keys()]
    .flatMap((chip) => grid.others.map(([x, y, what]) => [...ofChip(chip, [x, y]), what]))
    .filter(([x, y]) => x >= grid.first.x && x <= last.x && y >= grid.first.y && y <= last.y)
    .map(([x, y, what]) => [left(x), top(y), what]);
  const marked = (name) => (grid.followed && isFollowed(name) ? `${name} \u25cf` : name);
  const plan = { width, others, tiles: names.map((name, i) => [left(places[i][0]), top(places[i][1]), marked(name)]) };
  names.forEach((name, number) => tiles.set(name, tileOf(layers, name, number, { width, height })));
  drawing = new GridCanvas(layers, plan, !grid.followed);
}

// A tile of the drawing, as a link that is over it.
function tileOf(layers, name, number, all) {
  const [x, y] = placeOf(name);
  const link = document.createElement('a');
  link.id = `tile-${name}`;
  link.href = `/tile/${name}/`;
  const box = { left: left(x) / all.width, top: top(y) / all.height, width: WIDTH / all.width, height: HEIGHT / all.height };
  for (const [side, part] of Object.entries(box)) link.style[side] = `${100 * part}%`;
  layers.append(link);
  const tile = { link, number, at: [x, y], tip: '' };
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
  const tip = tipOf(name, cell);
  if (tile.tip !== tip) tile.link.setAttribute('aria-label', tip.replaceAll('\n', ', '));
  Object.assign(tile.link.dataset, { tone: cell.tone, letters: cell.letters });
  tile.tip = tip;
  return [tile.number, cell.letters, cell.tone];
}

function showSent(now) {
  const deltas = now.map((count, i) => Math.max(count - (sent[i] ?? count), 0));
  const most = Math.max(...deltas, 1);
  sent = now;
  drawing.tell({ sent: deltas.map((one) => one / most) });
}

// The arrows of the tile where the pointer or the focus is: to it and from it.
function showOwn(place) {
  ofTile = place;
  const isHere = (one) => spread(one).join() === place.join();
  const mine = place ? (state.frame.traffic || []).filter((one) => one.slice(0, 3).some(isHere)) : [];
  drawing.tell({ own: listOf(mine) });
}

const middle = ([x, y]) => [left(x) + WIDTH / 2, top(y) + HEIGHT / 2];

// An arrow for a request, two for one to many: to the corners of where it goes.
function listOf(requests) {
  const arrows = [];
  for (const [from, to, last, kind, niu, bold] of requests) {
    const start = middle(spread(from));
    addArrow(arrows, start, middle(spread(to)), kind, niu, bold);
    if (to[0] !== last[0] || to[1] !== last[1]) addArrow(arrows, start, middle(spread(last)), kind, niu, bold);
  }
  return Float32Array.from(arrows);
}

function showTraffic(requests) {
  drawing.tell({ arrows: listOf(requests) });
  if (ofTile) showOwn(ofTile);
}

// No one reads a list that changes several times a second, or is not in the window, and its layout is much of a
// picture.
function showLists({ running, under_way: requests = [], links = [] }) {
  if (running && listed && (!seen.size || performance.now() - listed < LISTED)) return;
  listed = performance.now();
  list('under-way', requests);
  list('links', links);
}

const LISTS = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) seen[isIntersecting ? 'add' : 'delete'](target);
  if (state.frame) showLists(state.frame);
});

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
  if (change.cells) drawing.tell({ tiles: Object.entries(change.cells).map(([name, cell]) => show(name, cell)) });
  if (change.cycle !== undefined) showSent(state.frame.sent);
  if (change.traffic) showTraffic(change.traffic);
  showLists(state.frame);
});

for (const id of ['under-way', 'links']) LISTS.observe(element(id));
themes();
control({
  continue: () => send({ do: 'continue' }),
  stop: () => send({ do: 'stop' }),
  record: () => send({ do: 'record', on: !(state.frame && state.frame.history) }),
}, { c: 'continue', ' ': 'stop' });
grid = await (await fetch('grid.json')).json();
element('letters').textContent = grid.followed ? `${grid.legend} A point: this file has the last events of that tile, and of the others their end.` : grid.legend;
connect();
