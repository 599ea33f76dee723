// SPDX-License-Identifier: Apache-2.0
// The history as a film, from a cycle a second up, and marks over it: stops, races, a fault at its end.

import { element } from './control.js';
import { state, on, send } from './state.js';

const TICK = 100; // milliseconds between two pictures
const LATE = 2000; // after which a picture is not waited for any longer
const LEAD = 200; // cycles before the end from which it plays when it is there
const MOST_MARKS = 200;
const SPEEDS = [1, 5, 20, 100, 1000]; // cycles a second
const USUAL = 5;
const FAULT = /fault|nothing can move|only polls|kernels do is to wait/;
let timer = 0;
let position = 0;
let asked = 0; // when the last picture was asked for; 0 when it is there
let stops = [];
let races = [];

// The pages of a tile and of a chip have an empty place for it.
function makeButtons() {
  const button = document.createElement('button');
  Object.assign(button, { id: 'play', type: 'button', textContent: 'play', title: 'the last cycles as a film (p)' });
  button.setAttribute('aria-pressed', false);
  const select = document.createElement('select');
  select.id = 'speed';
  select.setAttribute('aria-label', 'cycles a second');
  for (const one of SPEEDS) select.append(new Option(`${one.toLocaleString('en')} cycle${one > 1 ? 's' : ''}/s`, one));
  select.value = USUAL;
  element('film').append(button, select);
}

const speed = () => Number(element('speed').value);
const shown = (playing) => {
  element('play').textContent = playing ? 'pause' : 'play';
  element('play').setAttribute('aria-pressed', playing);
};

function pause() {
  clearInterval(timer);
  timer = 0;
  shown(false);
}

function play() {
  if (timer) { pause(); return; }
  const { history, cycle, running } = state.frame || {};
  if (!history || running) return;
  position = cycle < history[1] ? cycle : Math.max(history[0], history[1] - LEAD);
  asked = 0;
  shown(true);
  step(0);
  timer = setInterval(() => step(speed() * TICK / 1000), TICK);
}

function step(cycles) {
  const { history, running } = state.frame || {};
  if (!history || running) { pause(); return; }
  const before = Math.floor(position);
  if (asked && performance.now() - asked < LATE) return;
  position = Math.min(position + cycles, history[1]);
  if (Math.floor(position) === before && cycles) return; // slower than a picture
  asked = performance.now();
  send({ do: 'goto', cycle: Math.floor(position), quiet: true });
  if (position >= history[1]) pause();
}

function mark(kind, cycle, title) {
  const { history } = state.frame;
  const one = document.createElement('i');
  one.className = `mark-${kind}`;
  one.style.left = `${100 * (cycle - history[0]) / Math.max(history[1] - history[0], 1)}%`;
  one.title = title;
  one.addEventListener('click', () => send({ do: 'goto', cycle, quiet: true }));
  return one;
}

function draw() {
  const { history, ending, running } = state.frame;
  element('film').hidden = !history;
  element('marks').hidden = !history;
  if (!history || running) return;
  const within = (cycle) => cycle >= history[0] && cycle <= history[1];
  const reason = (ending || '').split('\n')[0];
  const marks = [
    ...stops.filter(within).map((cycle) => mark('stop', cycle, `a stop in cycle ${cycle}`)),
    ...races.filter(({ later }) => within(later.cycle)).map((race) => mark('race', race.later.cycle,
      `race ${race.number} in cycle ${race.later.cycle}: ${race.later.what}`)),
    ...(FAULT.test(reason) ? [mark('fault', history[1], reason)] : []),
  ];
  element('marks').replaceChildren(...marks.slice(-MOST_MARKS));
}

async function loadRaces() {
  const answer = await fetch('races.json');
  if (answer.ok) ({ races } = await answer.json());
  if (state.frame) draw();
}

makeButtons();
element('play').addEventListener('click', play);
document.addEventListener('keydown', (event) => {
  if (event.key !== 'p' || event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  play();
});
// Who does anything else has seen enough.
document.querySelector('nav').addEventListener('click', (event) => {
  if (!event.target.closest('#film')) pause();
});
on('frame', (change) => {
  asked = 0;
  const { cycle, running, history } = state.frame;
  const isNew = !running && history && cycle === history[1] && cycle > Math.max(history[0], ...stops);
  if (isNew) stops = [...stops, cycle].slice(-MOST_MARKS);
  element('play').disabled = Boolean(running);
  if (isNew || change.history !== undefined || change.running !== undefined || change.ending !== undefined) draw();
  if (change.races) loadRaces();
});
on('gone', pause);
