// SPDX-License-Identifier: Apache-2.0
// The grid of a chip: tiles by what they do, requests of the NoC as arrows. A tile leads to its page.

/* global d3 */

import { state, on, send, connect } from './state.js';
import { Traffic, arrow, numbersOf, writing } from './arrows.js';
import { control, element, themes } from './control.js';
import { make, tipped } from './drawing.js';
import './play.js';

const WIDTH = 72;
const HEIGHT = 54;
const GAP = 10;
const tiles = new Map();
let sent = []; // requests of the tiles at the picture before
const LISTED = 1000; // milliseconds between two writings of the lists while it runs
let grid = null;
let traffic = null; // arrows, bars and letters, on a canvas
let listed = 0; // when the lists were written
let own = null; // the arrows of one tile
let ofTile = null; // its place

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
  const layers = document.createElement('div');
  layers.className = 'layers';
  layers.style.maxWidth = `${Math.min(width * 1.25, 1700)}px`;
  layers.style.minWidth = `${Math.min(width, 1000)}px`;
  element('floor').append(layers);
  const viewBox = `0 0 ${width} ${top(last.y) + HEIGHT + GAP}`;
  const grounds = make(layers, 'svg', { viewBox, 'aria-hidden': 'true' });
  traffic = new Traffic(layers, width, !grid.followed);
  const svg = make(layers, 'svg', { viewBox, role: 'group', 'aria-label': 'tiles' });
  const others = [...Array(chips).keys()]
    .flatMap((chip) => grid.others.map(([x, y, what]) => [...ofChip(chip, [x, y]), what]))
    .filter(([x, y]) => x >= grid.first.x && x <= last.x && y >= grid.first.y && y <= last.y);
  for (const [x, y] of others) make(grounds, 'rect', { class: 'place', rx: 4, x: left(x), y: top(y), width: WIDTH, height: HEIGHT });
  for (const name of names) tiles.set(name, tileOf(svg, grounds, name));
  traffic.show({ tiles: [...tiles.values()].map(({ at: [x, y] }) => [left(x), top(y)]) });
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
  const tile = { link, rect, at: [x, y], tip: '', letters: '', tone: '' };
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
  if (tile.tone !== cell.tone) {
    tile.rect.setAttribute('class', `tile ${cell.tone}`);
    tile.link.dataset.tone = cell.tone;
  }
  const tip = tipOf(name, cell);
  if (tile.tip !== tip) tile.link.setAttribute('aria-label', tip.replaceAll('\n', ', '));
  tile.link.dataset.letters = cell.letters;
  Object.assign(tile, { tone: cell.tone, tip, letters: cell.letters });
}

function showSent(now) {
  const deltas = now.map((count, i) => Math.max(count - (sent[i] ?? count), 0));
  const scale = d3.scaleLinear([0, d3.max(deltas) || 1], [0, WIDTH - 10]);
  const bars = [...tiles.values()].map(({ at: [x, y] }, i) => [left(x) + 5, top(y) + HEIGHT - 9, scale(deltas[i])]);
  sent = now;
  traffic.show({ bars });
}

// The arrows of the tile where the pointer or the focus is: to it and from it.
function showOwn(place) {
  ofTile = place;
  const path = writing();
  if (place) {
    const isHere = (one) => spread(one).join() === place.join();
    const mine = (state.frame.traffic || []).filter((one) => one.slice(0, 3).some(isHere));
    for (const each of mine.flatMap(arrowsOf)) arrow(path, ...each);
  }
  own.setAttribute('d', path.text());
}

const middle = ([x, y]) => [left(x) + WIDTH / 2, top(y) + HEIGHT / 2];

function arrowsOf([from, to, last, kind, niu, bold]) {
  const ends = to.join() === last.join() ? [to] : [to, last];
  return ends.map((end) => numbersOf(middle(spread(from)), middle(spread(end)), kind, niu, bold));
}

function showTraffic(requests) {
  traffic.show({ arrows: requests.flatMap(arrowsOf) });
  if (ofTile) showOwn(ofTile);
}

// No one reads a list that changes several times a second, and its layout is much of a picture.
function showLists({ running, under_way: requests = [], links = [] }) {
  if (running && performance.now() - listed < LISTED) return;
  listed = performance.now();
  list('under-way', requests);
  list('links', links);
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
  if (change.cells) traffic.show({ letters: [...tiles.values()].map(({ letters }) => letters) });
  if (change.cycle !== undefined) showSent(state.frame.sent);
  if (change.traffic) showTraffic(change.traffic);
  showLists(state.frame);
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
