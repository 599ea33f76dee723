// SPDX-License-Identifier: Apache-2.0
// Maps on the floor plan: Dst and source banks by rows, LRegs by lanes, L1 and local RAMs by cells of memory.

import { state, on, look } from './state.js';
import { make } from './drawing.js';
import { button } from './floor.js';

const TILE_ROWS = 64;
const CELL = 1024; // bytes of L1
const NAMES = { '?': 'none', '!': 'partly', N: 'nan', I: 'infinite', 0: 'zero' };
const WORDS = { '?': 'without a value', '!': 'partly without', N: 'with NaN', I: 'infinite', 0: 'zero' };
const HARTS = ['B', 'T0', 'T1', 'T2', 'NC'];
const KINDS = { '.': 'zero', d: 'data', s: 'a stack', c: 'a circular buffer', i: 'an input', p: 'a program' };
const valueClass = (letter) => `v-${NAMES[letter] || letter}`;
const memoryClass = (letter) => (letter === '.' ? 'empty' : `m-${letter}`);
const hex = (number) => `0x${number.toString(16).padStart(6, '0')}`;
const parts = {};
let cell = 0; // of L1, where the keys are

export function drawMaps(svg) {
  const { dst, lregs, l1, local } = state.plan;
  parts.dst = make(svg, 'g', { id: 'dst' });
  make(svg, 'text', { class: 'title', x: lregs.left, y: lregs.y - 8 }, 'LRegs, 32 lanes each, as FP32');
  parts.lregs = Array.from({ length: 8 }, (_, number) => {
    const y = lregs.y + number * lregs.height;
    const group = button(svg, `lreg-${number}`, `LReg ${number}`);
    make(group, 'title', {}, `LReg ${number}`);
    make(group, 'rect', { class: 'hit', x: lregs.left, y, width: lregs.x - lregs.left + lregs.columns * lregs.width, height: lregs.height });
    if (number % 7 === 0) make(svg, 'text', { class: 'quiet', x: lregs.left, y: y + 7 }, `LReg ${number}`);
    return { group, cells: make(group, 'g', {}), y };
  });
  make(svg, 'text', { class: 'title', x: l1.left, y: l1.y - 8 }, 'L1, a cell for each KiB');
  parts.l1tip = make(svg, 'text', { class: 'quiet', x: l1.left + 190, y: l1.y - 8 }, '');
  parts.l1 = make(svg, 'g', { id: 'l1', role: 'button', tabindex: '0', 'aria-label': 'L1' });
  parts.l1.addEventListener('click', (event) => lookAt(under(svg, event)));
  parts.l1.addEventListener('mousemove', (event) => point(under(svg, event)));
  parts.l1.addEventListener('keydown', key);
  parts.names = make(svg, 'g', { id: 'names' });
  parts.local = HARTS.map((name, hart) => {
    const x = local.x + hart * local.step;
    const group = button(svg, `local-${hart}`, `local RAM of ${name}`);
    make(group, 'rect', { class: 'hit', x, y: local.y - 14, width: local.step - 10, height: local.height + 14 });
    make(group, 'text', { class: 'quiet', x, y: local.y - 4 }, `local RAM of ${name}`);
    return { cells: make(group, 'g', {}), x };
  });
  parts.dstAt = dst;
  parts.banks = state.plan.boxes.filter(({ id }) => id.startsWith('bank-')).map((box) => {
    const group = document.getElementById(box.id);
    return { cells: make(group, 'g', {}), group, box };
  });
}

function strip(parent, letters, x, y, width, height, kind) {
  for (let start = 0, end = 1; end <= letters.length; end += 1) {
    if (end === letters.length || letters[end] !== letters[start]) {
      make(parent, 'rect', { class: kind(letters[start]), x: x + start * width, y, width: (end - start) * width, height });
      start = end;
    }
  }
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
  const at = parts.dstAt;
  const focused = document.activeElement && document.activeElement.id;
  parts.dst.replaceChildren();
  const tiles = rows.length / TILE_ROWS;
  make(parts.dst, 'text', { class: 'title', x: at.x, y: at.y - 8 }, `Dst, ${tiles} tiles of ${format}`);
  for (let tile = 0; tile < tiles; tile += 1) {
    const mine = rows.slice(tile * TILE_ROWS, (tile + 1) * TILE_ROWS);
    const x = at.x + tile * (at.width + 1);
    const column = button(parts.dst, `dst-${tile}`, `Dst tile ${tile}: ${about(mine)}`);
    make(column, 'title', {}, `tile ${tile}: ${about(mine)}`);
    for (let start = 0, end = 1; end <= TILE_ROWS; end += 1) {
      if (end === TILE_ROWS || mine[end] !== mine[start]) {
        make(column, 'rect', { class: valueClass(mine[start]), x, y: at.y + start * at.height, width: at.width, height: (end - start) * at.height });
        start = end;
      }
    }
    make(column, 'text', { class: 'quiet', x: x + 3, y: at.y + TILE_ROWS * at.height + 14 }, `${tile}`);
  }
  if (focused && focused.startsWith('dst-')) document.getElementById(focused)?.focus();
}

// A bank's rows from left to right, row 0 first.
function showBanks(rows) {
  const { banks } = state.plan;
  parts.banks.forEach(({ cells, box }, number) => {
    const width = (box.width - 2 * banks.x) / rows[number].length;
    cells.replaceChildren();
    strip(cells, rows[number], box.x + banks.x, box.y + box.height - banks.rise, width, banks.height, valueClass);
    make(cells, 'title', {}, `${box.title}: ${about(rows[number])}`);
  });
}

function showLRegs(lanes) {
  const at = state.plan.lregs;
  parts.lregs.forEach(({ group, cells, y }, number) => {
    const mine = lanes.slice(number * at.columns, (number + 1) * at.columns);
    cells.replaceChildren();
    for (let lane = 0; lane < at.columns; lane += 1) {
      make(cells, 'rect', { class: valueClass(mine[lane]), x: at.x + lane * at.width, y, width: at.width - 1, height: at.height - 1 });
    }
    group.setAttribute('aria-label', `LReg ${number}: ${[...mine].every((one) => one === '0') ? 'zero' : 'values'}`);
  });
}

function showL1() {
  const { l1, touched } = state.frame;
  const at = state.plan.l1;
  parts.l1.replaceChildren();
  for (let first = 0; first < l1.length; first += at.columns) {
    const y = at.y + (first / at.columns) * at.height;
    make(parts.l1, 'text', { class: 'quiet', x: at.left, y: y + 9 }, hex(first * CELL));
    strip(parts.l1, l1.slice(first, first + at.columns), at.x, y, at.width, at.height - 2, memoryClass);
  }
  const newest = Math.max(0, ...Object.values(touched));
  for (const [number, cycle] of Object.entries(touched)) {
    const kind = cycle === newest ? 'touched newest' : 'touched';
    make(parts.l1, 'rect', { class: kind, ...placeOf(Number(number)), width: at.width, height: at.height - 2 });
  }
  parts.cursor = make(parts.l1, 'rect', { class: 'cursor', width: at.width + 2, height: at.height });
  point(cell);
}

// What is in L1 by name; the map has its colours.
function showNames(names) {
  parts.names.replaceChildren();
  for (const [kind, text, x, y] of names) {
    if (kind) make(parts.names, 'rect', { class: kind, x, y: y - 8, width: 9, height: 9 });
    make(parts.names, 'text', { class: 'quiet', x: x + (kind ? 14 : 0), y }, text);
  }
}

function placeOf(number) {
  const at = state.plan.l1;
  return { x: at.x + (number % at.columns) * at.width, y: at.y + Math.floor(number / at.columns) * at.height };
}

function under(svg, event) {
  const at = state.plan.l1;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const column = Math.min(Math.max(Math.floor((x - at.x) / at.width), 0), at.columns - 1);
  const row = Math.min(Math.max(Math.floor((y - at.y) / at.height), 0), state.frame.l1.length / at.columns - 1);
  return row * at.columns + column;
}

function point(number) {
  cell = number;
  const { l1, regions, touched } = state.frame;
  const start = cell * CELL;
  const names = regions.filter(([, , first, end]) => first < start + CELL && end > start).map(([, name]) => name);
  const letter = l1[cell];
  const kind = KINDS[letter] || `a program of ${HARTS[letter]}`;
  const when = touched[cell] === undefined ? '' : `, changed before cycle ${touched[cell]}`;
  parts.l1tip.textContent = `${hex(start)}: ${names.length ? names.join(', ') : kind}${when}`;
  parts.l1.setAttribute('aria-label', `L1, ${parts.l1tip.textContent}; arrow keys: another cell, Enter: look`);
  const { x, y } = placeOf(cell);
  parts.cursor.setAttribute('x', x - 1);
  parts.cursor.setAttribute('y', y - 1);
}

function lookAt(number) {
  point(number);
  look(`l1-${number}`);
}

function key(event) {
  const { columns } = state.plan.l1;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
  if (event.key === 'Enter') lookAt(cell);
  if (step === undefined) return;
  event.preventDefault();
  const last = state.frame.l1.length - 1;
  if (cell + step >= 0 && cell + step <= last) point(cell + step);
}

on('frame', (change) => {
  const { local } = state.plan;
  if (change.dst) showDst(change.dst);
  if (change.banks) showBanks(change.banks);
  if (change.lregs) showLRegs(change.lregs);
  if (change.names) showNames(change.names);
  if (change.l1 || change.touched) showL1();
  if (change.local) {
    parts.local.forEach(({ cells, x }, hart) => {
      cells.replaceChildren();
      strip(cells, change.local[hart], x, local.y, local.width, local.height, memoryClass);
    });
  }
});
