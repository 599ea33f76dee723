// SPDX-License-Identifier: Apache-2.0
// The last changes of a semaphore, below what is in its box: when, to what, by which thread and line.
// They are those of the timeline.

import { state, on, send } from './state.js';

const CYCLES = 1 << 15; // of the history, its last ones
const MOST = 20; // changes
const GATES = 2; // as the Trace Event file numbers its processes
let known = { key: '', lines: [], changes: [] };

function make(parent, name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

// The changes of one in a Trace Event file, the last ones first.
function changesOf({ traceEvents: events }, number) {
  const names = events.filter(({ ph, pid, name }) => ph === 'M' && pid === GATES && name === 'thread_name');
  const threads = new Map(names.map(({ tid, args }) => [tid, args.name]));
  const own = new RegExp(`^SEM(INIT|POST|GET)\\b.*\\bS${number}\\b`);
  const by = events.filter(({ ph, pid, cat, args }) => ph === 'X' && pid === GATES && cat === 'passes' && own.test(args.what));
  const said = ({ tid, args }) => `${threads.get(tid)}: ${args.what}`;
  const counts = events.filter(({ ph, name }) => ph === 'C' && name === `semaphore ${number}`);
  const found = counts.slice(1).map(({ ts, args }) => {
    const one = by.find((slice) => slice.ts <= ts && ts <= slice.ts + slice.dur);
    return { ts, text: `${args.value}, ${one ? said(one) : 'by a hart, the NoC or the host'}` };
  });
  const inits = by.filter(({ name, ts, dur }) => name === 'SEMINIT' && !found.some((one) => one.ts >= ts && one.ts <= ts + dur));
  for (const one of inits) found.push({ ts: one.ts, text: `the same value, ${said(one)}` });
  return found.sort((a, b) => b.ts - a.ts).slice(0, MOST);
}

function show() {
  const holder = document.getElementById('details-text');
  document.getElementById('changes')?.remove();
  const section = make(holder, 'section');
  section.id = 'changes';
  make(section, 'h3', 'its last changes, the newest first');
  for (const line of known.lines) make(section, 'p', line).className = 'hint';
  const list = make(section, 'ol');
  list.reversed = true;
  for (const { ts, text } of known.changes) {
    const item = make(list, 'li');
    const go = make(item, 'button', `cycle ${ts}`);
    go.type = 'button';
    go.title = 'go there';
    go.addEventListener('click', () => send({ do: 'goto', cycle: ts }));
    make(item, 'span', ` ${text}`);
  }
}

async function look(number) {
  const { history, running } = state.frame;
  const key = `${number} ${history} ${Boolean(running)}`;
  if (key === known.key) {
    show();
    return;
  }
  known = { key, lines: [], changes: [] };
  const mine = known;
  if (!history || running) {
    mine.lines = [running ? 'the tile runs: stop it to see them' : 'switch the history on to see them'];
    show();
    return;
  }
  mine.lines = ['going through the history ...'];
  show();
  const first = Math.max(history[0], history[1] - CYCLES);
  const answer = await fetch(`timeline.json?first=${first}&last=${history[1]}&places=1`);
  if (!answer.ok) mine.lines = [(await answer.text()).trim()];
  else {
    mine.changes = changesOf(await answer.json(), number);
    mine.lines = mine.changes.length ? [] : [`none in the cycles ${first} to ${history[1]}`];
  }
  if (mine === known && state.box === `semaphore-${number}`) show();
}

on('details', ({ id }) => {
  if (id.startsWith('semaphore-')) look(Number(id.split('-')[1]));
});
