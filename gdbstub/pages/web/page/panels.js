// SPDX-License-Identifier: Apache-2.0
// The panel beside the plan: what is in a box. source.js has its lines, memory.js its words.

import { state, on, look, send } from './state.js';
import { element } from './control.js';
import { rowsOfText } from './links.js';
import { matrixOf } from './matrix.js';
import { showWords } from './memory.js';
import { showValues } from './values.js';

const SENTENCES = ['why', 'order']; // sections of sentences: the others are tables
const HARTS = ['B', 'T0', 'T1', 'T2', 'NC'];

function textOf([title, text], paths, datums) {
  const holder = document.createElement('section');
  const heading = document.createElement('h3');
  heading.textContent = title;
  const pre = document.createElement('pre');
  pre.append(...rowsOfText(text, paths));
  pre.tabIndex = 0;
  if (SENTENCES.includes(title)) pre.className = 'sentences';
  const matrix = matrixOf(title, text, datums);
  if (matrix) pre.className = 'numbers'; // columns that mean something: these scroll
  holder.append(heading, ...(matrix ? [matrix] : []), pre);
  return holder;
}

function titleOf(id) {
  const box = state.plan.boxes.find((one) => one.id === id);
  const [kind, number] = id.split('-');
  if (box) return box.title;
  if (kind === 'l1') return 'L1';
  return kind === 'local' ? `local RAM of ${HARTS[number]}` : `${{ dst: 'Dst tile', lreg: 'LReg' }[kind]} ${number}`;
}

function showDetails(details) {
  const other = element('details').dataset.box !== details.id;
  element('details').dataset.box = details.id;
  element('details-title').textContent = titleOf(details.id);
  const kept = [...element('details-text').querySelectorAll('pre')].map((pre) => [pre.scrollLeft, pre.scrollTop]);
  element('details-text').replaceChildren(...details.sections.map((one, i) => textOf(one, (details.paths || [])[i], details.datums)));
  if (!other) {
    element('details-text').querySelectorAll('pre').forEach((pre, i) => { if (kept[i]) [pre.scrollLeft, pre.scrollTop] = kept[i]; });
  }
  showValues(element('details-text'), details.values);
  showWords(element('details-text'), details.words, other);
  element('side').hidden = false;
  if (details.thread) element('thread').value = details.thread;
  element('source').hidden = !details.source;
}

function close() {
  const box = state.box;
  element('side').hidden = true;
  element('details').dataset.box = '';
  look('');
  document.getElementById(box)?.focus();
}

function gateOf(line) {
  const item = document.createElement('li');
  const text = document.createElement('code');
  text.textContent = line.trim();
  item.append(text);
  const number = line.trim().match(/^\d+/);
  if (number) {
    const remove = document.createElement('button');
    remove.type = 'button';
    remove.textContent = 'delete';
    remove.setAttribute('aria-label', `delete ${number[0]}`);
    remove.addEventListener('click', () => send({ do: 'monitor', text: `delete ${number[0]}` }));
    item.append(remove);
  }
  return item;
}

// The panel opens at once: what is in the box may take a while, where debug information is read first.
function open(id) {
  if (!id || element('details').dataset.box === id) return;
  element('details').dataset.box = '';
  element('details-title').textContent = titleOf(id);
  element('details-text').textContent = 'looking ...';
  element('source').hidden = true;
  element('side').hidden = false;
}

on('box', open);
on('details', showDetails);
on('frame', (change) => {
  if (change.gates === undefined) return;
  const lines = change.gates.split('\n').filter(Boolean);
  element('gates').replaceChildren(...(lines.length ? lines : ['none']).map(gateOf));
});
element('close').addEventListener('click', close);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !element('side').hidden) close();
});
element('gate-form').addEventListener('submit', (event) => {
  event.preventDefault();
  send({ do: 'monitor', text: `break gate ${element('gate-text').value}` });
  element('gate-text').value = '';
});
