// SPDX-License-Identifier: Apache-2.0
// Words of memory, each a way to its history (when it changed, to what, by which line) and its
// origin.

import { askOrigin, isAskable } from './origin.js';
import { state, send } from './state.js';

const WIDE = 4; // words in a row
const LOCAL = 0xffb00000; // where local RAMs are
const HARTS = ['B', 'T0', 'T1', 'T2', 'NC'];
const hex = (number, digits = 8) => number.toString(16).padStart(digits, '0');
let shown = null; // the word whose history is asked for

function make(name, text, parent) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

// A row of zeros like the one before it is left out.
export function showWords(holder, words, other) {
  if (other) shown = null;
  if (!words) return;
  const table = make('table', undefined, holder);
  table.className = 'words';
  make('caption', state.plan.origins ? 'select a word: its history' : 'select a word: its history and its origin', table);
  let skipped = false;
  for (let i = 0; i < words.values.length; i += WIDE) {
    const row = words.values.slice(i, i + WIDE);
    const zero = i && row.every((value) => value === 0);
    if (zero && skipped) continue;
    const line = make('tr', undefined, table);
    make('th', `0x${hex(words.start + 4 * i)}`, line).scope = 'row';
    if (zero) {
      const cell = make('td', 'zeros', line);
      cell.colSpan = WIDE;
    } else {
      row.forEach((value, column) => wordOf(make('td', undefined, line), words, i + column));
    }
    skipped = zero;
  }
  const history = make('section', undefined, holder);
  history.id = 'word';
  history.setAttribute('aria-live', 'polite');
  if (shown) showHistory(shown);
}

function wordOf(cell, words, at) {
  const addr = words.start + 4 * at;
  const value = words.values[at];
  const button = make('button', hex(value), cell);
  button.type = 'button';
  button.className = value ? 'word' : 'word zero';
  button.title = meanings(value);
  button.setAttribute('aria-label', `history of word 0x${hex(addr)}`);
  button.addEventListener('click', () => ask(words.hart, addr, value));
}

// What a word is in the formats that kernels use.
export function meanings(value) {
  const float = (bits) => {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, bits >>> 0);
    return Number(view.getFloat32(0).toPrecision(6));
  };
  return `int ${value | 0}, fp32 ${float(value)}, bf16 ${float(value << 16)} and ${float(value & 0xffff0000)}`;
}

async function ask(hart, addr, value) {
  shown = { hart, addr, value, lines: ['going through the history ...'], changes: [] };
  showHistory(shown);
  document.getElementById('word').scrollIntoView({ block: 'nearest' });
  const wanted = shown;
  const answer = await fetch(`word.json?addr=${addr}&hart=${hart}`);
  if (!answer.ok) wanted.lines = [(await answer.text()).trim()];
  else Object.assign(wanted, linesOf(await answer.json()));
  if (wanted !== shown) return;
  showHistory(shown);
  document.getElementById('word')?.scrollIntoView({ block: 'nearest' });
}

function linesOf(found) {
  const lines = [`${hex(found.before)} at cycle ${found.first}, where the history looks from`];
  if (found.dropped) lines.push(`${found.dropped} earlier changes are left out`);
  if (found.step > 1) lines.push(`a value that lasts for less than ${found.step} cycles may be missing`);
  if (!found.changes.length) lines.push(`unchanged up to cycle ${found.last}`);
  return { lines, changes: found.changes };
}

function showHistory({ hart, addr, value, lines, changes }) {
  const holder = document.getElementById('word');
  if (!holder) return;
  holder.replaceChildren();
  make('h3', `history of the word at 0x${hex(addr)}`, holder);
  make('p', meanings(value), holder).className = 'hint';
  const place = addr < LOCAL ? `0x${hex(addr, 1)}` : `local ${HARTS[hart]} 0x${hex(addr)}`;
  if (isAskable(place)) {
    const origin = make('button', 'where it came from', holder);
    origin.type = 'button';
    origin.id = 'word-origin';
    origin.addEventListener('click', () => askOrigin(place));
  }
  for (const line of lines) make('p', line, holder);
  const list = make('ol', undefined, holder);
  for (const change of changes) {
    const item = make('li', undefined, list);
    const go = make('button', `cycle ${change.cycle}`, item);
    go.type = 'button';
    go.title = 'go there';
    go.addEventListener('click', () => send({ do: 'goto', cycle: change.cycle }));
    go.disabled = Boolean(state.frame.running);
    make('code', ` ${hex(change.value)} `, item);
    make('span', change.by, item);
  }
}
