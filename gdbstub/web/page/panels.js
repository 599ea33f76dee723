// SPDX-License-Identifier: Apache-2.0
// The panels beside the plan: what is in a box, its source with breakpoints, the console.

import { state, on, send } from './state.js';

const MAX_TEXT = 200000; // characters of the console that are kept
const element = (id) => document.getElementById(id);

function showDetails(details) {
  const box = state.plan.boxes.find(({ id }) => id === details.id);
  element('details-title').textContent = box ? box.title : details.id.replace('-', ' tile ');
  element('details-text').replaceChildren(...details.sections.map(([, text]) => {
    const pre = document.createElement('pre');
    pre.textContent = text;
    pre.tabIndex = 0;
    return pre;
  }));
  if (details.thread) element('thread').value = details.thread;
  if (details.source) showSource(details.source);
}

function showSource(source) {
  const moved = !state.source || state.source.file !== source.file || state.source.line !== source.line;
  state.source = source;
  element('source-title').textContent = `${source.file}:${source.line}`;
  const holder = element('source-text');
  if (!source.text.length) {
    holder.textContent = 'this file is not found here';
    return;
  }
  holder.replaceChildren(...source.text.map((html, i) => lineOf(source, source.first + i, html)));
  mark();
  if (moved) {
    const here = holder.querySelector('.here');
    if (here) holder.scrollTop = here.offsetTop - holder.offsetTop - holder.clientHeight / 2;
  }
}

function lineOf(source, number, html) {
  const line = document.createElement('div');
  line.className = number === source.line ? 'line here' : 'line';
  line.dataset.line = number;
  const mark = document.createElement('button');
  mark.type = 'button';
  mark.textContent = number;
  if (source.code[number]) {
    mark.className = 'code';
    mark.title = 'breakpoint; with Shift: run to this line';
    mark.setAttribute('aria-label', `breakpoint at line ${number}`);
    mark.addEventListener('click', (event) => {
      const what = { file: source.file, line: number };
      if (event.shiftKey) send({ do: 'until', ...what });
      else send({ do: 'break', ...what, on: !isSet(source, number) });
    });
  } else {
    mark.disabled = true;
  }
  const code = document.createElement('code');
  code.innerHTML = html || ' ';
  line.append(mark, code);
  return line;
}

function isSet(source, number) {
  const addresses = source.code[number] || [];
  return addresses.some((addr) => state.frame.breaks.includes(addr));
}

function mark() {
  if (!state.source || !state.frame) return;
  for (const line of element('source-text').querySelectorAll('.line')) {
    const set = isSet(state.source, Number(line.dataset.line));
    line.firstChild.classList.toggle('set', set);
    if (!line.firstChild.disabled) line.firstChild.setAttribute('aria-pressed', set);
  }
}

function say(text) {
  const log = element('text');
  log.textContent = (log.textContent + text).slice(-MAX_TEXT);
  log.scrollTop = log.scrollHeight;
}

on('details', showDetails);
on('source', showSource);
on('text', say);
on('error', (text) => say(`${text}\n`));
on('frame', (change) => {
  if (change.gates !== undefined) element('gates').textContent = change.gates || 'none';
  if (change.breaks !== undefined) mark();
});
element('monitor-form').addEventListener('submit', (event) => {
  event.preventDefault();
  send({ do: 'monitor', text: element('monitor-text').value });
  element('monitor-text').value = '';
});
element('gate-form').addEventListener('submit', (event) => {
  event.preventDefault();
  send({ do: 'monitor', text: `break gate ${element('gate-text').value}` });
  element('gate-text').value = '';
});
