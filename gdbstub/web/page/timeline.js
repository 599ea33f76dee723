// SPDX-License-Identifier: Apache-2.0
// The timeline: rows of harts, gates and units over cycles, drawn from the file that Perfetto takes.

import { at, described, draw as drawOn, middleOf, moved, zoomed } from './canvas.js';
import { state, on, send } from './state.js';

const AHEAD = 1000; // cycles before the current one that are shown at first
const element = (id) => document.getElementById(id);
const canvas = element('timeline-canvas');
const panel = element('timeline');
let view = { first: 0, last: AHEAD };
let rows = [];
let shown = '';

function rowsOf(events) {
  const names = new Map();
  const found = new Map();
  for (const event of events) {
    const key = `${event.pid}-${event.tid}`;
    if (event.ph === 'M' && event.name === 'thread_name') names.set(key, event.args.name);
    if (event.ph !== 'X') continue;
    if (!found.has(key)) found.set(key, { pid: event.pid, tid: event.tid, key, slices: [] });
    found.get(key).slices.push(event);
  }
  return [...found.values()]
    .sort((a, b) => a.pid - b.pid || a.tid - b.tid)
    .map((row) => ({ ...row, name: names.get(row.key) || row.key }));
}

const draw = () => drawOn(canvas, rows, view, state.frame.cycle);
const under = (event) => at(canvas, rows, view, event);

async function load() {
  if (!panel.open || !state.frame || state.frame.running) return;
  const { history } = state.frame;
  if (!history) {
    element('timeline-text').textContent = 'Switch the history on: the timeline is of what is recorded.';
    return;
  }
  if (view.first >= history[1]) {
    const length = view.last - view.first; // nothing is there yet
    view = { first: history[1] - length, last: history[1] };
  }
  view.first = Math.max(Math.floor(view.first), history[0]);
  view.last = Math.max(Math.ceil(view.last), view.first + 10);
  const wanted = `/timeline.json?first=${view.first}&last=${view.last}`;
  element('timeline-file').href = wanted;
  if (wanted === shown) {
    draw();
    return;
  }
  shown = wanted;
  const answer = await fetch(wanted);
  if (wanted !== shown) return;
  if (!answer.ok) {
    element('timeline-text').textContent = await answer.text();
    return;
  }
  rows = rowsOf((await answer.json()).traceEvents);
  element('timeline-text').textContent = `cycles ${view.first} to ${view.last}`;
  canvas.setAttribute('aria-label', `timeline of cycles ${view.first} to ${view.last}, ${rows.length} rows`);
  draw();
}

function follow() {
  if (!state.frame) return;
  const { cycle } = state.frame;
  if (cycle < view.first || cycle > view.last) {
    const length = view.last - view.first;
    view = { first: Math.max(cycle - length, 0), last: Math.max(cycle, length) };
  }
  load();
}

function show(wanted) {
  view = wanted;
  load();
}

element('zoom-in').addEventListener('click', () => show(zoomed(view, 0.5, middleOf(view))));
element('zoom-out').addEventListener('click', () => show(zoomed(view, 2, middleOf(view))));
element('earlier').addEventListener('click', () => show(moved(view, -0.5)));
element('later').addEventListener('click', () => show(moved(view, 0.5)));
element('whole').addEventListener('click', () => {
  const { history } = state.frame;
  if (history) view = { first: history[0], last: Math.max(history[1], history[0] + 10) };
  load();
});
canvas.addEventListener('wheel', (event) => {
  if (!event.ctrlKey && !event.shiftKey) return;
  event.preventDefault();
  show(zoomed(view, event.deltaY > 0 ? 1.5 : 1 / 1.5, under(event).cycle));
}, { passive: false });
canvas.addEventListener('mousemove', (event) => {
  const found = under(event);
  if (found.row) element('timeline-text').textContent = described(found);
});
canvas.addEventListener('click', (event) => {
  const { cycle } = under(event);
  if (state.frame && state.frame.history && !state.frame.running) send({ do: 'goto', cycle });
});
panel.addEventListener('toggle', follow);
window.addEventListener('resize', () => { if (panel.open && rows.length) draw(); });
on('frame', (change) => {
  if (change.cycle !== undefined || change.running !== undefined) follow();
});
