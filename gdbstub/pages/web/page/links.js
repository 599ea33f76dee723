// SPDX-License-Identifier: Apache-2.0
// Texts of the console and of panels: each line wraps below itself, and a place of the source
// (`hang.c:26`) is a button that shows the line. `paths` has a file for each place, in their order, '' where
// its source is not known (gdbstub/pages/web/place_links.py finds the same places).

import { send } from './state.js';

const PLACE = /[\w./+-]{1,200}\.[A-Za-z]\w*:\d{1,7}(?!\w)/g;
const element = (id) => document.getElementById(id);

// A place in a text as a button.
function linkOf(text, file) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'place';
  button.textContent = text;
  button.title = `show line ${text.split(':').pop()} of ${file}`;
  button.addEventListener('click', () => showLine(file, Number(text.split(':').pop())));
  return button;
}

// Show a line of a source file in the panel beside the plan.
export function showLine(file, line) {
  const side = element('side');
  if (!side) return;
  if (side.hidden) {
    element('details-title').textContent = 'A line of the source';
    element('details-text').textContent = '';
    side.hidden = false;
  }
  send({ file, line });
}

// The lines of a text, each as an element; their newlines are in them.
export function rowsOfText(text, paths = []) {
  const left = [...paths];
  return text.split(/(?<=\n)/).map((line) => {
    const row = document.createElement('span');
    row.className = 'row';
    let end = 0;
    for (const found of line.matchAll(PLACE)) {
      const file = left.shift();
      if (!file) continue;
      row.append(line.slice(end, found.index), linkOf(found[0], file));
      end = found.index + found[0].length;
    }
    row.append(line.slice(end));
    return row;
  });
}
