// SPDX-License-Identifier: Apache-2.0
// Where a value came from: the writes as a tree that opens node by node, each with its line.

import { showLine } from './links.js';
import { state, send } from './state.js';

const element = (id) => document.getElementById(id);
let wanted = 0; // the number of the question that is shown

function make(name, text, parent, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  if (parent) parent.append(made);
  return made;
}

// True if a click on this place leads somewhere: a shared file has the origins of some, at its end.
export function isAskable(place) {
  const kept = state.plan.origins;
  const { cycle, history } = state.frame;
  return !kept || (kept.includes(place) && history && cycle === history[1]);
}

// The words before values of which some are a way to their origin.
export function hintOf(places, words) {
  return places.some(isAskable) ? words : '';
}

// Ask for the origin of a place, as `monitor origin` takes it.
export async function askOrigin(place) {
  wanted += 1;
  const mine = wanted;
  element('origins').open = true;
  element('origin-text').value = place;
  element('origin-tree').replaceChildren();
  element('origin-said').textContent = `going through the history for ${place} ...`;
  element('origins').scrollIntoView({ block: 'nearest' });
  const answer = await fetch(`origin.json?place=${encodeURIComponent(place)}`);
  if (mine !== wanted) return;
  if (!answer.ok) element('origin-said').textContent = (await answer.text()).trim();
  else show(await answer.json());
}

function show(found) {
  const end = found.whole ? '' : `; the search ended after ${found.cycles} cycles of the past, so not all of it is followed`;
  element('origin-said').textContent = `origin of ${found.asked}${end}`;
  const tree = element('origin-tree');
  tree.replaceChildren(...found.roots.map((number) => item(found.nodes, number, 1)));
  tree.querySelectorAll('[role=treeitem]').forEach((one) => { if (one.ariaLevel === '1') open(one, true); });
  const first = tree.querySelector('[role=treeitem]');
  if (first) first.tabIndex = 0;
  element('origins').scrollIntoView({ block: 'nearest' });
}

// Parts are made when their node is opened first: a tree may have a part in many places.
function item(nodes, number, level) {
  const node = nodes[number];
  const one = make('li');
  one.setAttribute('role', 'treeitem');
  one.ariaLevel = String(level);
  one.tabIndex = -1;
  const head = make('div', undefined, one, 'head');
  make('span', undefined, head, 'twisty').ariaHidden = 'true';
  make('code', node.title, head);
  one.setAttribute('aria-label', [node.title, ...node.lines.slice(0, 1)].join(', '));
  const about = make('div', undefined, one, 'about');
  const isRead = (line) => line.trim().startsWith('also read:');
  for (const line of node.lines.filter((each) => !isRead(each))) make('p', line.trim(), about, line.startsWith(' ') ? 'hint' : '');
  const read = node.lines.filter(isRead);
  if (read.length) {
    const folded = make('details', undefined, about, 'hint');
    make('summary', 'also read', folded);
    for (const line of read) make('p', line.trim().replace('also read: ', ''), folded);
  }
  const ways = make('p', undefined, about, 'ways');
  const line = `${node.tile} ${node.file.split('/').pop()}:${node.line}`.trim();
  if (node.file) way(ways, line, node.tile ? 'open the page of that tile' : 'show the line', () => openLine(node));
  if (node.cycle !== null) way(ways, `cycle ${node.cycle}`, 'go there', () => goTo(node));
  one.node = node;
  one.parts = () => node.parts.map((part) => item(nodes, part, level + 1));
  head.addEventListener('click', () => { focusOn(one); open(one, one.ariaExpanded !== 'true'); });
  if (node.parts.length) one.ariaExpanded = 'false';
  return one;
}

function way(holder, text, title, action) {
  const button = make('button', text, holder);
  button.type = 'button';
  button.tabIndex = -1; // with the keys: Enter, and g
  button.title = title;
  button.addEventListener('click', (event) => { event.stopPropagation(); action(); });
}

function openLine(node) {
  if (node.tile) {
    window.open(`../${node.tile}/`, `tile ${node.tile}`);
    return;
  }
  showLine(node.file, node.line);
}

function goTo(node) {
  if (!state.frame.running) send({ do: 'goto', cycle: node.cycle });
}

function open(one, is) {
  if (one.ariaExpanded === null) return;
  one.ariaExpanded = String(is);
  let group = one.querySelector(':scope > ul');
  if (is && !group) {
    group = make('ul', undefined, one);
    group.setAttribute('role', 'group');
    group.append(...one.parts());
  }
  if (group) group.hidden = !is;
}

function focusOn(one) {
  for (const other of element('origin-tree').querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
  one.tabIndex = 0;
  one.focus({ preventScroll: true });
  (one.ariaExpanded === 'true' ? one.firstElementChild : one).scrollIntoView({ block: 'nearest' });
}

const shown = () => [...element('origin-tree').querySelectorAll('[role=treeitem]')]
  .filter((one) => !one.parentElement.closest('[hidden]'));

const KEYS = {
  ArrowDown: (one) => step(one, 1),
  ArrowUp: (one) => step(one, -1),
  Home: () => shown()[0],
  End: () => shown().at(-1),
  ArrowRight(one) {
    if (one.ariaExpanded === 'false') open(one, true);
    else return one.querySelector('[role=treeitem]');
    return null;
  },
  ArrowLeft(one) {
    if (one.ariaExpanded === 'true') open(one, false);
    else return one.parentElement.closest('[role=treeitem]');
    return null;
  },
  Enter(one) { if (one.node.file) openLine(one.node); },
  g(one) { if (one.node.cycle !== null) goTo(one.node); },
};

function step(one, by) {
  const every = shown();
  return every[every.indexOf(one) + by];
}

element('origin-tree').addEventListener('keydown', (event) => {
  const one = event.target.closest('[role=treeitem]');
  const action = KEYS[event.key];
  if (!one || !action || event.ctrlKey || event.metaKey || event.altKey || event.target !== one) return;
  event.preventDefault();
  event.stopPropagation();
  const to = action(one);
  if (to) focusOn(to);
});
element('origin-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const place = element('origin-text').value.trim();
  if (place) askOrigin(place);
});
