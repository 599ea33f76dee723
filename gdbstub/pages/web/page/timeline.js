// SPDX-License-Identifier: Apache-2.0
// The timeline: harts, gates, units and queues over cycles, drawn from the file that Perfetto takes, and
// reports of races as arrows.

import { at, described, draw as drawOn, gestures, middleOf, moved, zoomed } from './canvas.js';
import { state, on, send, tell } from './state.js';

const AHEAD = 1000; // cycles before the current one that are shown at first
const PAUSE = 150; // milliseconds after a gesture
const ROOM = 0.3; // of the distance of two accesses, to each side of them
const element = (id) => document.getElementById(id);
const canvas = element('timeline-canvas');
const panel = element('timeline');
let view = { first: 0, last: AHEAD };
let rows = [];
let races = [];
let shown = '';
let waiting = 0;
let wasDragged = false;

function rowsOf({ traceEvents: events, places }) {
  const names = new Map();
  const found = new Map();
  for (const event of events) {
    const isCount = event.ph === 'C';
    const key = isCount ? `${event.pid}-${event.name}` : `${event.pid}-${event.tid}`;
    if (event.ph === 'M' && event.name === 'thread_name') names.set(key, event.args.name);
    if (event.ph !== 'X' && !isCount) continue;
    if (!found.has(key)) found.set(key, { pid: event.pid, tid: event.tid, key, name: isCount ? event.name : names.get(key) });
    const row = found.get(key);
    if (isCount) (row.values ||= []).push({ ts: event.ts, value: event.args.value });
    else (row.slices ||= []).push(event);
  }
  for (const row of found.values()) row.places = places?.rows[row.key]?.map(([ts, text]) => ({ ts, text: places.texts[text] }));
  return [...found.values()]
    .filter(({ values }) => !values || values.some(({ value }) => value))
    .sort((a, b) => a.pid - b.pid || a.tid - b.tid);
}

const draw = () => drawOn(canvas, rows, view, state.frame.cycle, races);
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
  const wanted = `timeline.json?first=${view.first}&last=${view.last}`;
  element('timeline-file').href = wanted;
  if (wanted === shown) {
    draw();
    return;
  }
  shown = wanted;
  const answer = await fetch(`${wanted}&places=1`);
  if (wanted !== shown) return;
  if (!answer.ok) {
    element('timeline-text').textContent = await answer.text();
    return;
  }
  const found = await answer.json();
  rows = rowsOf(found);
  tell('waits', found.waits || {});
  element('timeline-text').textContent = `cycles ${view.first} to ${view.last}`;
  canvas.setAttribute('aria-label', `timeline of cycles ${view.first} to ${view.last}, ${rows.length} rows`);
  draw();
}

async function loadRaces() {
  const found = await (await fetch('races.json')).json();
  races = found.races;
  element('race-list').replaceChildren(...races.map(raceOf));
  if (rows.length) draw();
}

function raceOf(race) {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'race';
  button.textContent = `race ${race.number}: ${race.earlier.what} \u2192 ${race.later.what}`;
  button.title = race.text;
  button.addEventListener('click', () => {
    // Again, by Enter too: the other side.
    race.side = race.chosen && race.side === 'later' ? 'earlier' : 'later';
    for (const one of races) one.chosen = one === race;
    const [first, last] = [race.earlier.cycle, race.later.cycle].sort((a, b) => a - b);
    const room = Math.max((last - first) * ROOM, 10);
    show({ first: Math.max(first - room, 0), last: last + room });
    const end = race[race.side];
    if (end.file) send({ file: end.file, line: end.line });
    tell('text', `${race.side} side: ${end.what}\n\n${race.text}\n`);
  });
  item.append(button);
  return item;
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
gestures(canvas, () => view, (wanted) => {
  wasDragged = true;
  view = wanted;
  if (rows.length) draw();
  clearTimeout(waiting);
  waiting = setTimeout(load, PAUSE);
});
canvas.addEventListener('pointerdown', () => { wasDragged = false; });
canvas.addEventListener('mousemove', (event) => {
  const found = under(event);
  if (found.row) element('timeline-text').textContent = described(found, rows);
});
canvas.addEventListener('click', (event) => {
  const { cycle } = under(event);
  if (!wasDragged && state.frame && state.frame.history && !state.frame.running) send({ do: 'goto', cycle });
});
panel.addEventListener('toggle', () => {
  follow();
  if (panel.open) loadRaces();
});
window.addEventListener('resize', () => { if (panel.open && rows.length) draw(); });
on('frame', (change) => {
  if (change.cycle !== undefined || change.running !== undefined) follow();
  if (change.races && panel.open) loadRaces();
});
