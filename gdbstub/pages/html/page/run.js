// SPDX-License-Identifier: Apache-2.0
// The file of a run: which picture is shown, and its timeline. `draw` and others are canvas.js's.

const element = (id) => document.getElementById(id);
const data = JSON.parse(element('data').textContent);
const canvas = element('timeline-canvas');
const buttons = [...document.querySelectorAll('button[data-state]')];
const pictures = [...document.querySelectorAll('.state')];
const cycles = buttons.map((button) => Number(button.textContent));
const rows = data.rows.map(([name, slices]) => ({
  name,
  slices: slices.map(([ts, dur, text, kind, why]) => ({
    ts, dur, name: data.texts[text], cat: data.texts[kind], args: { what: data.texts[why] },
  })),
}));
let view = { first: data.first, last: Math.max(data.last, data.first + 10) };
let shown = 0;

function show(number) {
  shown = number;
  buttons.forEach((button, i) => button.setAttribute('aria-pressed', i === number));
  pictures.forEach((picture, i) => { picture.hidden = i !== number; });
  draw(canvas, rows, view, cycles[shown]);
}

function see(wanted) {
  view = { first: Math.max(wanted.first, data.first), last: Math.min(wanted.last, Math.max(data.last, data.first + 10)) };
  if (view.last - view.first < 10) view.last = view.first + 10;
  element('timeline-text').textContent = `cycles ${Math.floor(view.first)} to ${Math.ceil(view.last)}`;
  draw(canvas, rows, view, cycles[shown]);
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  draw(canvas, rows, view, cycles[shown]);
}

buttons.forEach((button, i) => button.addEventListener('click', () => show(i)));
element('zoom-in').addEventListener('click', () => see(zoomed(view, 0.5, middleOf(view))));
element('zoom-out').addEventListener('click', () => see(zoomed(view, 2, middleOf(view))));
element('earlier').addEventListener('click', () => see(moved(view, -0.5)));
element('later').addEventListener('click', () => see(moved(view, 0.5)));
element('whole').addEventListener('click', () => see({ first: data.first, last: data.last }));
let wasDragged = false;
gestures(canvas, () => view, (wanted) => {
  wasDragged = true;
  see(wanted);
});
canvas.addEventListener('pointerdown', () => { wasDragged = false; });
canvas.addEventListener('mousemove', (event) => {
  const found = at(canvas, rows, view, event);
  if (found.row) element('timeline-text').textContent = described(found);
});
canvas.addEventListener('click', (event) => {
  if (wasDragged) return;
  const { cycle } = at(canvas, rows, view, event);
  show(Math.max(cycles.findLastIndex((each) => each <= cycle), 0));
});
element('theme').addEventListener('click', () => {
  theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
});
window.addEventListener('resize', () => draw(canvas, rows, view, cycles[shown]));
theme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
show(Math.max(cycles.length - 1, 0));
