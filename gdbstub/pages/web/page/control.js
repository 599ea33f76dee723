// SPDX-License-Identifier: Apache-2.0
// What the pages of a tile and of a chip have alike: what the tile does, buttons, keys, the slider of the
// history, the console, light and dark.

import { rowsOfText } from './links.js';
import { state, on, send } from './state.js';

const MAX_TEXT = 200000; // characters of the console that are kept
export const element = (id) => document.getElementById(id);

// Write what is new alone: a browser takes each writing for a change, and a reader of the screen may say it.
export function put(target, key, value) {
  if (target[key] === value) return;
  // A text in its place is a change of it alone; another node is one of the page.
  if (key === 'textContent' && target.firstChild?.data && target.childNodes.length === 1) target.firstChild.data = value;
  else target[key] = value;
}

// Actions by the ids of their buttons; the keys of some.
export function control(actions, keys) {
  for (const [id, action] of Object.entries(actions)) element(id).addEventListener('click', action);
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
  element('monitor-form').addEventListener('submit', (event) => {
    event.preventDefault();
    send({ do: 'monitor', text: element('monitor-text').value });
    element('monitor-text').value = '';
  });
}

function showState(word) {
  put(element('state'), 'textContent', word);
  put(element('state'), 'className', `pill ${word.replaceAll(' ', '-')}`);
}

const BY_CLIENT = /stopped by a client|breakpoint|watchpoint|has stopped here/; // a chip that waits then is no hang
const WRONG = /^A result is wrong/;
const ENDS = [['wrong result', WRONG], ['hang', /nothing can move|only polls|kernels do is to wait/], ['fault', /\bfault/], ['ended', /has ended|ended with/]];

// A word for where it stands. Of a chip its tiles say what it is.
function kindOf({ ending, stuck, cells }) {
  const [first] = ending.split('\n');
  if (stuck && !BY_CLIENT.test(first)) return Object.values(cells).some(({ tone }) => tone === 'fault') ? 'fault' : 'hang';
  return (ENDS.find(([, known]) => known.test(first)) || ['stopped'])[0];
}

// The first sentence of a stop, and of a standstill what holds each thread: the rest is in the tip.
function shortly({ ending, held, stuck }) {
  const [first, ...more] = ending.split('\n');
  if (stuck) return BY_CLIENT.test(first) ? `${first}; ${stuck}` : stuck;
  if (WRONG.test(first)) return first;
  const named = new Map((held || []).map(([from, , why]) => [nameOf(from), why]));
  if (!more.length || !named.size) return ending.replace(/:\n\s*/g, ': ').replace(/\n\s*/g, '; ');
  return [first.replace(/:$/, ''), ...[...named].map(([name, why]) => `${name}: ${why}`)].join('; ');
}

function nameOf(box) {
  const [kind, number] = box.split('-');
  return (kind === 'hart' ? ['B', 'T0', 'T1', 'T2', 'NC'] : ['T0 unpack', 'T1 math', 'T2 pack'])[number];
}

// All of it, beside the plan, until a box is chosen there.
function showReason(text, paths) {
  const reason = element('reason');
  if (!reason || reason.dataset.text === text) return;
  reason.dataset.text = text;
  reason.replaceChildren(...rowsOfText(text, paths));
}

on('frame', () => {
  const { cycle, running, ending, clients, history, execution } = state.frame;
  put(element('cycle'), 'textContent', [`cycle ${cycle}`, execution].filter(Boolean).join(', '));
  const past = history && cycle < history[1];
  const kind = past ? 'in the past' : kindOf(state.frame);
  showState(running ? 'runs' : kind);
  const where = past ? `in the past, ${history[1] - cycle} cycles before the end of the history` : shortly(state.frame);
  put(element('where'), 'textContent', running ? `driven by ${running}` : where);
  put(element('where'), 'title', ending);
  showReason(running ? '' : ending, state.frame.ending_paths);
  const named = clients.map((name) => (name === running ? `${name} (drives)` : name));
  put(element('clients'), 'textContent', named.length ? `clients: ${named.join(', ')}` : '');
  for (const button of document.querySelectorAll('nav button')) {
    const isBack = ['back', 'stepi-back'].includes(button.id);
    put(button, 'disabled', button.id === 'stop' ? !running : Boolean(running) || (isBack && !history));
  }
  put(element('record'), 'ariaPressed', String(Boolean(history)));
  const slider = element('slider');
  put(slider, 'hidden', !history);
  put(slider, 'disabled', Boolean(running));
  if (history && document.activeElement !== slider) {
    [slider.min, slider.max] = history;
    slider.value = cycle;
  }
  put(element('span'), 'textContent', history ? `history: ${history[0]} to ${history[1]}` : '');
});
on('gone', () => {
  showState('gone');
  element('where').textContent = 'the server is gone; trying again';
});

let unfinished = { text: '', paths: [] }; // the last line, while its end is to come

function say(text, paths = []) {
  const log = element('text');
  if (unfinished.text) log.lastElementChild.remove();
  const all = { text: unfinished.text + text, paths: [...unfinished.paths, ...paths] };
  log.append(...rowsOfText(all.text, all.paths));
  unfinished = all.text.endsWith('\n') ? { text: '', paths: [] } : { text: log.lastElementChild.textContent, paths: [] };
  let size = log.textContent.length;
  while (size > MAX_TEXT && log.childElementCount > 1) {
    size -= log.firstElementChild.textContent.length;
    log.firstElementChild.remove();
  }
  log.scrollTop = log.scrollHeight;
}
on('text', (text, message) => say(text, message?.paths));
on('error', (text) => say(`${text}\n`));

export function themes() {
  const root = document.documentElement.dataset;
  const set = (theme) => {
    root.theme = theme;
    element('theme').textContent = theme === 'dark' ? 'light' : 'dark';
    window.dispatchEvent(new Event('resize')); // what is drawn on a canvas has the old colours
  };
  const wanted = new URLSearchParams(location.search).get('theme'); // that of an editor around the page
  const isDark = wanted ? wanted === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  set(isDark ? 'dark' : 'light');
  element('theme').addEventListener('click', () => set(root.theme === 'dark' ? 'light' : 'dark'));
}
