// SPDX-License-Identifier: Apache-2.0
// The page: buttons, keys, the slider of the history, colours.

import { state, on, send, connect } from './state.js';
import { draw } from './floor.js';
import { drawMaps } from './maps.js';
import './panels.js';
import './source.js';
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

function showState(word, kind) {
  element('state').textContent = word;
  element('state').className = `pill ${kind}`;
}

on('frame', () => {
  const { cycle, running, ending, clients, history, execution } = state.frame;
  showState(running ? 'runs' : 'stands', running ? 'runs' : 'stands');
  element('cycle').textContent = `cycle ${cycle}, ${execution}`;
  element('where').textContent = running ? `driven by ${running}` : ending;
  element('where').title = ending;
  const others = clients.map((name) => (name === running ? `${name} (drives)` : name));
  element('clients').textContent = others.length ? `clients: ${others.join(', ')}` : '';
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
on('gone', () => {
  showState('gone', 'gone');
  element('where').textContent = 'the server is gone; trying again';
});

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  element('theme').textContent = theme === 'dark' ? 'light' : 'dark';
  window.dispatchEvent(new Event('resize')); // what is drawn on a canvas has the old colours
}
setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
element('theme').addEventListener('click', () => {
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
});

// The colours of letters are those of drawings, which the server knows.
function addColours(colours) {
  const sheet = new CSSStyleSheet();
  const rules = Object.entries(colours).flatMap(([theme, classes]) => Object.entries(classes)
    .map(([name, colour]) => `:root[data-theme="${theme}"] .${name} { fill: ${colour}; background: ${colour}; }`)
    .filter((rule) => /\.(v|m)-|\.empty/.test(rule)));
  sheet.replaceSync(rules.join('\n'));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function addLegend(lines) {
  for (const line of lines) {
    const row = document.createElement('p');
    for (const [kind, text] of line) {
      const sample = document.createElement('span');
      sample.className = `sample ${kind}`;
      row.append(sample, `${text} `);
    }
    element('legend').append(row);
  }
}

const plan = await (await fetch('plan.json')).json();
addColours(plan.colours);
addLegend(plan.legend);
if (plan.tile) {
  element('name').textContent = `Tensix tile ${plan.tile}`;
  document.title = `Tensix tile ${plan.tile}`;
  element('chip').hidden = false;
}
drawMaps(draw(plan));
connect();
