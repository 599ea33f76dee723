// SPDX-License-Identifier: Apache-2.0
// Source lines around the place of a box: breakpoints, where to run to, and what the Tensix instructions of a
// line wait for in the cycles that the timeline shows.

import { state, on, send } from './state.js';

const element = (id) => document.getElementById(id);
let waits = {}; // sentences, by the name of a file and the line

function showSource(source) {
  const moved = !state.source || state.source.file !== source.file || state.source.line !== source.line;
  state.source = source;
  element('source').hidden = false;
  const name = source.file.split('/').pop();
  element('source-title').textContent = `${name}:${source.line}`;
  element('source-title').title = source.file;
  const holder = element('source-text');
  if (!source.text.length) {
    holder.textContent = `${source.file} is not found here`;
    return;
  }
  holder.replaceChildren(...source.text.flatMap((html, i) => {
    const number = source.first + i;
    return [lineOf(source, number, html), ...(waits[name]?.[number] ?? []).map(waitOf)];
  }));
  mark();
  if (moved) centre();
}

function lineOf(source, number, html) {
  const line = document.createElement('div');
  line.className = number === source.line ? 'line here' : 'line';
  line.dataset.line = number;
  const code = document.createElement('code');
  code.innerHTML = html || ' ';
  if (!source.code[number]) {
    const text = document.createElement('span');
    text.className = 'number';
    text.textContent = number;
    line.append(text, document.createElement('span'), code);
    return line;
  }
  const what = { file: source.file, line: number };
  const set = buttonOf('code', number, `breakpoint at line ${number}`);
  set.title = 'breakpoint; with Shift: run to this line';
  set.addEventListener('click', (event) => {
    if (event.shiftKey) send({ do: 'until', ...what });
    else send({ do: 'break', ...what, on: !isSet(source, number) });
  });
  const run = buttonOf('run', '\u25b8', `run to line ${number}`);
  run.title = 'run to this line';
  run.addEventListener('click', () => send({ do: 'until', ...what }));
  line.append(set, run, code);
  return line;
}

function waitOf(text) {
  const line = document.createElement('div');
  line.className = 'line waits';
  line.textContent = text;
  return line;
}

function buttonOf(kind, text, label) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = kind;
  button.textContent = text;
  button.setAttribute('aria-label', label);
  return button;
}

function isSet(source, number) {
  const addresses = source.code[number] || [];
  return addresses.some((addr) => state.frame.breaks.includes(addr));
}

function mark() {
  if (!state.source || !state.frame) return;
  for (const button of element('source-text').querySelectorAll('button.code')) {
    const set = isSet(state.source, Number(button.parentElement.dataset.line));
    button.classList.toggle('set', set);
    button.setAttribute('aria-pressed', set);
  }
}

// The line stays in view, also in a window of another height.
function centre() {
  const holder = element('source-text');
  const here = holder.querySelector('.here');
  if (here) holder.scrollTop = here.offsetTop - holder.offsetTop - holder.clientHeight / 2;
}

window.addEventListener('resize', centre);
on('details', (details) => { if (details.source) showSource(details.source); });
on('source', showSource);
on('waits', (found) => {
  waits = found;
  if (state.source) showSource(state.source);
});
on('frame', (change) => { if (change.breaks !== undefined) mark(); });
