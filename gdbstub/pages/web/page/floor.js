// SPDX-License-Identifier: Apache-2.0
// The floor plan: boxes by their ids, each a button. maps.js has Dst, LRegs and memories.

import { make, tipped } from './drawing.js';
import { state, on, look } from './state.js';

const groups = new Map();
let lines = null; // from what is held to what would release it
let ways = null; // what is on the ways

export function button(parent, id, label) {
  const group = make(parent, 'g', { id, role: 'button', tabindex: '0', 'aria-label': label });
  group.addEventListener('click', () => look(id));
  group.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') look(id);
  });
  return group;
}

// The drawing; the caller adds the maps to it.
export function draw(plan) {
  state.plan = plan;
  const top = plan.boxes[0].y - 6;
  const svg = make(document.getElementById('floor'), 'svg', {
    viewBox: `8 ${top} ${plan.width - 8} ${plan.maps_end - top}`,
    role: 'group', 'aria-label': 'parts of the tile',
  });
  const marks = make(svg, 'defs', {});
  tipOf(marks, 'releases', 'tip');
  for (const kind of ['0', '1', '2', 'data']) tipOf(marks, `way-${kind}`, `end-${kind}`);
  for (const way of plan.ways) make(svg, 'path', { class: `way w-${kindOf(way.thread)}`, d: way.d });
  for (const box of plan.boxes) {
    const group = button(svg, box.id, box.title);
    const rect = make(group, 'rect', {
      class: 'box', rx: 5, x: box.x, y: box.y, width: box.width, height: box.height,
    });
    make(group, 'text', { class: 'title', x: box.x + 8, y: box.y + 15 }, box.title);
    const inside = make(group, 'g', {});
    groups.set(box.id, { group, rect, box, inside, tip: '' });
    tipped(group, () => groups.get(box.id).tip);
  }
  lines = make(svg, 'g', { id: 'held', 'aria-hidden': 'true' });
  ways = make(svg, 'g', { id: 'flows', 'aria-hidden': 'true' });
  return svg;
}

const kindOf = (thread) => (thread < 0 ? 'data' : thread);

function tipOf(marks, id, className) {
  const mark = make(marks, 'marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto' });
  make(mark, 'path', { d: 'M0,0 L8,4 L0,8 z', class: className });
}

// Instructions are round and have their name where there is room, tiles are square. No way is over a name.
function showFlows(flows) {
  ways.replaceChildren();
  for (const [from, to, thread, d, , text] of flows) {
    const group = grouped(from, to, text);
    make(group, 'path', { class: `flow w-${kindOf(thread)}`, d, 'marker-end': `url(#way-${kindOf(thread)})` });
  }
  for (const [from, to, thread, , label, text, x, y] of flows) {
    const kind = kindOf(thread);
    const group = grouped(from, to, text);
    if (label) {
      const width = label.length * 5.4 + 8;
      make(group, 'rect', { class: `token w-${kind}`, rx: 6, x: x - width / 2, y: y - 6, width, height: 12 });
      make(group, 'text', { class: 'label', 'text-anchor': 'middle', x, y: y + 3 }, label);
    } else if (isData(from) || isData(to)) {
      make(group, 'rect', { class: `token w-${kind}`, rx: 1, x: x - 4, y: y - 4, width: 8, height: 8 });
      make(group, 'path', { class: 'faces', d: `M${x - 4},${y} h8 M${x},${y - 4} v8` });
    } else make(group, 'circle', { class: `token w-${kind}`, cx: x, cy: y, r: 4.5 });
  }
}

function grouped(from, to, text) {
  const group = make(ways, 'g', {});
  group.dataset.ends = `${from} ${to}`;
  make(group, 'title', {}, text);
  return group;
}

const isData = (end) => !groups.has(end); // a register file or L1 has no box

function show(id, cell) {
  const entry = groups.get(id);
  if (!entry) return;
  const { group, rect, box, inside } = entry;
  rect.setAttribute('class', `box ${cell.tone}`);
  entry.tip = cell.tip;
  const bars = cell.bars.map(([name, count, most]) => `${name} ${count} of ${most}`);
  group.setAttribute('aria-label', `${box.title}: ${[cell.mark, ...bars, ...cell.lines].filter(Boolean).join(', ')}`);
  inside.replaceChildren();
  let y = box.y + 15;
  if (cell.mark) {
    const x = box.x + box.width - 8;
    make(inside, 'rect', { class: 'badge', rx: 3, x: x - cell.mark.length * 7 - 4, y: y - 11, width: cell.mark.length * 7 + 8, height: 15 });
    make(inside, 'text', { class: 'mark', 'text-anchor': 'end', x, y }, cell.mark);
  }
  for (const [name, count, most] of cell.bars) {
    y += state.plan.line;
    bar(inside, box, y, `${name} ${count}/${most}`, Math.min(count / most, 1));
  }
  for (const line of cell.lines) {
    y += state.plan.line;
    make(inside, 'text', { x: box.x + 8, y }, line);
  }
}

const titleOf = (id) => groups.get(id)?.box.title ?? id;

function showHeld(held) {
  lines.replaceChildren();
  for (const [from, to, why, d] of held) {
    const group = make(lines, 'g', {});
    make(group, 'path', { class: 'release', d, 'marker-end': 'url(#releases)' }).dataset.ends = `${from} ${to}`;
    make(group, 'path', { class: 'reach', d });
    tipped(group, () => `${titleOf(from)} waits for ${titleOf(to)}: ${why}`);
    group.addEventListener('click', () => look(from));
  }
}

function bar(inside, box, y, text, part) {
  make(inside, 'text', { x: box.x + 8, y }, text);
  const at = { x: box.x + state.plan.bar + 16, y: y - 8, height: 8, rx: 2 };
  const width = box.width - state.plan.bar - 24;
  make(inside, 'rect', { class: 'bar', width, ...at });
  if (part) make(inside, 'rect', { class: 'fill', width: Math.max(width * part, 2), ...at });
}

on('frame', (change) => {
  for (const [id, cell] of Object.entries(change.cells || {})) show(id, cell);
  if (change.flows) showFlows(change.flows);
  if (change.held) showHeld(change.held);
});
on('box', (id) => {
  for (const [name, { group }] of groups) group.classList.toggle('shown', name === id);
  // The panel takes a part of the width: what it is about stays in view.
  requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
});
