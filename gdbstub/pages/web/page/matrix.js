// SPDX-License-Identifier: Apache-2.0
// A matrix as a heat map: of what `monitor dst`, `src` and `vector` say, so it shows the same. Its
// colours are those of the maps on the plan, and so is its legend. A datum that is selected is a way
// to its origin.

import { askOrigin, isAskable } from './origin.js';
import { state } from './state.js';

/* global d3 */

const ROW = /^\s*(?:lane\s+)?(\d+)((?:\s+\S+)+)$/;
const CELL = 11;
const WIDEST = 13; // pixels of a cell on the screen
const FACE = 16; // rows and columns
const chosen = new Map(); // by title: the datum where the keys are

// The rows of numbers in a text; null if there are none. A line may stand for several rows.
export function rowsOf(text) {
  const rows = [];
  const zeros = []; // the first and the last row of what is one line
  for (const line of text.split('\n')) {
    const zero = line.match(/^\s*(\d+) to (\d+): zero$/);
    if (zero) zeros.push(zero.slice(1).map(Number));
    if (zero) continue;
    const found = line.match(ROW);
    if (found && !/^\s*row\b/.test(line)) rows.push([Number(found[1]), found[2].trim().split(/\s+/)]);
  }
  const columns = rows.length ? rows[0][1].length : 0;
  for (const [first, last] of columns ? zeros : []) {
    for (let row = first; row <= last; row += 1) rows.push([row, Array(columns).fill('0')]);
  }
  rows.sort(([one], [other]) => one - other);
  return columns >= 8 && rows.every(([, cells]) => cells.length === columns) ? rows : null;
}

// The letter of a magnitude, as gdbstub/tensix/glance/dst_rows.py has it.
function letterOf(value) {
  const exponent = Math.floor(Math.log2(Math.abs(value))) + 127;
  return String.fromCharCode(97 + Math.min(Math.max(Math.floor((exponent - 102) / 2), 0), 25));
}

function classOf(cell) {
  const word = cell.replace(/[()]/g, '').replace(/^-/, '');
  const special = { undef: 'none', nan: 'nan', inf: 'infinite', den: 'a' }[word];
  if (special) return `v-${special}`;
  const value = Number(word);
  return Number.isNaN(value) || value === 0 ? 'v-zero' : `v-${letterOf(value)}`;
}

function headingOf(title) {
  return /^(dst|src|vector \d)/.test(title);
}

// The place of a datum: a tile of Dst is four faces of 16 rows; a row of an LReg begins with its lane.
function placeOf(title, datums, row, column) {
  const tile = title.match(/^dst tile (\d+)/);
  if (tile) {
    const face = 2 * (row >= FACE) + (column >= FACE);
    return `${datums} ${64 * tile[1] + FACE * face + (row % FACE)}.${column % FACE}`;
  }
  return datums.startsWith('lreg') ? `${datums}.${row + column}` : `${datums} ${row}.${column}`;
}

export function matrixOf(title, text, datums) {
  const rows = headingOf(title) ? rowsOf(text) : null;
  if (!rows) return null;
  const columns = rows[0][1].length;
  const numbers = rows.flatMap(([, cells]) => cells.map(Number)).filter(Number.isFinite);
  const NS = 'http://www.w3.org/2000/svg';
  const holder = document.createElement('div');
  holder.className = 'matrix';
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('viewBox', `0 0 ${columns * CELL} ${rows.length * CELL}`);
  svg.style.maxWidth = `${columns * WIDEST}px`;
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${title} as a heat map, values below`);
  const said = document.createElement('output');
  const range = numbers.length ? `${d3.extent(numbers).join(' to ')}` : 'no number';
  said.textContent = `${range}; a point: negative`;
  rows.forEach(([row, cells], i) => cells.forEach((cell, column) => {
    const rect = document.createElementNS(NS, 'rect');
    rect.setAttribute('class', classOf(cell));
    for (const [key, value] of [['x', column * CELL], ['y', i * CELL], ['width', CELL - 1], ['height', CELL - 1]]) rect.setAttribute(key, value);
    rect.dataset.said = `row ${row}, column ${column}: ${cell}`;
    rect.dataset.at = `${i},${column}`;
    svg.append(rect);
    if (/^\(?-[^0]/.test(cell)) svg.append(pointAt(column, i));
  }));
  if (datums) ways(svg, said, title, rows, (i, column) => placeOf(title, datums, rows[i][0], column));
  svg.addEventListener('pointermove', (event) => {
    if (event.target.dataset.said) said.textContent = event.target.dataset.said;
  });
  holder.append(svg, said);
  return holder;
}

function pointAt(column, row) {
  const point = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [key, value] of [['class', 'negative'], ['x', column * CELL + 1], ['y', row * CELL + 1], ['width', 3], ['height', 3]]) point.setAttribute(key, value);
  return point;
}

// Select a datum, with the mouse or with arrow keys and Enter.
function ways(svg, said, title, rows, place) {
  const columns = rows[0][1].length;
  const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  mark.setAttribute('class', 'datum');
  for (const side of ['width', 'height']) mark.setAttribute(side, CELL - 1);
  svg.setAttribute('role', 'button');
  svg.tabIndex = 0;
  const at = ([i, column]) => {
    chosen.set(title, [i, column]);
    mark.setAttribute('x', column * CELL);
    mark.setAttribute('y', i * CELL);
    said.textContent = `row ${rows[i][0]}, column ${column}: ${rows[i][1][column]}`;
    svg.setAttribute('aria-label', `${title}, ${said.textContent}; arrow keys: another datum${state.plan.origins ? '' : ', Enter: its origin'}`);
  };
  const was = said.textContent;
  at((chosen.get(title) || [0, 0]).map((one, axis) => Math.min(one, [rows.length, columns][axis] - 1)));
  if (!chosen.has(`${title} asked`)) said.textContent = state.plan.origins ? was : `${was}; select a datum: its origin`;
  const ask = () => {
    if (!isAskable(place(...chosen.get(title)))) return;
    chosen.set(`${title} asked`, true);
    askOrigin(place(...chosen.get(title)));
  };
  svg.addEventListener('focus', () => svg.append(mark));
  svg.addEventListener('blur', () => mark.remove());
  svg.addEventListener('click', (event) => {
    if (!event.target.dataset.at) return;
    at(event.target.dataset.at.split(',').map(Number));
    ask();
  });
  svg.addEventListener('keydown', (event) => {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (event.key === 'Enter') ask();
    if (!move) return;
    event.preventDefault();
    const [i, column] = chosen.get(title);
    const to = [i + move[0], column + move[1]];
    if (to[0] >= 0 && to[0] < rows.length && to[1] >= 0 && to[1] < columns) at(to);
  });
}
