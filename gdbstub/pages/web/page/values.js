// SPDX-License-Identifier: Apache-2.0
// Values of a box by name: registers, GPRs, configuration. Each is a way to its origin.

import { askOrigin, hintOf, isAskable } from './origin.js';

const WIDE = 3; // values in a row, where names are short

export function showValues(holder, values) {
  if (!values) return;
  const table = document.createElement('table');
  table.className = 'words';
  const caption = document.createElement('caption');
  const places = values.values.map(([, , place]) => place);
  caption.textContent = [values.title, hintOf(places, 'select one: its origin')].filter(Boolean).join('; ');
  table.append(caption);
  const wide = values.values.every(([name]) => name.length < 5) ? WIDE : 1;
  for (let i = 0; i < values.values.length; i += wide) {
    const row = document.createElement('tr');
    for (const one of values.values.slice(i, i + wide)) row.append(...cellsOf(one));
    table.append(row);
  }
  holder.append(table);
}

function cellsOf([name, text, place]) {
  const heading = document.createElement('th');
  heading.scope = 'row';
  heading.textContent = name;
  const cell = document.createElement('td');
  if (!isAskable(place)) {
    cell.className = 'value';
    cell.textContent = text;
    return [heading, cell];
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = /[1-9a-f]/.test(text.replace('0x', '')) ? 'word' : 'word zero';
  button.textContent = text;
  button.dataset.place = place;
  button.setAttribute('aria-label', `origin of ${name}, ${text}`);
  button.addEventListener('click', () => askOrigin(place));
  cell.append(button);
  return [heading, cell];
}
