// SPDX-License-Identifier: Apache-2.0
// A matrix as a heat map: of what `monitor dst`, `src` and `vector` say, so it shows the same.

/* global d3 */

const ROW = /^\s*(?:lane\s+)?(\d+)((?:\s+\S+)+)$/;
const CELL = 11;

// The rows of numbers in a text; null if there are none. A line may stand for several rows.
export function rowsOf(text) {
  const rows = [];
  for (const line of text.split('\n')) {
    const found = line.match(ROW);
    if (found && !/^\s*row\b/.test(line)) rows.push([Number(found[1]), found[2].trim().split(/\s+/)]);
  }
  const columns = rows.length ? rows[0][1].length : 0;
  return columns >= 8 && rows.every(([, cells]) => cells.length === columns) ? rows : null;
}

function colourOf(cell, scale) {
  const word = cell.replace(/[-()]/g, '');
  if (word === 'undef') return 'v-none';
  if (word === 'nan') return 'v-nan';
  if (word === 'inf') return 'v-infinite';
  const value = Number(cell.replace(/[()]/g, ''));
  return Number.isNaN(value) || value === 0 ? 'v-zero' : d3.interpolateRdBu(0.5 + scale(value) / 2);
}

function headingOf(title) {
  return /^(dst|src|vector \d)/.test(title);
}

export function matrixOf(title, text) {
  const rows = headingOf(title) ? rowsOf(text) : null;
  if (!rows) return null;
  const columns = rows[0][1].length;
  const numbers = rows.flatMap(([, cells]) => cells.map(Number)).filter(Number.isFinite);
  const most = d3.max(numbers, Math.abs) || 1;
  const scale = d3.scaleLinear([-most, most], [-1, 1]);
  const NS = 'http://www.w3.org/2000/svg';
  const holder = document.createElement('div');
  holder.className = 'matrix';
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('viewBox', `0 0 ${columns * CELL} ${rows.length * CELL}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${title} as a heat map, values below`);
  const said = document.createElement('output');
  const range = numbers.length ? `${d3.extent(numbers).join(' to ')}` : 'no number';
  said.textContent = `red is negative, blue positive; ${range}`;
  rows.forEach(([row, cells], i) => cells.forEach((cell, column) => {
    const rect = document.createElementNS(NS, 'rect');
    const colour = colourOf(cell, scale);
    if (colour.startsWith('v-')) rect.setAttribute('class', colour);
    else rect.setAttribute('fill', colour);
    for (const [key, value] of [['x', column * CELL], ['y', i * CELL], ['width', CELL - 1], ['height', CELL - 1]]) rect.setAttribute(key, value);
    rect.dataset.said = `row ${row}, column ${column}: ${cell}`;
    svg.append(rect);
  }));
  svg.addEventListener('pointermove', (event) => {
    if (event.target.dataset.said) said.textContent = event.target.dataset.said;
  });
  holder.append(svg, said);
  return holder;
}
