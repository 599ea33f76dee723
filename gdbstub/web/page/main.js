// SPDX-License-Identifier: Apache-2.0
// The page: buttons, keys, the slider of the history, themes.

import { state, on, send, connect } from './state.js';
import { draw } from './floor.js';
import './panels.js';
import './timeline.js';

const THREADS = ['B', 'T0', 'T1', 'T2', 'NC', 'T0 unpack', 'T1 math', 'T2 pack'];
const element = (id) => document.getElementById(id);
const thread = () => Number(element('thread').value);

const actions = {
  continue: () => send({ do: 'continue' }),
  stop: () => send({ do: 'stop' }),
  step: () => send({ do: 'step', thread: thread() }),
  stepi: () => send({ do: 'stepi', thread: thread() }),
  back: () => send({ do: 'back' }),
  'stepi-back': () => send({ do: 'stepi back', thread: thread() }),
  record: () => send({ do: 'record', on: !(state.frame && state.frame.history) }),
};
const keys = { c: 'continue', ' ': 'stop', s: 'step', i: 'stepi', b: 'back', u: 'stepi-back' };

for (const [id, action] of Object.entries(actions)) element(id).addEventListener('click', action);
THREADS.forEach((name, i) => element('thread').append(new Option(name, i + 1)));
element('thread').value = 2;

document.addEventListener('keydown', (event) => {
  const typing = event.target.matches('input, select, button') || event.ctrlKey || event.metaKey || event.altKey;
  const id = keys[event.key];
  if (typing || !id || element(id).disabled) return;
  event.preventDefault();
  actions[id]();
});

const slider = element('slider');
slider.addEventListener('change', () => send({ do: 'goto', cycle: Number(slider.value) }));
slider.addEventListener('input', () => { element('span').textContent = `cycle ${slider.value}`; });

on('frame', () => {
  const { cycle, running, ending, clients, history, execution } = state.frame;
  const doing = running ? `runs for ${running}` : ending;
  element('where').textContent = `cycle ${cycle}, ${execution}: ${doing}`;
  element('clients').textContent = clients.length ? `clients: ${clients.join(', ')}` : '';
  element('stop').disabled = !running;
  for (const id of ['continue', 'step', 'stepi']) element(id).disabled = Boolean(running);
  for (const id of ['back', 'stepi-back']) element(id).disabled = Boolean(running) || !history;
  element('record').setAttribute('aria-pressed', Boolean(history));
  element('record').disabled = Boolean(running);
  slider.hidden = !history;
  if (history && document.activeElement !== slider) {
    [slider.min, slider.max] = history;
    slider.value = cycle;
  }
  slider.disabled = Boolean(running);
  element('span').textContent = history ? `history: ${history[0]} to ${history[1]}` : '';
});
on('gone', () => { element('where').textContent = 'the server is gone; trying again'; });

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  element('theme').textContent = theme === 'dark' ? 'light' : 'dark';
  window.dispatchEvent(new Event('resize')); // what is drawn on a canvas has the old colours
}
setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
element('theme').addEventListener('click', () => {
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
});

draw(await (await fetch('/plan.json')).json());
connect();
